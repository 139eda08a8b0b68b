import { equalJson } from "../../../../apimachinery/equal.ts";
import { type Fields, childIf, items } from "../../../../apimachinery/fields.ts";
import type { UnstructuredObject } from "../../../../apimachinery/meta.ts";
import { type FieldError, forbidden, invalid } from "../../../../apimachinery/field-error.ts";

/** Rejects changes of the spec other than images, deadlines, tolerations, and the placement of a gated pod. */
export function changeErrors(pod: UnstructuredObject, old: UnstructuredObject): FieldError[] {
  const [spec, before] = [childIf(pod, "spec") ?? {}, childIf(old, "spec") ?? {}];
  const resized = ["containers", "initContainers"].find(
    (list) => items(spec, list).length !== items(before, list).length,
  );
  if (resized) return [forbidden(`spec.${resized}`, "pod updates may not add or remove containers")];
  const [deadline, latest] = [spec["activeDeadlineSeconds"], before["activeDeadlineSeconds"]];
  const errors = deadlineErrors(deadline, latest);
  if (errors.length > 0 && deadline !== undefined) return errors;
  const isGated = items(before, "schedulingGates").length > 0;
  return [
    ...errors,
    ...tolerationChangeErrors(spec, before),
    ...gateErrors(spec, before),
    ...(isGated ? [...selectorErrors(spec, before), ...affinityErrors(spec, before)] : []),
    ...fixedErrors(spec, before, isGated),
  ];
}

/** Rejects a deadline that is later than before, or gone. */
function deadlineErrors(deadline: unknown, latest: unknown): FieldError[] {
  const field = "spec.activeDeadlineSeconds";
  if (deadline === undefined)
    return latest === undefined ? [] : [invalid(field, null, "must not update from a positive integer to nil value")];
  if (Number(deadline) < 0 || Number(deadline) > 2_147_483_647)
    return [invalid(field, deadline, "must be between 0 and 2147483647, inclusive")];
  return latest !== undefined && Number(deadline) > Number(latest)
    ? [invalid(field, deadline, "must be less than or equal to previous value")]
    : [];
}

/** Rejects a change of a toleration, except of how long it lasts. */
function tolerationChangeErrors(spec: Fields, before: Fields): FieldError[] {
  const [now, known] = [spec, before].map((each) =>
    items(each, "tolerations").map(({ tolerationSeconds: _seconds, ...toleration }) => toleration),
  );
  const isKept = known?.every((toleration) => now?.some((each) => equalJson(each, toleration)));
  if (isKept) return [];
  return [forbidden("spec.tolerations", "existing toleration can not be modified except its tolerationSeconds")];
}

/** Rejects new scheduling gates. */
function gateErrors(spec: Fields, before: Fields): FieldError[] {
  const known = new Set(items(before, "schedulingGates").map(({ name }) => name));
  return items(spec, "schedulingGates").flatMap(({ name }, index) => {
    const why = `only deletion is allowed, but found new scheduling gate '${String(name)}'`;
    return known.has(name) ? [] : [forbidden(`spec.schedulingGates[${index}].name`, why)];
  });
}

/** Rejects a changed or removed label of the node that a gated pod wants. */
function selectorErrors(spec: Fields, before: Fields): FieldError[] {
  const [wanted, known] = [childIf(spec, "nodeSelector"), childIf(before, "nodeSelector") ?? {}];
  if (Object.entries(known).every(([key, value]) => wanted?.[key] === value)) return [];
  const why = "only additions to spec.nodeSelector are allowed (no mutations or deletions)";
  return [invalid("spec.nodeSelector", wanted ?? null, why)];
}

/** Rejects a change by which a gated pod could run on more nodes than before. */
function affinityErrors(spec: Fields, before: Fields): FieldError[] {
  const at = "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms";
  const [terms, known] = [nodeTerms(spec), nodeTerms(before)];
  if (known.length > 0 && terms.length !== known.length) {
    return [invalid(at, terms, "no additions/deletions to non-empty NodeSelectorTerms list are allowed")];
  }
  return known.flatMap((term, index) => {
    const now = terms[index] ?? {};
    const why = "only additions are allowed (no mutations or deletions)";
    return isNarrowed(now, term) ? [] : [invalid(`${at}[${index}]`, now, why)];
  });
}

function nodeTerms(spec: Fields): Fields[] {
  return items(childIf(nodeAffinity(spec), "requiredDuringSchedulingIgnoredDuringExecution"), "nodeSelectorTerms");
}

function nodeAffinity(spec: Fields): Fields | undefined {
  return childIf(childIf(spec, "affinity"), "nodeAffinity");
}

const requirementLists = ["matchExpressions", "matchFields"];

/** Reports whether a term has the requirements of the old one first. An empty term selects no node, and stays empty. */
function isNarrowed(term: Fields, old: Fields): boolean {
  const isEmpty = requirementLists.every((list) => items(old, list).length === 0);
  return requirementLists.every((list) => {
    const [now, known] = [items(term, list), items(old, list)];
    return isEmpty ? now.length === 0 : equalJson(now.slice(0, known.length), known);
  });
}

function fixedErrors(spec: Fields, before: Fields, isGated: boolean): FieldError[] {
  const isPlaced = isGated && !equalJson(nodeAffinity(spec), nodeAffinity(before));
  if (equalJson(fixedPart(spec, { isGated, isPlaced }), fixedPart(before, { isGated, isPlaced }))) return [];
  const others =
    "pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`," +
    "`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations)," +
    "`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)";
  return [forbidden("spec", others)];
}

interface Placement {
  /** True if labels of the node can be added. */
  readonly isGated: boolean;
  /** True if the affinity to nodes changes. */
  readonly isPlaced: boolean;
}

/** Returns the spec without the fields that have rules of their own. */
function fixedPart(spec: Fields, { isGated, isPlaced }: Placement): unknown {
  const { activeDeadlineSeconds: _deadline, tolerations: _tolerations, ...others } = spec;
  const { schedulingGates: _gates, nodeSelector, affinity, ...rest } = others;
  const { nodeAffinity: _nodes, ...otherAffinity } = childIf(spec, "affinity") ?? {};
  const withoutImages = (list: string): unknown =>
    items(spec, list).map(({ image: _image, ...container }) => container);
  return {
    ...rest,
    nodeSelector: isGated ? undefined : nodeSelector,
    affinity: isPlaced ? otherAffinity : affinity,
    containers: withoutImages("containers"),
    initContainers: withoutImages("initContainers"),
  };
}
