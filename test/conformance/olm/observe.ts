import type { Kind } from "../../../src/apimachinery/kind.ts";
import type { KubeObject } from "../../../src/apimachinery/meta.ts";
import type { Client } from "../../../src/client/client.ts";
import { CustomResourceDefinition } from "../../../src/manifests/install-crds.ts";
import {
  CatalogSourceKind,
  CsvKind,
  InstallPlanKind,
  OlmConfigKind,
  OperatorConditionKind,
  OperatorGroupKind,
  OperatorKind,
  SubscriptionKind,
} from "../../../src/manifests/olm-kinds.ts";
import { webhookConfigurationKinds } from "../../../src/sandbox/webhooks/webhook-kinds.ts";
import { disabledCopies } from "../../../src/sandbox/olm/csv-copying.ts";
import {
  DeploymentKind,
  EventKind,
  ServiceAccountKind,
  SecretKind,
} from "../../../src/sandbox/simulation/context/simulated-kinds.ts";
import {
  ClusterRoleBindingKind,
  ClusterRoleKind,
  RoleBindingKind,
  RoleKind,
} from "../../../src/sandbox/olm/account-rules.ts";
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
  const ofKinds = (await shown(client, ClusterRoleKind, {})).filter(({ metadata }) => metadata.name?.includes(group));
  const operators = (await shown(client, OperatorKind, {})).filter((each) => each.metadata.name?.endsWith(namespace));
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
  // Only if a scenario has set it: its condition depends on all other CSVs.
  const configured = (await shown(client, OlmConfigKind, {})).filter((config) => "spec" in config);
  const events = await shown(client, EventKind, { namespace, fields: { reason: disabledCopies } });
  return [...own, ...copies, ...clusterWide, ...ofKinds, ...operators, ...webhooks, secrets, crds, configured, events]
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
  return !isDefaultAccount && !isLabelOfLostRole(object);
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

/** Keeps what tells states apart: names, labels, rules, phases, conditions. */
function normalize({ kind, metadata, ...content }: KubeObject & Record<string, any>, namespace: string): object {
  const { spec = {}, status = {}, rules, subjects, aggregationRule } = content;
  const { name = "", labels = {}, annotations = {} } = metadata;
  const phases = (status.conditions ?? []).map((each: any) =>
    [each.type, each.phase, each.status, each.reason, each.message].filter(Boolean).join(" | "),
  );
  const parts: Record<string, unknown> = {
    kind,
    name,
    labels: Object.keys(labels).toSorted(),
    ...(kind === "ClusterServiceVersion" && {
      annotations: Object.keys(annotations).toSorted(),
      phases: withoutRepeats(phases.filter(isObserved)),
      requirements: status.requirementStatus?.map((each: any) => ({ ...each, uuid: undefined })),
    }),
    ...(kind === "InstallPlan" && {
      spec: { ...spec, generation: undefined },
      phase: status.phase,
      message: status.message || undefined,
      account: status.attenuatedServiceAccountRef?.name,
      steps: status.plan?.map(({ resource, status: state }: any) => `${resource.kind} ${resource.name} ${state}`),
      phases,
    }),
    ...(kind === "Subscription" && {
      spec,
      state: status.state,
      current: status.currentCSV,
      installed: status.installedCSV,
      phases,
    }),
    ...(kind === "CatalogSource" && { state: status.connectionState?.lastObservedState }),
    ...(kind === "OperatorGroup" && {
      spec,
      annotations: annotations["olm.providedAPIs"],
      namespaces: status.namespaces,
      account: status.serviceAccountRef?.name,
      conditions: status.conditions && phases,
    }),
    ...(kind === "OperatorCondition" && { spec: { ...spec, serviceAccounts: [...new Set(spec.serviceAccounts)] } }),
    ...(kind === "Deployment" && {
      template: Object.keys(spec.template.metadata.annotations ?? {}).toSorted(),
      env: spec.template.spec.containers[0].env,
      revisionHistoryLimit: spec.revisionHistoryLimit,
    }),
    ...(kind === "OLMConfig" && { spec, phases }),
    ...(kind === "Event" && {
      name: content["involvedObject"].name,
      text: [content["type"], content["reason"], content["message"]].join(" | "),
      source: content["source"].component,
    }),
    ...(content["webhooks"] && { webhooks: content["webhooks"].map(({ name }: any) => name) }),
    ...(kind === "Secret" && { type: content["type"], keys: Object.keys(content["data"] ?? {}).toSorted() }),
    ...(kind === "Operator" && { selector: status.components?.labelSelector, components: componentsOf(status) }),
    ...(metadata.namespace !== undefined && metadata.namespace !== namespace && { namespace: metadata.namespace }),
    ...(metadata.namespace !== namespace && {
      owners: metadata.ownerReferences?.map((each) => `${each.kind} ${each.name}`),
    }),
    ...(aggregationRule && { aggregates: aggregationRule.clusterRoleSelectors }),
    ...(rules && { rules }),
    ...(subjects && { subjects: [...new Set(subjects.map((each: any) => JSON.stringify(each)))] }),
  };
  const text = JSON.stringify(parts, undefined, 1)
    .replaceAll(namespace, "{ns}")
    // The embedded server says so in its version.
    .replaceAll("+tsop", "")
    .replace(/(install-|kb\.io-)[a-z0-9]{5}\b/g, "$1<suffix>")
    .replace(/([\w.]+?)(-[a-z]{0,4})?-[0-9a-zA-Z]{37,40}\b/g, "$1$2-<hash>");
  return JSON.parse(text);
}

/** The hashes in their names would order them otherwise in each run. */
function componentsOf({ components }: { components?: { refs?: any[] } }): string[] {
  const refs = components?.refs ?? [];
  return refs.map(({ kind, apiVersion, namespace, name, conditions = [] }) =>
    [kind, apiVersion, namespace, name, ...conditions.map((each: any) => `${each.type}=${each.status}`)]
      .filter(Boolean)
      .join(" "),
  );
}

function withoutRepeats(texts: readonly string[]): string[] {
  return texts.filter((text, index) => text !== texts[index - 1]);
}
