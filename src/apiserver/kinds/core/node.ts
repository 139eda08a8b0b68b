import { type Fields, child, childIf, fill, items, textOf } from "../../../apimachinery/fields.ts";
import type { BuiltinKind } from "../builtin-kind.ts";
import { conditionOf, listAt, mapAt, textAt, valueAt } from "../printing/field-access.ts";
import { printer } from "../printing/printer.ts";
import { enumOf, fieldRules, format, required, unique } from "../rules/field-rules.ts";
import { labelKeyErrors } from "../rules/name-errors.ts";

/** Node. */
export const node: BuiltinKind = {
  // Pods may use the whole capacity, unless the node says otherwise.
  applyDefaults(node) {
    nameRangesTwice(childIf(node, "spec"));
    const status = childIf(node, "status");
    const capacity = childIf(status, "capacity");
    if (status && capacity) fill(status, { allocatable: capacity });
  },
  prepareCreate: (node) => taintUnready(child(node, "spec")),
  validate: (node) => taintErrors(childIf(node, "spec"), "metadata"),

  printer: printer(
    "Status|Roles|Age|Version|Internal-IP*|External-IP*|OS-Image*|Kernel-Version*|Container-Runtime*",
    (object) => [
      nodeStatus(object),
      nodeRoles(object),
      textAt(object, "status", "nodeInfo", "kubeletVersion"),
      nodeAddress(object, "InternalIP"),
      nodeAddress(object, "ExternalIP"),
      textAt(object, "status", "nodeInfo", "osImage") || "<unknown>",
      kernelOf(object),
      textAt(object, "status", "nodeInfo", "containerRuntimeVersion") || "<unknown>",
    ],
  ),
};

/** Keeps pods from a new node until it is ready, as an admission plugin does. */
function taintUnready(spec: Fields): void {
  const taint = { key: "node.kubernetes.io/not-ready", effect: "NoSchedule" };
  const taints = items(spec, "taints");
  if (!taints.some(({ key, effect }) => key === taint.key && effect === taint.effect))
    spec["taints"] = [...taints, taint];
}

/** Returns the errors of taints, whose fields Kubernetes names as those of metadata. */
const taintErrors = fieldRules({
  taints: unique("key", "effect"),
  "taints[]": {
    key: (key, at) => labelKeyErrors(at, textOf(key)),
    value: format("k8s-label-value"),
    effect: [required(), enumOf("NoSchedule", "PreferNoSchedule", "NoExecute")],
  },
});

/** Keeps the field of one range, which is older, and the list of ranges the same. If they differ, the older one counts. */
function nameRangesTwice(spec: Fields | undefined): void {
  const [range, [first]] = [spec?.["podCIDR"], (spec?.["podCIDRs"] ?? []) as unknown[]];
  if (!spec || range === first) return;
  if (range) spec["podCIDRs"] = [range];
  else spec["podCIDR"] = first;
}

function nodeStatus(object: Fields): string {
  const ready = conditionOf(object, "Ready");
  const status = ready ? (ready["status"] === "True" ? "Ready" : "NotReady") : "Unknown";
  return valueAt(object, "spec", "unschedulable") === true ? `${status},SchedulingDisabled` : status;
}

function nodeRoles(object: Fields): string {
  const prefix = "node-role.kubernetes.io/";
  const labels = mapAt(object, "metadata", "labels");
  const roles = Object.entries(labels).map(([key, value]) =>
    key.startsWith(prefix) ? key.slice(prefix.length) : key === "kubernetes.io/role" ? String(value) : "",
  );
  return [...new Set(roles.filter((role) => role !== ""))].sort().join(",") || "<none>";
}

function kernelOf(object: Fields): string {
  const architecture = textAt(object, "status", "nodeInfo", "architecture");
  const kernel = textAt(object, "status", "nodeInfo", "kernelVersion") || "<unknown>";
  return architecture === "" ? kernel : `${kernel} (${architecture})`;
}

function nodeAddress(object: Fields, type: string): string {
  const found = listAt(object, "status", "addresses").find((address) => address["type"] === type);
  return textAt(found, "address") || "<none>";
}
