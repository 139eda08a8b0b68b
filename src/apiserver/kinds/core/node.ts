import { type Fields, childIf, fill } from "../../../apimachinery/fields.ts";
import { type FieldError, forbidden, invalid } from "../../../apimachinery/schema/field-error.ts";
import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import type { BuiltinKind } from "../builtin-kind.ts";
import { conditionOf, listAt, mapAt, textAt, textsAt, valueAt } from "../printing/field-access.ts";
import { creationAge } from "../printing/human-duration.ts";
import { printer } from "../printing/printer.ts";
import { rangeErrors } from "../rules/address-errors.ts";
import { rangeWarnings } from "../rules/address-warnings.ts";
import { immutable } from "../rules/immutable.ts";
import { haveOtherFamilies } from "../rules/read-address.ts";

/** Node. */
export const node: BuiltinKind = {
  unconditionalUpdate: true,
  bringsStatus: true,
  // Pods may use the whole capacity, unless the node says otherwise.
  applyDefaults(node) {
    nameRangesTwice(childIf(node, "spec"));
    const status = childIf(node, "status");
    const capacity = childIf(status, "capacity");
    if (status && capacity) fill(status, { allocatable: capacity });
  },
  validate: (node, old) => [
    ...podRangeErrors(node),
    ...(textsAt(old, "spec", "podCIDRs").length === 0 ? [] : changeErrors(node, old, "podCIDRs", keptRanges)),
    ...(textAt(old, "spec", "providerID") === "" ? [] : changeErrors(node, old, "providerID", keptProvider)),
  ],
  warn: (node) => [
    ...(textAt(node, "spec", "externalID") === ""
      ? []
      : ["spec.externalID: this field is deprecated, and is unused by Kubernetes"]),
    ...textsAt(node, "spec", "podCIDRs").flatMap((range, index) => rangeWarnings(`spec.podCIDRs[${index}]`, range)),
  ],
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

/** Keeps the field of one range, which is older, and the list of ranges the same. If they differ, the older one counts. */
function nameRangesTwice(spec: Fields | undefined): void {
  const [range, [first]] = [spec?.["podCIDR"], (spec?.["podCIDRs"] ?? []) as unknown[]];
  if (!spec || range === first) return;
  if (range) spec["podCIDRs"] = [range];
  else spec["podCIDR"] = first;
}

function podRangeErrors(node: UnstructuredObject): FieldError[] {
  const ranges = textsAt(node, "spec", "podCIDRs");
  return [
    ...ranges.flatMap((range, index) => rangeErrors(`spec.podCIDRs[${index}]`, range)),
    ...(haveOtherFamilies(ranges)
      ? []
      : [invalid("spec.podCIDRs", ranges, "may specify no more than one CIDR for each IP family")]),
  ];
}

const keptRanges = 'node updates may not change podCIDR except from "" to valid';
const keptProvider = 'node updates may not change providerID except from "" to valid';

function changeErrors(
  node: UnstructuredObject,
  old: UnstructuredObject | undefined,
  field: "podCIDRs" | "providerID",
  why: string,
): FieldError[] {
  return immutable(node, old, [`spec.${field}`]).map((error) => forbidden(error.field, why));
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

function nodeAddress(object: Fields, type: string): string {
  const found = listAt(object, "status", "addresses").find((address) => address["type"] === type);
  return textAt(found, "address") || "<none>";
}
