import { equalJson } from "../../../apimachinery/equal.ts";
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
      await client.create(ServiceAccountKind, account).catch(ignoreAlreadyExists);
      const annotations = { "kubernetes.io/description": description };
      const bundle = { metadata: { name: rootCa, namespace, annotations }, data };
      await client.create(ConfigMapKind, bundle).catch(ignoreAlreadyExists);
      const live = await client.getOrUndefined(ConfigMapKind, { namespace, name: rootCa });
      if (live && !equalJson(live.data, data)) await client.update(ConfigMapKind, { ...live, data });
    },
  });
}
