import { isAlreadyExists } from "../../apimachinery/status.ts";
import type { Client } from "../../client/client.ts";
import { installCrds } from "../../client/manifests/install-crds.ts";
import { NamespaceKind } from "../simulation/context/simulated-kinds.ts";
import { olmCrds } from "./olm-crds.ts";

/** Creates the objects of an installation of OLM: its CRDs and its namespaces. */
export async function installOlm(client: Client, signal: AbortSignal): Promise<void> {
  await installCrds(client, olmCrds(), { signal });
  for (const name of ["olm", "operators"]) {
    const namespace = { metadata: { name } };
    await client.create(NamespaceKind, namespace).catch((error: unknown) => {
      if (!isAlreadyExists(error)) throw error;
    });
  }
}
