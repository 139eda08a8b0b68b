import { cleanUp, planCleanup } from "../../olm/cluster/cleanup.ts";
import type { OlmHost } from "../../olm/cluster/olm-host.ts";
import { packageOf, type RunnableBundle } from "../../olm/cluster/run-catalog.ts";
import { catalogName, runBundle, type RunBundleOptions } from "../../olm/cluster/run-bundle.ts";
import { CatalogSourceKind } from "../../manifests/olm-kinds.ts";
import { requireOlm } from "../../olm/cluster/olm-host.ts";
import type { Io } from "../io.ts";
import { applyPaths } from "./apply-paths.ts";

export interface Installation {
  readonly runnable: RunnableBundle;
  readonly options: RunBundleOptions;
  readonly flags: { readonly replace?: true; readonly apply?: readonly string[] };
}

/** Installs a bundle, in place of an earlier one if the user wants that, and applies manifests. */
export async function installBundle(
  io: Io,
  host: OlmHost,
  { runnable, options, flags }: Installation,
): Promise<string> {
  const packageName = packageOf(runnable.bundle);
  if (await replaces(io, host, packageName, flags.replace))
    await cleanUp(host, await planCleanup(host, packageName, { crds: true, operatorGroups: true }));
  const csv = await runBundle(host, runnable, options);
  await applyPaths(io, host, flags.apply ?? []);
  return csv;
}

async function replaces(io: Io, host: OlmHost, packageName: string, flag: true | undefined): Promise<boolean> {
  await requireOlm(host);
  const { client, namespace } = host;
  const name = catalogName(packageName);
  if (!(await client.getOrUndefined(CatalogSourceKind, { namespace, name }))) return false;
  if (flag || !io.isTTY) return flag ?? false;
  const message = `CatalogSource ${name} exists. Remove the operator, its CRDs and all their custom resources, and install it again?`;
  return io.prompt.confirm({ message, flag: "--replace", initial: false });
}
