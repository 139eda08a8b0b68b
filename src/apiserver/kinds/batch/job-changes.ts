import { equalJson } from "../../../apimachinery/equal.ts";
import { type Fields, childIf, items } from "../../../apimachinery/fields.ts";
import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import { type FieldError, invalid } from "../../../apimachinery/field-error.ts";
import { isConditionTrue, numberAt, textAt, valueAt } from "../printing/field-access.ts";
import { immutable, immutableText } from "../rules/immutable.ts";

const fixed = [
  "spec.selector",
  "spec.completionMode",
  "spec.podFailurePolicy",
  "spec.successPolicy",
  "spec.backoffLimitPerIndex",
  "spec.managedBy",
];

/** Returns an error for each field that must not change after creation. */
export function jobChangeErrors(job: UnstructuredObject, old: UnstructuredObject): FieldError[] {
  return [...immutable(job, old, fixed), ...completionErrors(job, old), ...templateErrors(job, old)];
}

/** Checks the number of completions: an indexed job grows and shrinks with its parallelism. */
function completionErrors(job: UnstructuredObject, old: UnstructuredObject): FieldError[] {
  const at = "spec.completions";
  const { completionMode, completions, parallelism } = childIf(job, "spec") ?? {};
  if (completionMode !== "Indexed") return immutable(job, old, [at]);
  const isSame = completions === valueAt(old, "spec", "completions");
  if (isSame || completions === undefined || completions === parallelism) return [];
  return [invalid(at, completions, "can only be modified in tandem with spec.parallelism")];
}

/** Checks the template of the pods, parts of which may change before any pod runs. */
function templateErrors(job: UnstructuredObject, old: UnstructuredObject): FieldError[] {
  if (!isIdle(old)) return immutable(job, old, ["spec.template"]);
  const [pods, oldPods] = [job, old].map((each) => childIf(childIf(childIf(each, "spec"), "template"), "spec") ?? {});
  if (equalJson(fixedPart(pods!), fixedPart(oldPods!))) return [];
  return [invalid("spec.template.spec", pods, immutableText)];
}

/** Reports whether a job is suspended and has no pods: it has not started, or its controller has stopped it. */
function isIdle(job: UnstructuredObject): boolean {
  const hasStopped = textAt(job, "status", "startTime") === "" || isConditionTrue(job, "Suspended");
  return valueAt(job, "spec", "suspend") === true && hasStopped && numberAt(job, "status", "active") === 0;
}

/** Returns the spec of pods without their nodes and the resources of their containers. */
function fixedPart(pods: Fields): unknown {
  const { nodeSelector: _selector, tolerations: _tolerations, schedulingGates: _gates, ...rest } = pods;
  const { nodeAffinity: _affinity, ...affinity } = childIf(pods, "affinity") ?? {};
  const [containers, initContainers] = ["containers", "initContainers"].map((list) =>
    items(pods, list).map(({ resources: _resources, ...container }) => container),
  );
  return { ...rest, affinity, containers, initContainers };
}
