import { ignoreAlreadyExists } from "../../client/ignore-not-found.ts";
import type { Client } from "../../client/client.ts";
import { CustomResourceDefinition, untilCrdsServed } from "../../manifests/install-crds.ts";
import { certManagerCrds } from "./cert-manager-crds.ts";

/** Creates cert-manager's CRDs. Those that a user has installed stay: the sandbox plays them as well. */
export async function installCertManager(client: Client, signal: AbortSignal): Promise<void> {
  const crds = certManagerCrds();
  for (const crd of crds) await client.create(CustomResourceDefinition, crd).catch(ignoreAlreadyExists);
  await untilCrdsServed(client, crds, { signal });
}
