import { join, posix } from "node:path";
import { TsopError } from "../../errors/tsop-error.ts";
import type { Disk } from "../../files/disk.ts";
import { extendBase } from "../../oci/image/extend-base.ts";
import { makeLayer, type Image } from "../../oci/image/image.ts";
import type { Base } from "../../oci/image/read-base.ts";
import { configsLabel } from "./opm-image.ts";

/**
 * Makes the image that serves the catalogs of a folder. Unlike the Dockerfile, it has no cache, which only opm can fill:
 * opm does that when it starts.
 */
export async function catalogImage(
  folder: string,
  { base, created }: { readonly base: Base; readonly created: Date },
  disk: Pick<Disk, "list" | "read">,
): Promise<Image> {
  const paths = await disk.list(folder);
  if (paths.length === 0) throw new TsopError("TSOP_CATALOG_EMPTY", {});
  const files = paths.map(async (path) => ({
    path: posix.join("configs", path),
    body: Buffer.from((await disk.read(join(folder, path))) ?? ""),
  }));
  const config = {
    Entrypoint: ["/bin/opm"],
    Cmd: ["serve", "/configs"],
    Labels: { [configsLabel]: "/configs" },
  };
  const layer = makeLayer(await Promise.all(files), created);
  return extendBase(base, { layer, config, created, createdBy: "tsop bundle catalog" });
}
