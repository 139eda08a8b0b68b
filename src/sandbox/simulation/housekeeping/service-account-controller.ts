import { equalJson } from "../../../apimachinery/equal.ts";
import type { Kind } from "../../../apimachinery/kind.ts";
import type { KubeObject, ObjectKey } from "../../../apimachinery/meta.ts";
import type { Client } from "../../../client/client.ts";
import { ignoreAlreadyExists, ignoreNotFound } from "../../../client/ignore-not-found.ts";
import { enqueueFromMap } from "../../../runtime/controller/handlers.ts";
import { runController, watch, enqueueBeside } from "../context/run-controller.ts";
import type { SimulationContext } from "../context/simulation-context.ts";
import {
  ConfigMapKind,
  NamespaceKind,
  ServiceAccountKind,
  SecretKind,
  ClusterRoleKind,
} from "../context/simulated-kinds.ts";
import type { Secret } from "../../../k8s/core/v1.ts";
import type { ClusterRole, PolicyRule } from "../../../k8s/rbac/v1.ts";
import { labelSelectorMatcher } from "../../../apimachinery/selectors.ts";

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

const accountName = "kubernetes.io/service-account.name";
const accountUid = "kubernetes.io/service-account.uid";
/** The longest lifetime: these tokens are valid as long as their account exists. */
const expirationSeconds = 2 ** 32;

/** Fills secrets of type service-account-token, and deletes them with their account. */
export function runTokens(context: SimulationContext): Promise<void> {
  const client = context.clientFor("system:kube-controller-manager");
  const secretsOf = enqueueBeside(
    context,
    SecretKind,
    ({ metadata }, account) => metadata.annotations?.[accountName] === account.metadata.name,
  );
  return runController(context, {
    sources: [watch(context, SecretKind), watch(context, ServiceAccountKind, secretsOf)],
    step: async (key) => {
      const secret = await client.getOrUndefined(SecretKind, key);
      if (secret?.type === "kubernetes.io/service-account-token") await stepSecret(context, client, secret);
    },
  });
}

async function stepSecret({ caData }: SimulationContext, client: Client, secret: Secret): Promise<void> {
  const { namespace = "", name = "", annotations = {} } = secret.metadata;
  const key: ObjectKey = { namespace, name: annotations[accountName] ?? "" };
  const account = await client.getOrUndefined(ServiceAccountKind, key);
  const uid = account?.metadata.uid ?? "";
  const known = annotations[accountUid];
  if (!account || (known !== undefined && known !== uid)) {
    return client.delete(SecretKind, { namespace, name }).catch(ignoreNotFound);
  }
  if (known === uid && secret.data?.["token"]) return;
  const request = { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: { expirationSeconds } };
  const issued = (await client.subResource("token").create(ServiceAccountKind, key, request)) as {
    status?: { token?: string };
  };
  const base64 = (text: string) => Buffer.from(text).toString("base64");
  await client.update(SecretKind, {
    ...secret,
    metadata: { ...secret.metadata, annotations: { ...annotations, [accountUid]: uid } },
    data: {
      ...secret.data,
      "ca.crt": caData,
      namespace: base64(namespace),
      token: base64(issued.status?.token ?? ""),
    },
  });
}

const onChange = enqueueFromMap(() => [{ name: "every role" }]);

/**
 * Aggregates the rules of ClusterRoles such as `admin`, `edit` and `view`. One step looks at all of them, because any
 * change of a role may concern each.
 */
export function runRoleAggregation(context: SimulationContext): Promise<void> {
  const client = context.clientFor("system:serviceaccount:kube-system:clusterrole-aggregation-controller");
  return runController(context, {
    sources: [watch(context, ClusterRoleKind, onChange)],
    step: async () => {
      const { items } = await client.list(ClusterRoleKind);
      const update = async (role: ClusterRole): Promise<void> => {
        const rules = rulesOf(role, items);
        if (!equalJson(rules, role.rules ?? [])) await client.update(ClusterRoleKind, { ...role, rules });
      };
      await Promise.all(items.filter(isAggregated).map(update));
    },
  });
}

function isAggregated({ metadata, aggregationRule }: ClusterRole): boolean {
  return aggregationRule !== undefined && metadata.deletionTimestamp === undefined;
}

/** Returns the rules of all selected roles, in the order of selectors and names, each once. */
function rulesOf({ metadata, aggregationRule }: ClusterRole, roles: readonly ClusterRole[]): PolicyRule[] {
  const rules: PolicyRule[] = [];
  for (const selector of aggregationRule?.clusterRoleSelectors ?? []) {
    const matcher = labelSelectorMatcher(selector);
    for (const role of roles) {
      if (role.metadata.name === metadata.name || !matcher.matches(role.metadata.labels ?? {})) continue;
      for (const rule of role.rules ?? []) if (!rules.some((known) => equalJson(known, rule))) rules.push(rule);
    }
  }
  return rules;
}
