import { type Fields, childIf, fill } from "../../../apimachinery/fields.ts";
import { forbidden } from "../../../apimachinery/schema/field-error.ts";
import type { BuiltinKind } from "../builtin-kind.ts";
import { conditionOf, listAt, mapAt, textAt, valueAt } from "../printing/field-access.ts";
import { creationAge } from "../printing/human-duration.ts";
import { printer } from "../printing/printer.ts";
import { immutable } from "../rules/immutable.ts";

/** Node. */
export const node: BuiltinKind = {
  unconditionalUpdate: true,
  bringsStatus: true,
  // Pods may use the whole capacity, unless the node says otherwise.
  applyDefaults(node) {
    const status = childIf(node, "status");
    const capacity = childIf(status, "capacity");
    if (status && capacity) fill(status, { allocatable: capacity });
  },
  validate: (node, old) =>
    textAt(old, "spec", "providerID") === ""
      ? []
      : immutable(node, old, ["spec.providerID"]).map(({ field }) => forbidden(field, keptProvider)),
  warn: (node) =>
    textAt(node, "spec", "externalID") === ""
      ? []
      : ["spec.externalID: this field is deprecated, and is unused by Kubernetes"],
  printer: printer(
    "Status|Roles|Age|Version|Internal-IP*|External-IP*|OS-Image*|Kernel-Version*|Container-Runtime*",
    (object, now) => [
      nodeStatus(object),
      nodeRoles(object),
      creationAge(object, now),
      textAt(object, "status", "nodeInfo", "kubeletVersion"),
      nodeAddress(object, "InternalIP"),
      nodeAddress(object, "ExternalIP"),
      textAt(object, "status", "nodeInfo", "osImage") || "<unknown>",
      textAt(object, "status", "nodeInfo", "kernelVersion") || "<unknown>",
      textAt(object, "status", "nodeInfo", "containerRuntimeVersion") || "<unknown>",
    ],
  ),
};

const keptProvider = 'node updates may not change providerID except from "" to valid';

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

function nodeAddress(object: Fields, type: string): string {
  const found = listAt(object, "status", "addresses").find((address) => address["type"] === type);
  return textAt(found, "address") || "<none>";
}
