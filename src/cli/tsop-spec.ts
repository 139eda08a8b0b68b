import { join } from "node:path";
import { TsopError } from "../errors/tsop-error.ts";
import type { Io } from "./io.ts";
import type { OwnPackage } from "./own-package.ts";

/** How a new project gets its tsop. */
export interface TsopSource {
  /** What package.json depends on. */
  readonly spec: string;
  /** The folder to pack into the project's `vendor/`; absent when `spec` says it all. */
  readonly pack?: string;
}

/**
 * A published tsop is asked for by its version. One that runs from a checkout (its package has a `src` folder, which is
 * never published) packs itself, so that the project works on any machine.
 */
export async function tsopSource(io: Pick<Io, "disk">, own: OwnPackage, spec?: string): Promise<TsopSource> {
  if (spec) return { spec };
  const isCheckout = (await io.disk.read(join(own.root, "src/cli/main.ts"))) !== undefined;
  if (!isCheckout) return { spec: `^${own.version}` };
  return { spec: `file:vendor/tsop-${own.version}.tgz`, pack: own.root };
}

/** Packs a checkout into `vendor/` of the project. */
export async function packIntoVendor(io: Pick<Io, "disk" | "run">, checkout: string, root: string): Promise<void> {
  const vendor = join(root, "vendor");
  await io.disk.makeFolder(vendor);
  const args = ["pack", checkout, "--pack-destination", vendor, "--ignore-scripts", "--silent"];
  const { exitCode, stderr } = await io.run("npm", args, { cwd: root });
  if (exitCode !== 0)
    throw new TsopError("TSOP_PACK_FAILED", { checkout, reason: stderr.trim() || `exit ${exitCode}` });
}
