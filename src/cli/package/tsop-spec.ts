import { join } from "node:path";
import { messageOf } from "../../errors/message-of.ts";
import { TsopError } from "../../errors/tsop-error.ts";
import type { Io } from "../io.ts";
import type { OwnPackage } from "./own-package.ts";

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
  return { spec: `file:vendor/tsop-${own.version}.tgz`, pack: own.root };
}

/** Packs an unpublished tsop into the project's `vendor/`. */
export async function packIntoVendor(io: Pick<Io, "pack">, own: OwnPackage, root: string): Promise<void> {
  try {
    await io.pack(own.root, join(root, "vendor", `tsop-${own.version}.tgz`));
  } catch (cause) {
    const reason = messageOf(cause);
    throw new TsopError("TSOP_PACK_FAILED", { checkout: own.root, reason }, { cause });
  }
}
