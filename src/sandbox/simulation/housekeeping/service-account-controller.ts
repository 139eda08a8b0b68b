import { equalJson } from "../../../apimachinery/equal.ts";
import type { Kind } from "../../../apimachinery/kind.ts";
import type { KubeObject } from "../../../apimachinery/meta.ts";
import type { Client } from "../../../client/client.ts";
import { ignoreAlreadyExists } from "../../../client/ignore-not-found.ts";
import { enqueueFromMap } from "../../../runtime/controller/handlers.ts";
import { runController, watch } from "../context/run-controller.ts";
import type { SimulationContext } from "../context/simulation-context.ts";
import { ConfigMapKind, NamespaceKind, ServiceAccountKind } from "../context/simulated-kinds.ts";

const rootCa = "kube-root-ca.crt";
const description =
  "Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the " +
  "internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes clusters.";

/** Keeps a ServiceAccount `default` and the CA of the API server in every namespace. */
export function runServiceAccounts(context: SimulationContext): Promise<void> {
  const client = context.clientFor("system:serviceaccount:kube-system:service-account-controller");
  const data = { "ca.crt": Buffer.from(context.caData, "base64").toString("utf8") };
  const namespaceOf = (wanted: string) =>
    enqueueFromMap(({ metadata: { name, namespace = "" } }) => (name === wanted ? [{ name: namespace }] : []));
  return runController(context, {
    sources: [
      watch(context, NamespaceKind),
      watch(context, ServiceAccountKind, namespaceOf("default")),
      watch(context, ConfigMapKind, namespaceOf(rootCa)),
    ],
    step: async ({ name: namespace }) => {
      const found = await client.getOrUndefined(NamespaceKind, { name: namespace });
      if (!found || found.metadata.deletionTimestamp) return;
      const account = { metadata: { name: "default", namespace } };
      await createMissing(client, ServiceAccountKind, account);
      const annotations = { "kubernetes.io/description": description };
      const bundle = { metadata: { name: rootCa, namespace, annotations }, data };
      const live = await createMissing(client, ConfigMapKind, bundle);
      if (live && !equalJson(live.data, data)) await client.update(ConfigMapKind, { ...live, data });
    },
  });
}

/** Returns an object, or creates it. A quota counts each request to create one, even if it exists already. */
async function createMissing<T extends KubeObject>(client: Client, kind: Kind<T>, object: T): Promise<T | undefined> {
  const { namespace, name = "" } = object.metadata;
  const live = await client.getOrUndefined(kind, { namespace, name });
  if (live) return live;
  await client.create(kind, object).catch(ignoreAlreadyExists);
  return undefined;
}
