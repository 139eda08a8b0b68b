import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import type { ResourceList } from "../../../apimachinery/resource-list.ts";
import type { AdmissionAttributes } from "../admission-attributes.ts";
import type { ScopeSelector } from "./scope-selector.ts";

/** A write as quotas see it. */
export type QuotaWrite = Pick<
  AdmissionAttributes,
  "resource" | "subresource" | "operation" | "namespace" | "name" | "object" | "oldObject"
>;

/** What the objects of one resource use of quotas. */
export interface QuotaEvaluator {
  /** Reports whether a write may change what is used. */
  handles(write: QuotaWrite): boolean;
  /** Reports whether an object may use a resource that a quota names so. */
  tracks(name: string): boolean;
  /** Reports whether an object is in a scope; without it, objects are in none. */
  isInScope?(selector: ScopeSelector, object: UnstructuredObject): boolean;
  /** Returns why an object lacks what a quota of these resources requires. */
  findMissing?(names: readonly string[], object: UnstructuredObject): string | undefined;
  /** Returns what an object uses; `now` is in milliseconds. */
  usageOf(object: UnstructuredObject, now: number): ResourceList;
}
