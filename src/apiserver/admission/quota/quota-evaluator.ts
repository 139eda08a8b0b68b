import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import type { ResourceList } from "../../../apimachinery/resource-list.ts";
import type { AdmissionAttributes } from "../admission-attributes.ts";
import type { ScopeSelector } from "./scope-selector.ts";

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
  isInScope?(selector: ScopeSelector, object: UnstructuredObject): boolean;
  /** Returns the fields that a quota of these resources requires and an object lacks, as text. */
  findMissing?(names: readonly string[], object: UnstructuredObject): string | undefined;
  /** Returns the usage of an object; `now` is in milliseconds. */
  usageOf(object: UnstructuredObject, now: number): ResourceList;
}
