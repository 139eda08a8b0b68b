import { equalJson } from "../../../../apimachinery/equal.ts";
import { type Fields, child, childIf, items } from "../../../../apimachinery/fields.ts";
import type { UnstructuredObject } from "../../../../apimachinery/meta.ts";
import { type FieldError, forbidden } from "../../../../apimachinery/field-error.ts";

/** Sets the ephemeral containers of a pod to those of a body sent to `/ephemeralcontainers`. */
export function setEphemeralContainers(pod: UnstructuredObject, sent: UnstructuredObject): UnstructuredObject {
  const wanted = childIf(sent, "spec")?.["ephemeralContainers"];
  const spec = child(pod, "spec");
  if (wanted === undefined) delete spec["ephemeralContainers"];
  else spec["ephemeralContainers"] = wanted;
  return pod;
}

/** Rejects a change of the ephemeral containers that a pod has already. */
export function ephemeralChangeErrors(pod: UnstructuredObject, old: UnstructuredObject): FieldError[] {
  const wanted = new Map(ephemeralContainers(pod).map((container) => [container["name"], container]));
  return ephemeralContainers(old).flatMap((container) => {
    const now = wanted.get(container["name"]);
    if (now && equalJson(now, container)) return [];
    const what = `existing ephemeral containers ${JSON.stringify(container["name"])} may not be`;
    return [forbidden("spec.ephemeralContainers", `${what} ${now ? "changed" : "removed"}\n`)];
  });
}

function ephemeralContainers(pod: UnstructuredObject): Fields[] {
  return items(childIf(pod, "spec"), "ephemeralContainers");
}
