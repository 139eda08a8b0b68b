import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import { parseQuantity, type ParsedQuantity } from "../../../apimachinery/quantity.ts";
import type { ResourceList } from "../../../apimachinery/resource-list.ts";
import type { AdmissionAttributes } from "../admission-attributes.ts";

/** A write as quotas see it. */
export type QuotaWrite = Pick<
  AdmissionAttributes,
  "resource" | "subresource" | "operation" | "namespace" | "name" | "object" | "oldObject"
>;

/** The usage of quotas by the objects of one resource. */
export interface QuotaEvaluator {
  /** Reports whether a write may change the usage. */
  handles(write: QuotaWrite): boolean;
  /** Reports whether an object may use a resource that a quota names so. */
  tracks(name: string): boolean;
  /** Reports whether an object is in a scope; without it, objects are in none. */
  isInScope?(scope: QuotaScope, object: UnstructuredObject): boolean;
  /** Returns the fields that a quota of these resources requires and an object lacks, as text. */
  findMissing?(names: readonly string[], object: UnstructuredObject): string | undefined;
  /** Returns the usage of an object; `now` is in milliseconds. */
  usageOf(object: UnstructuredObject, now: number): ResourceList;
}

/** One condition that objects meet which a quota counts. */
export interface QuotaScope {
  readonly scopeName: string;
  readonly operator: string;
  readonly values: readonly string[];
}

/** Returns the name by which a quota counts the objects of a resource. */
export function countName(group: string, plural: string): string {
  return group ? `count/${plural}.${group}` : `count/${plural}`;
}

export const one: ParsedQuantity = parseQuantity("1");
