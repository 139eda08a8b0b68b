import { equalJson } from "../../../../apimachinery/equal.ts";
import { type Fields, childIf, items, child } from "../../../../apimachinery/fields.ts";
import type { UnstructuredObject } from "../../../../apimachinery/meta.ts";
import { type FieldError, forbidden, invalid } from "../../../../apimachinery/field-error.ts";

/** Refuses changes of the spec other than images, deadlines, tolerations, and the placement of a gated pod. */
export function changeErrors(pod: UnstructuredObject, old: UnstructuredObject): FieldError[] {
  const [spec, before] = [childIf(pod, "spec") ?? {}, childIf(old, "spec") ?? {}];
  const resized = ["containers", "initContainers"].find(
    (list) => items(spec, list).length !== items(before, list).length,
  );
  if (resized) return [forbidden(`spec.${resized}`, "pod updates may not add or remove containers")];
  const [deadline, latest] = [spec["activeDeadlineSeconds"], before["activeDeadlineSeconds"]];
  const most = Number(latest ?? 2_147_483_647);
  const isDeadline = deadline === undefined ? latest === undefined : Number(deadline) >= 0 && Number(deadline) <= most;
  const errors = isDeadline
    ? []
    : [invalid("spec.activeDeadlineSeconds", deadline ?? null, "must be less than or equal to previous value")];
  if (errors.length > 0 && deadline !== undefined) return errors;
  const isGated = items(before, "schedulingGates").length > 0;
  return [
    ...errors,
    ...(keepsTolerations(spec, before)
      ? []
      : [forbidden("spec.tolerations", "existing toleration can not be modified except its tolerationSeconds")]),
    ...gateErrors(spec, before),
    ...fixedErrors(spec, before, isGated),
  ];
}

/** Reports whether a pod has its former tolerations; how long they last may change. */
function keepsTolerations(spec: Fields, before: Fields): boolean {
  const [now, known] = [spec, before].map((each) =>
    items(each, "tolerations").map(({ tolerationSeconds: _seconds, ...toleration }) => toleration),
  );
  return known!.every((toleration) => now!.some((each) => equalJson(each, toleration)));
}

/** Refuses new scheduling gates. */
function gateErrors(spec: Fields, before: Fields): FieldError[] {
  const known = new Set(items(before, "schedulingGates").map(({ name }) => name));
  return items(spec, "schedulingGates").flatMap(({ name }, index) =>
    known.has(name) ? [] : [forbidden(`spec.schedulingGates[${index}].name`, "only deletion is allowed")],
  );
}

function nodeAffinity(spec: Fields): Fields | undefined {
  return childIf(childIf(spec, "affinity"), "nodeAffinity");
}

function fixedErrors(spec: Fields, before: Fields, isGated: boolean): FieldError[] {
  const isPlaced = isGated && !equalJson(nodeAffinity(spec), nodeAffinity(before));
  const [now, then] = [spec, before].map((each) => fixedPart(each, isGated, isPlaced));
  const others =
    "pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`," +
    "`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations)," +
    "`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)";
  return equalJson(now, then) ? [] : [forbidden("spec", others)];
}

/** Returns the spec without the fields that have rules of their own. */
function fixedPart(spec: Fields, isGated: boolean, isPlaced: boolean): unknown {
  const { activeDeadlineSeconds: _deadline, tolerations: _tolerations, ...others } = spec;
  const { schedulingGates: _gates, nodeSelector, affinity, ...rest } = others;
  const { nodeAffinity: _nodes, ...otherAffinity } = childIf(spec, "affinity") ?? {};
  const [containers, initContainers] = ["containers", "initContainers"].map((list) =>
    items(spec, list).map(({ image: _image, ...container }) => container),
  );
  return {
    ...rest,
    nodeSelector: isGated ? undefined : nodeSelector,
    affinity: isPlaced ? otherAffinity : affinity,
    containers,
    initContainers,
  };
}

interface PodCondition {
  readonly type: string;
  readonly status: "True" | "False";
  readonly reason?: string;
  readonly message?: string;
}

/** Sets a condition of a pod in its place; the time changes only with the status. */
export function setPodCondition(pod: Fields, { type, status, ...why }: PodCondition, now: string): void {
  const conditions = items(child(pod, "status"), "conditions");
  const old = conditions.find((each) => each["type"] === type);
  const lastTransitionTime = old?.["status"] === status ? old["lastTransitionTime"] : now;
  const next = { type, status, lastProbeTime: null, lastTransitionTime, ...why };
  child(pod, "status")["conditions"] = old
    ? conditions.map((each) => (each === old ? next : each))
    : [...conditions, next];
}
