import { resolve } from "node:path";
import type { RunnableBundle } from "../../olm/cluster/run-catalog.ts";
import { registrySettings, type RegistryFlags } from "../flags/registry-flags.ts";
import type { Io } from "../io.ts";

/** Loads a bundle from its folder or its image. */
export async function loadRunnable(io: Io, name: string, flags: RegistryFlags): Promise<RunnableBundle> {
  const [{ loadBundle }, { openBundle }] = await Promise.all([
    import("../../olm/bundle/load-bundle.ts"),
    import("../../olm/registry/open-bundle.ts"),
  ]);
  const folder = resolve(io.cwd, name);
  const isFolder = (await io.disk.list(folder)).length > 0;
  const bundle = loadBundle(await openBundle({ name, folder }, registrySettings(io, flags)));
  return { bundle, image: isFolder ? "" : name };
}
