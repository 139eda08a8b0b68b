import type { Kind } from "../../../src/apimachinery/kind.ts";
import type { KubeObject } from "../../../src/apimachinery/meta.ts";
import type { Client } from "../../../src/client/client.ts";
import { CustomResourceDefinition } from "../../../src/client/manifests/install-crds.ts";
import {
  CatalogSourceKind,
  CsvKind,
  InstallPlanKind,
  OperatorConditionKind,
  OperatorGroupKind,
  SubscriptionKind,
} from "../../../src/client/manifests/olm-kinds.ts";
import {
  webhookConfigurationKinds,
  DeploymentKind,
  ServiceAccountKind,
  SecretKind,
  ClusterRoleBindingKind,
  ClusterRoleKind,
  RoleBindingKind,
  RoleKind,
} from "../../../src/sandbox/simulation/context/simulated-kinds.ts";
import { isObserved } from "./known-differences.ts";

const namespaced: readonly Kind[] = [
  CatalogSourceKind,
  OperatorGroupKind,
  SubscriptionKind,
  InstallPlanKind,
  CsvKind,
  OperatorConditionKind,
  DeploymentKind,
  ServiceAccountKind,
  RoleKind,
  RoleBindingKind,
];

/** Returns OLM's objects of a namespace and of its operators, without what differs from run to run. */
export async function observe(client: Client, namespace: string, group: string): Promise<object[]> {
  const own = await Promise.all(namespaced.map((kind) => shown(client, kind, { namespace })));
  const labels = { "olm.owner.namespace": namespace };
  const clusterWide = await Promise.all(
    [ClusterRoleKind, ClusterRoleBindingKind].map((kind) => shown(client, kind, { labels })),
  );
  // A copy in each namespace is as good as one in two of them.
  const copies = await Promise.all(
    ["default", `${namespace}-2`].flatMap((target) =>
      [CsvKind, RoleKind, RoleBindingKind].map((kind) =>
        shown(client, kind, { namespace: target, labels: { "olm.copiedFrom": namespace } }),
      ),
    ),
  );
  const webhooks = await Promise.all(webhookConfigurationKinds.map((kind) => shown(client, kind, { labels })));
  const secrets = await shown(client, SecretKind, { namespace, labels: "olm.managed" });
  const crds = (await shown(client, CustomResourceDefinition, {})).filter((crd) => crd.metadata.name?.endsWith(group));
  return [...own, ...copies, ...clusterWide, ...webhooks, secrets, crds]
    .flat()
    .filter(isWanted)
    .map((object) => normalize(object, namespace));
}

async function shown(client: Client, kind: Kind, options: object): Promise<KubeObject[]> {
  const { items } = await client.list(kind, options);
  return items.map((item) => ({ ...item, kind: kind.kind }));
}

function isWanted(object: KubeObject): boolean {
  const isDefaultAccount = object.kind === "ServiceAccount" && object.metadata.name === "default";
  // OLM makes roles for people of each group.
  const isOfPeople = object.kind === "ClusterRole" && object.metadata.name?.startsWith("olm.og.");
  return !isDefaultAccount && !isOfPeople && !isLabelOfLostRole(object);
}

/**
 * Reports whether a role is only the label that a real OLM applies to each role which it has seen: if the role was collected
 * meanwhile, this creates one without rules and owners, which stays.
 */
export function isLabelOfLostRole(object: KubeObject & { readonly rules?: readonly object[] | null }): boolean {
  const { kind = "", metadata, rules } = object;
  return (
    kind.endsWith("Role") && !rules?.length && Object.keys(metadata.labels ?? {}).join() === "olm.permissions.hash"
  );
}

/** Labels by which OLM finds the objects of a package, and notices changes of roles. */
const labelsOfOlm = /^(operators\.coreos\.com\/|olm\.permissions\.hash$)/;

/** Keeps what distinguishes states: names, labels, rules, phases and conditions without their messages. */
function normalize({ kind, metadata, ...content }: KubeObject & Record<string, any>, namespace: string): object {
  const { spec = {}, status = {}, rules, subjects } = content;
  const { name = "", labels = {}, annotations = {} } = metadata;
  const phases = (status.conditions ?? []).map((each: any) =>
    [each.type, each.phase, each.status, each.reason].filter(Boolean).join(" | "),
  );
  const parts: Record<string, unknown> = {
    kind,
    name,
    ...(kind !== "ServiceAccount" && {
      labels: Object.keys(labels)
        .filter((label) => !labelsOfOlm.test(label))
        .toSorted(),
    }),
    ...(kind === "ClusterServiceVersion" && {
      annotations: Object.keys(annotations).toSorted(),
      phases: withoutRepeats(phases.filter(isObserved)),
      requirements: status.requirementStatus?.map(requirement),
    }),
    ...(kind === "InstallPlan" && {
      spec: { ...spec, generation: undefined },
      phase: status.phase,
      steps: status.plan?.map(({ resource, status: state }: any) => `${resource.kind} ${resource.name} ${state}`),
      phases,
    }),
    ...(kind === "Subscription" && {
      spec,
      state: status.state,
      current: status.currentCSV,
      installed: status.installedCSV,
      // OLM keeps them in no order.
      phases: phases.toSorted(),
    }),
    ...(kind === "CatalogSource" && { state: status.connectionState?.lastObservedState }),
    ...(kind === "OperatorGroup" && {
      spec,
      namespaces: status.namespaces,
      conditions: status.conditions && phases,
    }),
    ...(kind === "OperatorCondition" && { spec: { ...spec, serviceAccounts: [...new Set(spec.serviceAccounts)] } }),
    ...(kind === "Deployment" && {
      template: Object.keys(spec.template.metadata.annotations ?? {}).toSorted(),
      env: spec.template.spec.containers[0].env,
      revisionHistoryLimit: spec.revisionHistoryLimit,
    }),
    ...(content["webhooks"] && { webhooks: content["webhooks"].map(({ name }: any) => name) }),
    ...(kind === "Secret" && { type: content["type"], keys: Object.keys(content["data"] ?? {}).toSorted() }),
    ...(metadata.namespace !== undefined && metadata.namespace !== namespace && { namespace: metadata.namespace }),
    ...(metadata.namespace !== namespace && {
      owners: metadata.ownerReferences?.map((each) => `${each.kind} ${each.name}`),
    }),
    ...(rules && { rules }),
    ...(subjects && { subjects: [...new Set(subjects.map((each: any) => JSON.stringify(each)))] }),
  };
  const text = JSON.stringify(parts, undefined, 1)
    .replaceAll(namespace, "{ns}")
    .replace(/(install-|kb\.io-)[a-z0-9]{5}\b/g, "$1<suffix>")
    .replace(/([\w.]+?)(-[a-z]{0,4})?-[0-9a-zA-Z]{37,40}\b/g, "$1$2-<hash>");
  return JSON.parse(text);
}

/** Returns a requirement as text, with the states of its rules. */
function requirement({ kind, name, status, dependents = [] }: any): string {
  const states = new Set(dependents.map((each: any) => each.status));
  return [kind, name, status, ...[...states].toSorted()].join(" ");
}

function withoutRepeats(texts: readonly string[]): string[] {
  return texts.filter((text, index) => text !== texts[index - 1]);
}
