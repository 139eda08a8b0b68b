import { isObject } from "../../apimachinery/is-object.ts";
import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import type { ServedResource } from "../registry/served-resource.ts";
import type { BuiltinKind } from "./builtin-kind.ts";

const ofPods = [
  ...["containers", "initContainers", "ephemeralContainers"].map((list) => `${list}.lifecycle?.stopSignal`),
  "schedulingGroup",
  "volumes.projected.sources.clusterTrustBundle",
  "volumes.projected.sources.podCertificate",
];

const containerStatuses = ["containerStatuses", "initContainerStatuses", "ephemeralContainerStatuses"];
const template = ofPods.map((path) => `spec.template.spec.${path}`);
const attributes = ["bools", "ints", "strings", "versions"];

/**
 * Fields of features that a server does not enable by default. A path leads through lists, and `*` through the values
 * of a map. A `?` marks an object that goes with its last field.
 */
const disabledFields: Readonly<Record<string, readonly string[]>> = {
  Pod: [
    ...ofPods.map((path) => `spec.${path}`),
    ...containerStatuses.map((list) => `status.${list}.volumeMounts.volumeStatus`),
    "status.nodeAllocatableResourceClaimStatuses",
  ],
  Node: ["spec.configSource", "status.config"],
  PodTemplate: ofPods.map((path) => `template.spec.${path}`),
  ReplicationController: template,
  "apps/DaemonSet": template,
  "apps/Deployment": template,
  "apps/ReplicaSet": template,
  "apps/StatefulSet": [...template, "spec.updateStrategy.rollingUpdate.maxUnavailable"],
  "batch/CronJob": template.map((path) => `spec.jobTemplate.${path}`),
  "batch/Job": template,
  "coordination.k8s.io/Lease": ["spec.preferredHolder", "spec.strategy"],
  "resource.k8s.io/ResourceSlice": [
    ...attributes.map((type) => `spec.devices.attributes.*.${type}`),
    "spec.devices.nodeAllocatableResourceMappings",
  ],
  "storage.k8s.io/CSIDriver": ["spec.preventPodSchedulingIfMissing"],
};

/** Returns a kind whose objects lose the fields of disabled features without a word, unless they had them before. */
export function withoutDisabledFields(kind: BuiltinKind, resource: ServedResource): BuiltinKind {
  const paths = disabledFields[resource.group ? `${resource.group}/${resource.kind}` : resource.kind];
  if (!paths) return kind;
  const split = paths.map((path) => path.split("."));
  const drop = (object: UnstructuredObject, old?: UnstructuredObject): void => {
    for (const path of split) if (uses(object, path) && !uses(old, path)) remove(object, path);
  };
  return {
    ...kind,
    prepareCreate(object, context) {
      kind.prepareCreate?.(object, context);
      drop(object);
    },
    prepareUpdate(object, old, context) {
      kind.prepareUpdate?.(object, old, context);
      drop(object, old);
    },
    prepareStatusUpdate(object, old, context) {
      kind.prepareStatusUpdate?.(object, old, context);
      drop(object, old);
    },
  };
}

function uses(value: unknown, path: readonly string[]): boolean {
  const [step = "", ...rest] = path;
  if (Array.isArray(value)) return value.some((item) => uses(item, path));
  if (!isObject(value)) return false;
  if (step === "*") return uses(Object.values(value), rest);
  const field = value[nameOf(step)];
  return rest.length > 0 ? uses(field, rest) : field !== undefined;
}

function remove(value: unknown, path: readonly string[]): void {
  const [step = "", ...rest] = path;
  if (Array.isArray(value)) for (const item of value) remove(item, path);
  if (!isObject(value) || !uses(value, path)) return;
  const name = nameOf(step);
  if (step === "*") remove(Object.values(value), rest);
  else if (rest.length === 0) delete value[name];
  else {
    remove(value[name], rest);
    if (step !== name && Object.keys(value[name] as object).length === 0) delete value[name];
  }
}

function nameOf(step: string): string {
  return step.endsWith("?") ? step.slice(0, -1) : step;
}
