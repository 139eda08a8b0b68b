import { equalJson } from "../../../../apimachinery/equal.ts";
import { type Fields, childIf, items } from "../../../../apimachinery/fields.ts";
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
    ...(isGated ? [...selectorErrors(spec, before), ...affinityErrors(spec, before)] : []),
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

const onlyAdditions = "only additions are allowed (no mutations or deletions)";

/** Refuses a changed or removed label of the node that a gated pod wants. */
function selectorErrors(spec: Fields, before: Fields): FieldError[] {
  const [wanted, known] = [childIf(spec, "nodeSelector"), childIf(before, "nodeSelector") ?? {}];
  const isKept = Object.entries(known).every(([key, value]) => wanted?.[key] === value);
  return isKept ? [] : [invalid("spec.nodeSelector", wanted ?? null, onlyAdditions)];
}

/** Refuses a change by which a gated pod could run on more nodes than before. */
function affinityErrors(spec: Fields, before: Fields): FieldError[] {
  const at = "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms";
  const [terms, known] = [nodeTerms(spec), nodeTerms(before)];
  if (known.length > 0 && terms.length !== known.length) return [invalid(at, terms, "must have as many terms")];
  return known.flatMap((term, index) =>
    isNarrowed(terms[index] ?? {}, term) ? [] : [invalid(`${at}[${index}]`, terms[index], onlyAdditions)],
  );
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
