import { childIf, fill, textOf } from "../../../apimachinery/fields.ts";
import type { Condition, UnstructuredObject } from "../../../apimachinery/meta.ts";
import { invalid } from "../../../apimachinery/field-error.ts";
import type { BuiltinKind } from "../builtin-kind.ts";
import { textAt, valueAt } from "../printing/field-access.ts";
import { printer } from "../printing/printer.ts";
import { type FieldRule, fieldRules, maximum, minimum, must, required } from "../rules/field-rules.ts";
import { dns1035Errors, dnsSubdomainErrors } from "../rules/name-errors.ts";

/** The part of an APIService that the server reads. */
export interface ApiService extends UnstructuredObject {
  spec?: ApiServiceSpec;
  status?: { conditions?: Condition[] };
}

export interface ApiServiceSpec {
  group?: string;
  version?: string;
  service?: { namespace: string; name: string; port: number };
  /** PEM text in base64. */
  caBundle?: string;
  insecureSkipTLSVerify?: boolean;
  groupPriorityMinimum?: number;
  versionPriority?: number;
}

/** Label of the APIServices that the server creates itself. */
export const automanagedLabel = "kube-aggregator.kubernetes.io/automanaged";

/** APIService. The aggregator writes the condition of those with a service. */
export const apiService: BuiltinKind = {
  takesAnyFinalizer: true,
  nameRule: "path",
  applyDefaults(object) {
    const service = childIf(childIf(object, "spec"), "service");
    if (service) fill(service, { port: 443 });
  },
  prepareCreate(object, { now }) {
    object["status"] = isLocal(object) ? { conditions: [localCondition(now())] } : {};
  },
  validate: (object) => errors({ spec: {}, ...object }),
  seeds: (now, isServed) =>
    Object.entries(priorities).flatMap((group) => (isServed(group[0]) ? seedsOf(group, now) : [])),
  printer: printer(
    "Service|Available|Age",
    (object) => [
      valueAt(object, "spec", "service")
        ? `${textAt(object, "spec", "service", "namespace")}/${textAt(object, "spec", "service", "name")}`
        : "Local",
      availability(object as ApiService),
    ],
    {
      Service: "The reference to the service that hosts this API endpoint.",
      Available: "Whether this service is available.",
    },
  ),
};

/** Creates an APIService of a version that this server serves itself. */
export function localApiService(
  { group, version }: { readonly group: string; readonly version: string },
  { managed, priority }: { readonly managed: "onstart" | "true"; readonly priority: readonly [number, number] },
  now: string,
): ApiService {
  const [groupPriorityMinimum, versionPriority] = priority;
  return {
    kind: "APIService",
    apiVersion: "apiregistration.k8s.io/v1",
    metadata: { name: `${version}.${group}`, labels: { [automanagedLabel]: managed } },
    spec: { ...(group && { group }), version, groupPriorityMinimum, versionPriority },
    status: { conditions: [localCondition(now)] },
  };
}

/** The priority of each built-in group, and of its versions, as on a real server. */
const priorities: Readonly<Record<string, readonly [group: number, versions: Readonly<Record<string, number>>]>> = {
  "": [18_000, { v1: 1 }],
  "admissionregistration.k8s.io": [16_700, { v1: 15 }],
  "apiextensions.k8s.io": [16_700, { v1: 15 }],
  apps: [17_800, { v1: 15 }],
  "authentication.k8s.io": [17_700, { v1: 15 }],
  "authorization.k8s.io": [17_600, { v1: 15 }],
  autoscaling: [17_500, { v1: 15, v2: 30 }],
  batch: [17_400, { v1: 15 }],
  "certificates.k8s.io": [17_300, { v1: 15 }],
  "coordination.k8s.io": [16_500, { v1: 15 }],
  "discovery.k8s.io": [16_200, { v1: 15 }],
  "events.k8s.io": [17_750, { v1: 15 }],
  "networking.k8s.io": [17_200, { v1: 15 }],
  "node.k8s.io": [16_300, { v1: 15 }],
  policy: [17_100, { v1: 15 }],
  "rbac.authorization.k8s.io": [17_000, { v1: 15 }],
  "resource.k8s.io": [16_200, { v1: 21 }],
  "scheduling.k8s.io": [16_600, { v1: 15 }],
  "storage.k8s.io": [16_800, { v1: 15 }],
  "storagemigration.k8s.io": [15_800, { v1: 15 }],
};

/** The priority of the groups of custom resources. */
const customPriority = 1_000;
/** The group of the APIServices comes first. */
const highestPriority = 20_000;

/** Returns the priority of a group in discovery. */
export function groupPriority(group: string): number {
  if (group === "apiregistration.k8s.io") return highestPriority;
  return priorities[group]?.[0] ?? customPriority;
}

function seedsOf([group, [priority, versions]]: [string, (typeof priorities)[string]], now: string): ApiService[] {
  return Object.entries(versions).map(([version, versionPriority]) =>
    localApiService({ group, version }, { managed: "onstart", priority: [priority, versionPriority] }, now),
  );
}

function localCondition(lastTransitionTime: string): Condition {
  const message = "Local APIServices are always available";
  return { type: "Available", status: "True", lastTransitionTime, reason: "Local", message };
}

function isLocal(object: UnstructuredObject): boolean {
  return !childIf(childIf(object, "spec"), "service");
}

function availability({ status }: ApiService): string {
  const condition = status?.conditions?.find(({ type }) => type === "Available");
  if (!condition) return "Unknown";
  return condition.status === "True" ? "True" : `${condition.status} (${condition.reason})`;
}

const positive = (most: number): readonly FieldRule[] => [required(), minimum(1), maximum(most)];

const errors = fieldRules({
  metadata: (metadata, at, { spec }) => {
    const { version = "", group = "" } = (spec ?? {}) as ApiServiceSpec;
    const name = `${version}.${group}`;
    return textAt(metadata, "name") === name
      ? []
      : [invalid(`${at}.name`, textAt(metadata, "name"), `must be ${name}`)];
  },
  spec: {
    group: (group, at, { version }) => (!group && version === "v1" ? [] : dnsSubdomainErrors(at, textOf(group))),
    version: (version, at) => dns1035Errors(at, textOf(version)),
    groupPriorityMinimum: positive(highestPriority),
    versionPriority: positive(1_000),
    service: { "(namespace|name)": required(), port: positive(65_535) },
    caBundle: must((bundle, { service }) => !bundle || Boolean(service), "is not for local APIServices"),
    insecureSkipTLSVerify: must(
      (isInsecure, { service, caBundle }) => !isInsecure || Boolean(service && !caBundle),
      "has no use here",
    ),
  },
});
