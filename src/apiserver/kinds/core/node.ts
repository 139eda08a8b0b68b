import { type Fields, child, childIf, fill, items, textOf } from "../../../apimachinery/fields.ts";
import { parseQuantity, quantityToInteger } from "../../../apimachinery/quantity.ts";
import { type FieldError, forbidden, invalid } from "../../../apimachinery/field-error.ts";
import type { BuiltinKind } from "../builtin-kind.ts";
import { conditionOf, listAt, mapAt, textAt, valueAt } from "../printing/field-access.ts";
import { printer } from "../printing/printer.ts";
import { haveOtherFamilies, rangeErrors } from "../rules/address-errors.ts";
import { anyText, enumOf, fieldRules, format, must, required, unique } from "../rules/field-rules.ts";
import { immutable } from "../rules/immutable.ts";
import { labelKeyErrors } from "../rules/name-errors.ts";
import { isExtended } from "../rules/resource-name-errors.ts";

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
  validate: (node, old) => [
    ...taintErrors(childIf(node, "spec"), "metadata"),
    ...["capacity", "allocatable"].flatMap((name) => amountErrors(mapAt(node, "status", name), `status.${name}`)),
    ...rangesErrors(node),
    ...(old ? addressErrors(node) : []),
    ...immutable(node, old, [
      "spec.externalID",
      ...(textAt(old, "spec", "podCIDR") ? ["spec.podCIDRs"] : []),
      ...(textAt(old, "spec", "providerID") ? ["spec.providerID"] : []),
    ]).map(({ field }) => forbidden(field, `node updates may not change ${shownName(field)} except from "" to valid`)),
  ],
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

const shownName = (field: string): string => field.replace("spec.", "").replace("podCIDRs", "podCIDR");

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

const rangesErrors = fieldRules({
  "spec.podCIDRs": must(haveOtherFamilies, "may specify no more than one CIDR for each IP family"),
  "spec.podCIDRs[]": anyText(rangeErrors),
});

const addressErrors = fieldRules({ "status.addresses": unique("type", "address") });

/** Returns the errors of amounts of resources. */
function amountErrors(amounts: Readonly<Record<string, unknown>>, at: string): FieldError[] {
  return Object.entries(amounts).flatMap(([name, amount]) => [
    ...(textOf(amount).startsWith("-") ? [invalid(`${at}.${name}`, amount, "must be greater than or equal to 0")] : []),
    ...(isExtended(name) && quantityToInteger(parseQuantity(textOf(amount))) === undefined
      ? [invalid(`${at}.${name}`, amount, "must be an integer")]
      : []),
  ]);
}

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
