import { TsopError } from "../../errors/tsop-error.ts";
import type { Disk } from "../../files/disk.ts";
import { parseObjects } from "../parse-objects.ts";
import { readShape } from "../../apimachinery/read-shape.ts";
import { csvShape } from "./csv-shape.ts";
import { csvKind, type ClusterServiceVersion } from "./csv.ts";

/** Reads the base of the CSV, if there is one. A file with anything else, or with two bases, is an error. */
export async function readBase(file: string, disk: Pick<Disk, "read">): Promise<ClusterServiceVersion | undefined> {
  const text = await disk.read(file);
  if (text === undefined) return undefined;
  const [csv, ...others] = parseObjects(text, file).filter(({ kind }) => kind === csvKind);
  if (!csv) throw new TsopError("TSOP_BASE_WITHOUT_CSV", { file });
  if (others.length > 0) throw new TsopError("TSOP_BASE_TWICE", { file, count: others.length + 1 });
  return readShape(csv, csvShape, file, true) as ClusterServiceVersion;
}
