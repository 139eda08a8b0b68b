// Kubernetes 1.36.3, written by test/record/kubernetes-data/write-types.mjs; do not edit.
import { defineKind, type Kind } from "../../apimachinery/kind.ts";
import type { KubeList, ObjectMeta } from "../../apimachinery/meta.ts";

/**
 * PriorityClass defines mapping from a priority class name to the priority
 * integer value. The value can be any valid integer.
 */
export interface PriorityClass {
  apiVersion?: "scheduling.k8s.io/v1";
  kind?: "PriorityClass";
  /**
   * Standard object's metadata.
   * More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata
   */
  metadata: ObjectMeta;
  /**
   * description is an arbitrary string that usually provides guidelines on
   * when this priority class should be used.
   */
  description?: string;
  /**
   * globalDefault specifies whether this PriorityClass should be considered as
   * the default priority for pods that do not have any priority class.
   * Only one PriorityClass can be marked as `globalDefault`. However, if more than
   * one PriorityClasses exists with their `globalDefault` field set to true,
   * the smallest value of such global default PriorityClasses will be used as the default priority.
   */
  globalDefault?: boolean;
  /**
   * preemptionPolicy is the Policy for preempting pods with lower priority.
   * One of Never, PreemptLowerPriority.
   * Defaults to PreemptLowerPriority if unset.
   */
  preemptionPolicy?: "Never" | "PreemptLowerPriority";
  /**
   * value represents the integer value of this priority class. This is the actual priority that pods
   * receive when they have the name of this class in their pod spec.
   */
  value?: number;
}
export const PriorityClass: Kind<PriorityClass> = /* @__PURE__ */ defineKind<PriorityClass>({
  group: "scheduling.k8s.io",
  version: "v1",
  kind: "PriorityClass",
  plural: "priorityclasses",
  scope: "Cluster",
});
export type PriorityClassList = KubeList<PriorityClass>;
