import { childIf } from "../../../apimachinery/fields.ts";
import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import { roundUpQuantity, type ParsedQuantity } from "../../../apimachinery/quantity.ts";
import { maxResources, parseResources, type ResourceList } from "../../../apimachinery/resource-list.ts";
import { storageClassOf } from "../../kinds/core/persistent-volume.ts";
import { textAt } from "../../kinds/printing/field-access.ts";
import { countName, one } from "./object-count.ts";
import type { QuotaEvaluator } from "./quota-evaluator.ts";
import { type ScopeSelector, selectsName } from "./scope-selector.ts";

const count = countName("", "persistentvolumeclaims");
const tracked = ["persistentvolumeclaims", "requests.storage"];
const ofClass = ".storageclass.storage.k8s.io/";

/** Claims and the storage that they ask for, of all classes and of each. */
export const claimEvaluator: QuotaEvaluator = {
  handles: ({ operation, subresource }) =>
    operation !== "DELETE" && (subresource === undefined || subresource === "status"),
  tracks: (name) => name === count || tracked.some((each) => name === each || name.endsWith(`${ofClass}${each}`)),
  isInScope: (selector, claim) => selector.scopeName === "VolumeAttributesClass" && hasClass(selector, claim),
  usageOf(claim) {
    const storage = storageOf(claim);
    const usage: [string, ParsedQuantity][] = [
      ["persistentvolumeclaims", one],
      ...(storage ? [["requests.storage", storage] as [string, ParsedQuantity]] : []),
    ];
    const className = storageClassOf(claim);
    const ofItsClass = className
      ? usage.map(([name, amount]) => [`${className}${ofClass}${name}`, amount] as const)
      : [];
    return new Map([[count, one], ...usage, ...ofItsClass]);
  },
};

/** Returns the storage that a claim asks for, or that it got already if that is more. */
function storageOf(claim: UnstructuredObject): ParsedQuantity | undefined {
  const asked = parseResources(childIf(childIf(childIf(claim, "spec"), "resources"), "requests"));
  const storage = asked.get("storage");
  if (!storage) return undefined;
  const given: ResourceList = parseResources(childIf(childIf(claim, "status"), "allocatedResources"));
  return roundUpQuantity(maxResources(asked, given).get("storage") ?? storage);
}

function hasClass(selector: ScopeSelector, claim: UnstructuredObject): boolean {
  const names = [
    textAt(claim, "spec", "volumeAttributesClassName"),
    textAt(claim, "status", "currentVolumeAttributesClassName"),
    textAt(claim, "status", "modifyVolumeStatus", "targetVolumeAttributesClassName"),
  ].filter(Boolean);
  return (names.length > 0 ? names : [""]).some((name) => selectsName(selector, name));
}
