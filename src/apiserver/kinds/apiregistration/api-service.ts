import { childIf, fill, items } from "../../../apimachinery/fields.ts";
import type { Condition, UnstructuredObject } from "../../../apimachinery/meta.ts";
import type { BuiltinKind } from "../builtin-kind.ts";
import { textAt, valueAt } from "../printing/field-access.ts";
import { printer } from "../printing/printer.ts";

/** APIService. Services are not reachable, so one that names a service is never available, and its API is not served. */
export const apiService: BuiltinKind = {
  takesAnyFinalizer: true,
  nameRule: "path",
  applyDefaults(object) {
    const service = childIf(childIf(object, "spec"), "service");
    if (service) fill(service, { port: 443 });
  },
  prepareCreate(object, { now }) {
    object["status"] = { conditions: [availability(object, now())] };
  },
  seeds: (now, isServed) =>
    Object.entries(priorities).flatMap((group) => (isServed(group[0]) ? seedsOf(group, now) : [])),
  printer: printer("Service|Available|Age", (object) => {
    const service = valueAt(object, "spec", "service");
    const [condition = {}] = items(childIf(object, "status") ?? {}, "conditions");
    const status = textAt(condition, "status") || "Unknown";
    return [
      service ? `${textAt(service, "namespace")}/${textAt(service, "name")}` : "Local",
      status === "False" ? `False (${textAt(condition, "reason")})` : status,
    ];
  }),
};

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

function seedsOf([group, [priority, versions]]: [string, (typeof priorities)[string]], now: string) {
  return Object.entries(versions).map(([version, versionPriority]): UnstructuredObject => {
    const object = {
      kind: "APIService",
      apiVersion: "apiregistration.k8s.io/v1",
      metadata: { name: `${version}.${group}`, labels: { "kube-aggregator.kubernetes.io/automanaged": "onstart" } },
      spec: { ...(group && { group }), version, groupPriorityMinimum: priority, versionPriority },
    };
    return { ...object, status: { conditions: [availability(object, now)] } };
  });
}

function availability(object: UnstructuredObject, lastTransitionTime: string): Condition {
  if (!valueAt(object, "spec", "service")) {
    const message = "Local APIServices are always available";
    return { type: "Available", status: "True", lastTransitionTime, reason: "Local", message };
  }
  const message = "services are not reachable from this server";
  return { type: "Available", status: "False", lastTransitionTime, reason: "FailedDiscoveryCheck", message };
}
