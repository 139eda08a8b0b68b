import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import type { Bundle } from "../../bundle/bundle.ts";
import { compareSemver, parseSemver, parseTolerantSemver, type Semver } from "../../semver.ts";
import type { Report, Rule, RuleOptions } from "../finding.ts";

/** Reports APIs that a version of Kubernetes no longer serves. */
export const checkRemovedApis: Rule = (bundle, report, options) => {
  const name = bundle.csv.metadata.name ?? "";
  const target = readVersion(options["k8s-version"], parseTolerantSemver, () => {
    const detail = "the optional value k8s-version must be a version, as in 1.25";
    report("error", "k8s-version", detail, { value: options["k8s-version"]! });
  });
  const oldest = readVersion(bundle.csv.spec.minKubeVersion, parseSemver, () => {});
  if (target === "invalid") return;
  for (const removal of removals) {
    const found = findUses(bundle, removal);
    const at = parseTolerantSemver(removal.version)!;
    const isReached = [target, oldest].some(
      (version) => typeof version === "object" && compareSemver(version, at) >= 0,
    );
    if (found.size > 0) {
      const uses = [...found].map(([kind, names]) => `${kind}: (${JSON.stringify(names)})`).join(", ");
      const detail = `uses APIs that Kubernetes ${removal.version} removed: ${uses}`;
      report(isReached ? "error" : "warning", `removed-${removal.version}`, detail, { value: name });
    }
  }
  checkPolicyRules(bundle, report);
};

interface Removal {
  readonly version: string;
  /** Each as `apiVersion Kind`. */
  readonly apis: readonly string[];
  /** True if kinds in a CRD's description count, too. */
  readonly inDescriptions?: boolean;
}

function apis(apiVersion: string, kinds: string): string[] {
  return kinds.split(" ").map((kind) => `${apiVersion} ${kind}`);
}

const removals: readonly Removal[] = [
  {
    version: "1.22",
    apis: [
      ...apis("apiextensions.k8s.io/v1beta1", "CustomResourceDefinition"),
      ...apis("scheduling.k8s.io/v1beta1", "PriorityClass"),
      ...apis("rbac.authorization.k8s.io/v1beta1", "Role ClusterRole RoleBinding ClusterRoleBinding"),
      ...apis("apiregistration.k8s.io/v1beta1", "APIService"),
      ...apis("authentication.k8s.io/v1beta1", "TokenReview"),
      ...apis("authorization.k8s.io/v1beta1", "LocalSubjectAccessReview SelfSubjectAccessReview SubjectAccessReview"),
      ...apis("authorization.k8s.io/v1beta1", "SelfSubjectRulesReview"),
      ...apis("admissionregistration.k8s.io/v1beta1", "MutatingWebhookConfiguration ValidatingWebhookConfiguration"),
      ...apis("coordination.k8s.io/v1beta1", "Lease"),
      ...apis("extensions/v1beta1", "Ingress"),
      ...apis("networking.k8s.io/v1beta1", "Ingress IngressClass"),
      ...apis("storage.k8s.io/v1beta1", "CSIDriver CSINode StorageClass VolumeAttachment"),
      ...apis("certificates.k8s.io/v1beta1", "CertificateSigningRequest"),
    ],
  },
  {
    version: "1.25",
    inDescriptions: true,
    apis: [
      ...apis("batch/v1beta1", "CronJob"),
      ...apis("discovery.k8s.io/v1beta1", "EndpointSlice"),
      ...apis("events.k8s.io/v1beta1", "Event"),
      ...apis("autoscaling/v2beta1", "HorizontalPodAutoscaler"),
      ...apis("policy/v1beta1", "PodDisruptionBudget PodSecurityPolicy"),
      ...apis("node.k8s.io/v1beta1", "RuntimeClass"),
    ],
  },
  { version: "1.26", apis: apis("autoscaling/v2beta2", "HorizontalPodAutoscaler") },
];

function readVersion(
  text: string | number | undefined,
  parse: (text: string) => Semver | undefined,
  refuse: () => void,
): Semver | "invalid" | undefined {
  if (!text) return undefined;
  const version = parse(String(text));
  if (!version) refuse();
  return version ?? "invalid";
}

/** Returns the names of objects that use removed APIs, by kind. */
function findUses({ objects, csv }: Bundle, removal: Removal): Map<string, string[]> {
  const found = new Map<string, string[]>();
  const add = (kind: string, name: string): void => void found.set(kind, [...(found.get(kind) ?? []), name]);
  for (const object of objects)
    if (removal.apis.includes(apiOf(object))) add(object.kind ?? "", object.metadata.name ?? "");
  if (!removal.inDescriptions) return found;
  const { owned = [], required = [] } = csv.spec.customresourcedefinitions ?? {};
  for (const [where, entries] of Object.entries({ owned, required })) {
    for (const [index, { resources = [] }] of entries.entries()) {
      for (const [at, { kind, version }] of resources.entries()) {
        const place = `spec.customresourcedefinitions.${where}[${index}].resources[${at}]`;
        if (removal.apis.includes(`${version} ${kind}`)) add(kind, place);
      }
    }
  }
  return found;
}

function apiOf({ apiVersion, kind }: UnstructuredObject): string {
  return `${apiVersion} ${kind}`;
}

/** Checks policy rules: only these plurals are certain, newer versions serve the others, too. */
function checkPolicyRules({ csv }: Bundle, report: Report): void {
  const { permissions = [], clusterPermissions = [] } = csv.spec.install?.spec ?? {};
  const rules = [...permissions, ...clusterPermissions].flatMap(({ rules }) => rules);
  const uses = rules.some(
    ({ apiGroups = [], resources = [] }) => apiGroups.includes("policy") && resources.includes("podsecuritypolicies"),
  );
  if (!uses) return;
  const detail = "requests permissions on podsecuritypolicies, which Kubernetes 1.25 removed";
  report("warning", "removed-1.25", detail, { value: csv.metadata.name ?? "" });
}

/**
 * Checks the upper version limit: OpenShift 4.9 is Kubernetes 1.22, and a bundle that uses APIs removed there must
 * exclude it.
 */
export const checkCommunity: Rule = async (bundle, report, options) => {
  const found = new Set<string>();
  await checkRemovedApis(bundle, (_level, rule) => void found.add(rule), {});
  if (!found.has("removed-1.22")) return;
  checkProperty(bundle, report);
  checkIndex(options, report);
};

function checkProperty({ csv }: Bundle, report: Report): void {
  const error = (detail: string): void => report("error", "community", detail, { field: "olm.maxOpenShiftVersion" });
  const text = csv.metadata.annotations?.["olm.properties"];
  if (text === undefined)
    return error("must be set below 4.9 in the annotation olm.properties: the bundle uses APIs removed in 1.22");
  let properties: unknown;
  try {
    properties = JSON.parse(text);
  } catch {
    return error("the annotation olm.properties is not JSON");
  }
  const list = Array.isArray(properties) ? (properties as { type?: string; value?: string | number }[]) : [];
  const value = list.find(({ type }) => type === "olm.maxOpenShiftVersion")?.value;
  if (value === undefined) return error("is not in the annotation olm.properties");
  const version = parseTolerantSemver(String(value));
  if (!version) return error(`${JSON.stringify(value)} is not a version`);
  if (version.major > 4 || version.minor >= 9) error(`${String(value)} must be below 4.9`);
}

function checkIndex({ indexDockerfile }: RuleOptions, report: Report): void {
  const field = "com.redhat.openshift.versions";
  if (indexDockerfile === undefined) {
    const detail = "cannot be checked: give the index image's Dockerfile with --optional-values=index-path=FILE";
    return report("warning", "community-index", detail, { field });
  }
  const label = /com\.redhat\.openshift\.versions\s*=\s*"?([^"\s]+)/.exec(indexDockerfile)?.[1];
  const error = (detail: string): void => report("error", "community-index", detail, { field });
  if (!label) return error("is not a label of the index image");
  const last = /^=?v?(?:\d+\.\d+-v?)?(\d+)\.(\d+)$/.exec(label);
  if (!last || Number(last[1]) > 4 || Number(last[2]) >= 9) error(`${label} must end below 4.9, as in v4.6-v4.8`);
}
