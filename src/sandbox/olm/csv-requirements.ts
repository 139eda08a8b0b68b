import type { SimulationContext } from "../simulation/context/simulation-context.ts";
import { rulesNotHeld } from "../../apiserver/access/check-escalation.ts";
import { isConditionTrue } from "../../apimachinery/conditions.ts";
import type { Condition } from "../../apimachinery/meta.ts";
import type { Client } from "../../client/client.ts";
import { CustomResourceDefinition } from "../../client/manifests/install-crds.ts";
import type {
  CsvObject,
  PolicyRule,
  RequirementStatus,
  DeploymentSpec,
  WebhookDescription,
} from "../../client/manifests/olm-kinds.ts";
import {
  ClusterRoleBindingKind,
  ClusterRoleKind,
  RoleBindingKind,
  RoleKind,
  ServiceAccountKind,
  type Deployment,
} from "../simulation/context/simulated-kinds.ts";
import type { ClusterRoleBinding, RoleBinding } from "../../k8s/rbac/v1.ts";
import { accountNames, hashOf, ownerLabels, ownerReference } from "./owned-names.ts";

/** Prefix of the annotations of a CRD that name the CSVs with which it was installed. */
export const alongsideAnnotation = "operatorframework.io/installed-alongside-";

/** Returns the requirements of a CSV, and whether each is met, as its status shows them. */
export async function checkRequirements(
  { kubernetesVersion }: Pick<SimulationContext, "kubernetesVersion">,
  client: Client,
  csv: CsvObject,
): Promise<RequirementStatus[]> {
  const { owned = [], required = [] } = csv.spec.customresourcedefinitions ?? {};
  const crds = await Promise.all(
    [...owned, ...required].map((each) => checkCrd(client, each, owned.includes(each) ? csv : undefined)),
  );
  return [...checkServer(csv, kubernetesVersion), ...crds, ...(await checkAccounts(client, csv))];
}

export function isMet({ status, dependents = [] }: RequirementStatus): boolean {
  return status === "Present" && dependents.every((each) => each.status === "Satisfied");
}

function checkServer({ metadata, spec }: CsvObject, kubernetesVersion: string): RequirementStatus[] {
  if (!spec.minKubeVersion) return [];
  const { name = "" } = metadata;
  const about = { group: "operators.coreos.com", version: "v1alpha1", kind: "ClusterServiceVersion", name };
  const of = (text: string): number[] => text.split(/[-+]/)[0]!.split(".").map(Number);
  const text = spec.minKubeVersion.replace(/^v/, "");
  if (!/^\d+\.\d+\.\d+([-+].+)?$/.test(text))
    return [{ ...about, status: "PresentNotSatisfied", message: "CSV version parsing error" }];
  const [wanted, served] = [of(text), of(kubernetesVersion)];
  const difference = wanted.map((part, index) => part - (served[index] ?? 0)).find((each) => each !== 0) ?? 0;
  const message = `minKubeVersion ${spec.minKubeVersion}, server version ${kubernetesVersion}`;
  return [{ ...about, status: difference > 0 ? "PresentNotSatisfied" : "Present", message }];
}

async function checkCrd(
  client: Client,
  { name, version }: { name: string; version: string },
  owner: CsvObject | undefined,
): Promise<RequirementStatus> {
  const requirement = { group: "apiextensions.k8s.io", version: "v1", kind: "CustomResourceDefinition", name };
  const crd = await client.getOrUndefined(CustomResourceDefinition, { name });
  if (!crd) return { ...requirement, status: "NotPresent", message: "CRD is not present" };
  const alongside = Object.entries(crd.metadata.annotations ?? {}).flatMap(([key, value]) =>
    key.startsWith(alongsideAnnotation) ? [value] : [],
  );
  const isOwn = alongside.includes(`${owner?.metadata.namespace}/${owner?.metadata.name}`);
  if (owner && alongside.length > 0 && !isOwn) {
    const message = `CRD installed alongside other CSV(s): ${alongside.toSorted().join(", ")}`;
    return { ...requirement, status: "PresentNotSatisfied", message };
  }
  const { versions } = crd["spec"] as { versions: { name: string; served: boolean }[] };
  if (!versions.some((each) => each.name === version && each.served))
    return { ...requirement, status: "NotPresent", message: "CRD version not served" };
  const { conditions = [] } = (crd["status"] ?? {}) as { conditions?: Condition[] };
  if (!isConditionTrue(conditions, "Established") || !isConditionTrue(conditions, "NamesAccepted")) {
    const message = "CRD is present but the Established condition is False (not available)";
    return { ...requirement, status: "PresentNotSatisfied", message };
  }
  const uuid = crd.metadata.uid ?? "";
  return { ...requirement, status: "Present", uuid, message: "CRD is present and Established condition is true" };
}

async function checkAccounts(client: Client, csv: CsvObject): Promise<RequirementStatus[]> {
  const { permissions = [], clusterPermissions = [] } = csv.spec.install?.spec ?? {};
  const { namespace = "", name: csvName = "" } = csv.metadata;
  const rulesFor = (list: typeof permissions, account: string): PolicyRule[] =>
    list.filter((each) => each.serviceAccountName === account).flatMap(({ rules }) => rules);
  const checks = accountNames(csv).map(async (name): Promise<RequirementStatus> => {
    const requirement = { group: "", version: "v1", kind: "ServiceAccount", name };
    const account = await client.getOrUndefined(ServiceAccountKind, { namespace, name });
    if (!account) return { ...requirement, status: "NotPresent", message: "Service account does not exist" };
    const owners = (account.metadata.ownerReferences ?? []).filter(({ kind }) => kind === "ClusterServiceVersion");
    if (owners.length > 0 && !owners.some((owner) => owner.name === csvName)) {
      const message = "Service account is owned by another ClusterServiceVersion";
      return { ...requirement, status: "PresentNotSatisfied", message };
    }
    const granted = await rulesOfAccount(client, { namespace, name });
    const dependent = (rule: PolicyRule, kind: "namespaced" | "cluster") => {
      const missing = rulesNotHeld(kind === "cluster" ? granted.cluster : granted.all, [rule]);
      return {
        group: "rbac.authorization.k8s.io",
        version: "v1",
        kind: "PolicyRule",
        status: missing.length === 0 ? "Satisfied" : "NotSatisfied",
        message: `${kind} rule:${JSON.stringify(rule)}`,
      };
    };
    const dependents = [
      ...rulesFor(permissions, name).map((rule) => dependent(rule, "namespaced")),
      ...rulesFor(clusterPermissions, name).map((rule) => dependent(rule, "cluster")),
    ];
    const isSatisfied = dependents.every(({ status }) => status === "Satisfied");
    const message = isSatisfied ? "" : "Policy rule not satisfied for service account";
    return { ...requirement, status: isSatisfied ? "Present" : "PresentNotSatisfied", message, dependents };
  });
  return Promise.all(checks);
}

/** The rules that are granted to a service account. */
interface GrantedRules {
  /** In its own namespace. */
  readonly all: readonly PolicyRule[];
  readonly cluster: readonly PolicyRule[];
}

/** Returns the rules that are granted to a service account by its bindings. */
async function rulesOfAccount(
  client: Client,
  { namespace, name }: { readonly namespace: string; readonly name: string },
): Promise<GrantedRules> {
  const isBound = ({ metadata, subjects = [] }: RoleBinding | ClusterRoleBinding): boolean =>
    subjects.some(
      (each) =>
        each.kind === "ServiceAccount" &&
        each.name === name &&
        (each.namespace ?? metadata.namespace ?? namespace) === namespace,
    );
  const [own, everywhere] = await Promise.all([
    client.list(RoleBindingKind, { namespace }),
    client.list(ClusterRoleBindingKind),
  ]);
  const rulesOf = async ({ roleRef }: RoleBinding | ClusterRoleBinding): Promise<PolicyRule[]> => {
    const role =
      roleRef.kind === "Role"
        ? await client.getOrUndefined(RoleKind, { namespace, name: roleRef.name })
        : await client.getOrUndefined(ClusterRoleKind, { name: roleRef.name });
    return role?.rules ?? [];
  };
  const cluster = (await Promise.all(everywhere.items.filter(isBound).map(rulesOf))).flat();
  const local = (await Promise.all(own.items.filter(isBound).map(rulesOf))).flat();
  return { cluster, all: [...cluster, ...local] };
}

/** Returns the deployments of a CSV as OLM creates them: with its annotations, and the certificates of webhooks. */
export function csvDeployments(csv: CsvObject, authorities: ReadonlyMap<string, string | undefined>): Deployment[] {
  const { metadata, spec } = csv;
  return (spec.install?.spec?.deployments ?? []).map(({ name, label, spec: wanted }) => {
    const webhooks = (spec.webhookdefinitions ?? []).filter(({ deploymentName }) => deploymentName === name);
    const content = completeSpec(wanted, csv, { webhook: webhooks[0], authority: authorities.get(name) });
    return {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: {
        name,
        ...(metadata.namespace !== undefined && { namespace: metadata.namespace }),
        labels: { ...label, ...ownerLabels(csv), "olm.deployment-spec-hash": hashOf(content) },
        ownerReferences: [ownerReference(csv)],
      },
      spec: content,
    } as unknown as Deployment;
  });
}

/** Name of the secret with the certificate of the webhooks of a deployment. */
export function certificateSecret(deployment: string): string {
  return `${serviceName(deployment)}-cert`;
}

/** Name of the service of the webhooks of a deployment. */
export function serviceName(deployment: string): string {
  return `${deployment.replaceAll(".", "-")}-service`;
}

/** Volumes of the certificate, with its paths in the container and in the volume. */
const certificateVolumes = [
  {
    name: "apiservice-cert",
    mountPath: "/apiserver.local.config/certificates",
    files: ["apiserver.crt", "apiserver.key"],
  },
  { name: "webhook-cert", mountPath: "/tmp/k8s-webhook-server/serving-certs", files: ["tls.crt", "tls.key"] },
] as const;

function completeSpec(
  spec: DeploymentSpec,
  { metadata }: CsvObject,
  { webhook, authority }: { readonly webhook: WebhookDescription | undefined; readonly authority: string | undefined },
): DeploymentSpec {
  const { template } = spec;
  const volumes = webhook ? certificateVolumes : [];
  const names = new Set<string>(volumes.map(({ name }) => name));
  const condition = { name: "OPERATOR_CONDITION_NAME", value: metadata.name ?? "" };
  const { containers, volumes: own = [] } = template.spec;
  const secretName = certificateSecret(webhook?.deploymentName ?? "");
  return {
    revisionHistoryLimit: 1,
    ...spec,
    template: {
      ...template,
      metadata: {
        ...template.metadata,
        annotations: {
          ...template.metadata?.annotations,
          ...metadata.annotations,
          ...(authority !== undefined && { olmcahash: hashOf(authority) }),
        },
      },
      spec: {
        ...template.spec,
        ...(volumes.length > 0 && {
          volumes: [
            ...own.filter((volume) => !names.has((volume as { name: string }).name)),
            ...volumes.map(({ name, files: [crt, key] }) => ({
              name,
              secret: {
                secretName,
                items: [
                  { key: "tls.crt", path: crt },
                  { key: "tls.key", path: key },
                ],
              },
            })),
          ],
        }),
        containers: containers.map((container) => ({
          ...container,
          env: [...(container.env ?? []).filter(({ name }) => name !== condition.name), condition],
          ...(volumes.length > 0 && {
            volumeMounts: [
              ...(container.volumeMounts ?? []).filter(({ name }) => !names.has(name)),
              ...volumes.map(({ name, mountPath }) => ({ name, mountPath })),
            ],
          }),
        })),
      },
    },
  };
}
