import { applyManifests } from "../../client/manifests/apply-manifests.ts";
import type { Manifest } from "../../client/manifests/read-manifests.ts";
import type { Doomed } from "../../olm/cluster/await-gone.ts";
import { cleanUp, customResourceNames, planCleanup } from "../../olm/cluster/cleanup.ts";
import { requireOlm, type OlmHost } from "../../olm/cluster/olm-host.ts";
import { packageOf, type RunnableBundle } from "../../olm/cluster/run-catalog.ts";
import { catalogName, runBundle, type RunBundleOptions } from "../../olm/cluster/run-bundle.ts";
import { CatalogSourceKind } from "../../client/manifests/olm-kinds.ts";
import type { Io } from "../io.ts";

export interface Installation {
  readonly runnable: RunnableBundle;
  readonly options: RunBundleOptions;
  /** The objects to apply once the operator runs. */
  readonly manifests: readonly Manifest[];
  readonly flags: { readonly replace?: true };
}

/** Installs a bundle, in place of an earlier one if the user wants that, and applies manifests. */
export async function installBundle(
  io: Io,
  host: OlmHost,
  { runnable, options, manifests, flags }: Installation,
): Promise<string> {
  const packageName = packageOf(runnable.bundle);
  const earlier = await findEarlier(host, packageName);
  if (earlier && (await agrees(io, { packageName, earlier, flag: flags.replace }))) await cleanUp(host, earlier);
  const csv = await runBundle(host, runnable, options);
  await applyManifests(host, manifests, ({ kind, name, result }) => host.emit(`${kind.plural}/${name} ${result}`));
  return csv;
}

/** Returns the objects that an earlier run has left. */
async function findEarlier(host: OlmHost, packageName: string): Promise<Doomed[] | undefined> {
  await requireOlm(host);
  const { client, namespace } = host;
  if (!(await client.getOrUndefined(CatalogSourceKind, { namespace, name: catalogName(packageName) })))
    return undefined;
  return planCleanup(host, packageName, { crds: true, operatorGroups: true });
}

interface Replacement {
  readonly packageName: string;
  readonly earlier: readonly Doomed[];
  readonly flag: true | undefined;
}

async function agrees(io: Io, { packageName, earlier, flag }: Replacement): Promise<boolean> {
  if (flag || !io.isTTY) return flag ?? false;
  const names = customResourceNames(earlier);
  const also = names.length > 0 ? `, with ${names.join(", ")},` : "";
  const message = `CatalogSource ${catalogName(packageName)} exists. Remove the operator and its CRDs${also} and install it again?`;
  return io.prompt.confirm({ message, flag: "--replace", initial: false });
}
