import { isAlreadyExists } from "../../apimachinery/status.ts";
import type { Client } from "../../client/client.ts";
import { installCrds } from "../../manifests/install-crds.ts";
import { OlmConfigKind, olmConfigName } from "../../manifests/olm-kinds.ts";
import { NamespaceKind } from "../simulation/context/simulated-kinds.ts";
import { olmCrds } from "./olm-crds.ts";

/** Creates the objects of an installation of OLM: its CRDs, its namespaces and its configuration. */
export async function installOlm(client: Client, signal: AbortSignal): Promise<void> {
  await installCrds(client, olmCrds(), { signal });
  const ignoreExisting = (error: unknown): void => {
    if (!isAlreadyExists(error)) throw error;
  };
  for (const name of ["olm", "operators"]) {
    const namespace = { apiVersion: "v1", kind: "Namespace", metadata: { name } };
    await client.create(NamespaceKind, namespace).catch(ignoreExisting);
  }
  const config = { apiVersion: "operators.coreos.com/v1", kind: "OLMConfig", metadata: { name: olmConfigName } };
  await client.create(OlmConfigKind, config).catch(ignoreExisting);
}
