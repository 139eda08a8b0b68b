import { dirname } from "node:path";
import { packageFile } from "../../apimachinery/package-file.ts";
import type { Disk } from "../../files/disk.ts";

/** The running tsop. */
export interface OwnPackage {
  readonly root: string;
  readonly version: string;
  readonly isPublished: boolean;
}

/** Reads the package.json of this package, in a checkout and in node_modules alike. */
export async function loadOwnPackage(disk: Pick<Disk, "read">): Promise<OwnPackage> {
  const file = packageFile("package.json");
  const manifest = JSON.parse((await disk.read(file)) ?? "{}") as { version: string; private?: boolean };
  return { root: dirname(file), version: manifest.version, isPublished: manifest.private !== true };
}
