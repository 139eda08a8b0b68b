import { childIf } from "../../../../apimachinery/fields.ts";
import type { UnstructuredObject } from "../../../../apimachinery/meta.ts";
import { type FieldError, forbidden, invalid } from "../../../../apimachinery/field-error.ts";
import { appArmorPrefix } from "../../rules/deprecated-annotations.ts";
import { profileNameErrors } from "../../rules/profile-errors.ts";

/** Marks a pod that a kubelet runs from a file. */
const mirror = "kubernetes.io/config.mirror";

/** Reports whether a kubelet runs the pod from a file, so that the server only mirrors it. */
export function isStatic({ metadata }: UnstructuredObject): boolean {
  return metadata.annotations?.[mirror] !== undefined;
}

/** Returns the errors in the annotations that have a meaning for pods. */
export function annotationErrors(pod: UnstructuredObject): FieldError[] {
  const isNowhere = isStatic(pod) && !childIf(pod, "spec")?.["nodeName"];
  const why = "must set spec.nodeName if mirror pod annotation is set";
  return [
    ...(isNowhere ? [invalid(fieldOf(mirror), pod.metadata.annotations?.[mirror], why)] : []),
    ...costErrors(pod),
    ...profileNameErrors(pod, "metadata.annotations"),
  ];
}

function fieldOf(name: string): string {
  return `metadata.annotations[${name}]`;
}

/** Checks the annotation that tells ReplicaSets which pod to delete first. */
function costErrors(pod: UnstructuredObject): FieldError[] {
  const name = "controller.kubernetes.io/pod-deletion-cost";
  const cost = pod.metadata.annotations?.[name];
  if (cost === undefined || (/^(0|-?[1-9]\d*)$/.test(cost) && (Number(cost) | 0) === Number(cost))) return [];
  return [invalid(fieldOf(name), cost, "must be a 32bit integer")];
}

/** Rejects changes of the annotations that only a new pod can have. */
export function annotationChangeErrors(pod: UnstructuredObject, old: UnstructuredObject): FieldError[] {
  const [now, before] = [pod.metadata.annotations ?? {}, old.metadata.annotations ?? {}];
  const changed = Object.keys(before).filter((name) => now[name] !== before[name]);
  const added = Object.keys(now).filter((name) => before[name] === undefined);
  return [
    ...changed.flatMap((name) => fixedErrors(name, "may not remove or update")),
    ...added.flatMap((name) => fixedErrors(name, "may not add")),
  ];
}

function fixedErrors(name: string, why: string): FieldError[] {
  if (name === mirror) return [forbidden(fieldOf(name), `${why} mirror pod annotation`)];
  return name.startsWith(appArmorPrefix) ? [forbidden(fieldOf(name), `${why} AppArmor annotations`)] : [];
}
