import { type Fields, child, childIf, fill, items, textOf } from "../../../apimachinery/fields.ts";
import { parseQuantity, quantityToInteger } from "../../../apimachinery/quantity.ts";
import { type FieldError, duplicate, forbidden, invalid, required } from "../../../apimachinery/field-error.ts";
import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import type { BuiltinKind } from "../builtin-kind.ts";
import { conditionOf, listAt, mapAt, textAt, textsAt, valueAt } from "../printing/field-access.ts";
import { creationAge } from "../printing/human-duration.ts";
import { printer } from "../printing/printer.ts";
import { rangeErrors } from "../rules/address-errors.ts";
import { immutable } from "../rules/immutable.ts";
import { labelKeyErrors, labelValueErrors } from "../rules/name-errors.ts";
import { isExtended } from "../rules/resource-name-errors.ts";
import { repeatedIndexes, wordErrors } from "../rules/value-errors.ts";
import { haveOtherFamilies } from "../rules/read-address.ts";

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
    ...taintErrors(listAt(node, "spec", "taints")),
    ...["capacity", "allocatable"].flatMap((name) => amountErrors(mapAt(node, "status", name), `status.${name}`)),
    ...podRangeErrors(node),
    ...(textsAt(old, "spec", "podCIDRs").length === 0 ? [] : changeErrors(node, old, "podCIDRs", keptRanges)),
    ...(textAt(old, "spec", "providerID") === "" ? [] : changeErrors(node, old, "providerID", keptProvider)),
    ...(old ? changeErrors(node, old, "externalID", "may not be updated") : []),
    ...(old ? addressErrors(listAt(node, "status", "addresses")) : []),
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

/** Returns the errors of taints. A real server names another place. */
function taintErrors(taints: readonly Fields[]): FieldError[] {
  const repeated = repeatedIndexes(taints.map(({ key, effect }) => `${textOf(key)} ${textOf(effect)}`));
  return taints.flatMap(({ key = "", value = "", effect = "" }, index) => {
    const at = `metadata.taints[${index}]`;
    return [
      ...labelKeyErrors(`${at}.key`, textOf(key)),
      ...labelValueErrors(`${at}.value`, textOf(value)),
      ...(effect === "" ? [required(`${at}.effect`)] : wordErrors(`${at}.effect`, effect, taintEffects)),
      ...(repeated.has(index) ? [duplicate(at, { key, effect })] : []),
    ];
  });
}

const taintEffects = ["NoSchedule", "PreferNoSchedule", "NoExecute"];

/** Returns the errors of amounts of resources. */
function amountErrors(amounts: Readonly<Record<string, unknown>>, at: string): FieldError[] {
  return Object.entries(amounts).flatMap(([name, amount]) => [
    ...(textOf(amount).startsWith("-") ? [invalid(`${at}.${name}`, amount, "must be greater than or equal to 0")] : []),
    ...(isExtended(name) && quantityToInteger(parseQuantity(textOf(amount))) === undefined
      ? [invalid(`${at}.${name}`, amount, "must be an integer")]
      : []),
  ]);
}

function addressErrors(addresses: readonly Fields[]): FieldError[] {
  const shown = addresses.map(({ type, address }) => `${textOf(type)} ${textOf(address)}`);
  return [...repeatedIndexes(shown)].map((index) => duplicate(`status.addresses[${index}]`, shown[index]));
}

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
  field: "externalID" | "podCIDRs" | "providerID",
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

function kernelOf(object: Fields): string {
  const architecture = textAt(object, "status", "nodeInfo", "architecture");
  const kernel = textAt(object, "status", "nodeInfo", "kernelVersion") || "<unknown>";
  return architecture === "" ? kernel : `${kernel} (${architecture})`;
}

function nodeAddress(object: Fields, type: string): string {
  const found = listAt(object, "status", "addresses").find((address) => address["type"] === type);
  return textAt(found, "address") || "<none>";
}
