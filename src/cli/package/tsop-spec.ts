import { join, dirname } from "node:path";
import { messageOf } from "../../errors/message-of.ts";
import { TsopError } from "../../errors/tsop-error.ts";
import type { Io } from "../io.ts";
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

/** The source of tsop in a new project. */
export interface TsopSource {
  /** The version or path that package.json depends on. */
  readonly spec: string;
  /** The folder to pack into the project's `vendor/`; absent if `spec` is enough. */
  readonly pack?: string;
}

/**
 * Chooses the source of tsop. A published tsop is installed by its version. An unpublished one (`private` in its
 * package.json), from a checkout or a tarball, packs itself, so that the project works on any machine.
 */
export function tsopSource(own: OwnPackage, spec?: string): TsopSource {
  if (spec) return { spec };
  if (own.isPublished) return { spec: `^${own.version}` };
  return { spec: vendoredSpec(own.version), pack: own.root };
}

/** Returns the dependency on a copy of tsop in the project. */
export function vendoredSpec(version: string): string {
  return `file:vendor/tsop-${version}.tgz`;
}

/**
 * Packs an unpublished tsop into the project's `vendor/`, then applies the plan: a full disk is noticed before the
 * project is written. If the plan fails, the tarball is removed again.
 */
export async function packIntoVendor<T>(
  io: Pick<Io, "pack" | "disk">,
  { own, root }: { readonly own: OwnPackage; readonly root: string },
  apply: () => Promise<T>,
): Promise<T> {
  const folder = join(root, "vendor");
  const name = `tsop-${own.version}.tgz`;
  const existed = (await io.disk.list(folder)).includes(name);
  const remove = async (): Promise<void> => {
    if (existed) return;
    await io.disk.remove(join(folder, name));
    await io.disk.removeEmptyFolder(folder);
  };
  try {
    await io.pack(own.root, join(folder, name));
  } catch (cause) {
    const reason = messageOf(cause);
    await remove();
    if (isOfDisk(cause)) throw new TsopError("TSOP_WRITE_FAILED", { path: `vendor/${name}`, reason }, { cause });
    throw new TsopError("TSOP_PACK_FAILED", { checkout: own.root, reason }, { cause });
  }
  try {
    return await apply();
  } catch (error) {
    await remove();
    throw error;
  }
}

function isOfDisk(error: unknown): boolean {
  return ["ENOSPC", "EDQUOT", "EROFS", "EACCES", "EPERM"].includes((error as NodeJS.ErrnoException).code ?? "");
}
