import { join } from "node:path";
import type { Io } from "../io.ts";

interface ForeignKind {
  readonly kind: string;
  readonly externalApiPath?: string | undefined;
}

/**
 * Warns if the file does not exist that generated code imports a foreign Kind from. It is no error: `tsop alpha generate`
 * and `tsop update` create a project before its author's own files are in it.
 */
export async function warnOfMissingImport(
  { disk, stderr }: Pick<Io, "disk" | "stderr">,
  root: string,
  { kind, externalApiPath: path }: ForeignKind,
): Promise<void> {
  if (!path?.startsWith("./")) return;
  const isFile = /\.[cm]?[jt]s$/.test(path);
  const candidates = isFile ? [path, path.replace(/js$/, "ts")] : [`${path}.ts`, `${path}/index.ts`];
  const texts = await Promise.all(candidates.map((candidate) => disk.read(join(root, candidate))));
  if (texts.some((text) => text !== undefined)) return;
  stderr.write(
    `warning: ${path} does not exist, but the new code imports ${kind} from it: create it with an export of the Kind, or correct path in PROJECT and the imports\n`,
  );
}
