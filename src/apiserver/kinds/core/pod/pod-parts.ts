import { equalJson } from "../../../../apimachinery/equal.ts";
import { type Fields, child, childIf, items } from "../../../../apimachinery/fields.ts";
import type { UnstructuredObject } from "../../../../apimachinery/meta.ts";
import { setField } from "../../../../apimachinery/set-field.ts";
import { type FieldError, forbidden, invalid } from "../../../../apimachinery/field-error.ts";
import { qualityOf } from "./pod-resources.ts";

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

const lists = ["containers", "initContainers"] as const;
/** The resources that `/resize` changes. */
const resizable = ["cpu", "memory"];

/** Sets the resources of a pod's containers to those of a body sent to `/resize`. */
export function setResources(pod: UnstructuredObject, sent: UnstructuredObject): UnstructuredObject {
  const spec = child(pod, "spec");
  for (const list of lists) {
    const live = new Map(items(spec, list).map((container) => [container["name"], container]));
    const wanted = items(childIf(sent, "spec"), list).map((container) => {
      const { resources = {}, resizePolicy } = container;
      const now = live.get(container["name"]);
      return now ? { ...now, resources, ...(resizePolicy !== undefined && { resizePolicy }) } : container;
    });
    if (wanted.length > 0 || live.size > 0) setField(spec, list, wanted);
  }
  return pod;
}

/** Rejects a change of resources other than cpu and memory, and one that changes the pod's class. */
export function resizeErrors(pod: UnstructuredObject, old: UnstructuredObject): FieldError[] {
  const [spec, before] = [childIf(pod, "spec") ?? {}, childIf(old, "spec") ?? {}];
  const resized = lists.filter((list) => items(spec, list).length !== items(before, list).length);
  if (resized.length > 0)
    return resized.map((list) => forbidden(`spec.${list}`, "containers may not be added or removed on resize"));
  const quality = qualityOf(before);
  const isFixedEqual = lists.every((list) => equalJson(fixedPart(spec, list), fixedPart(before, list)));
  return [
    ...(qualityOf(spec) === quality
      ? []
      : [invalid("spec", quality, "Pod QOS Class may not change as a result of resizing")]),
    ...lists.flatMap((list) =>
      items(spec, list).flatMap((container, index) =>
        removedErrors(container, items(before, list)[index] ?? {}, `spec.${list}[${index}].resources`),
      ),
    ),
    ...(isFixedEqual ? [] : [forbidden("spec", "only cpu and memory resources are mutable")]),
  ];
}

function removedErrors(container: Fields, old: Fields, at: string): FieldError[] {
  return ["limits", "requests"].flatMap((kind) => {
    const [now, before] = [container, old].map((each) => childIf(childIf(each, "resources"), kind) ?? {});
    const isRemoved = resizable.some((name) => before?.[name] !== undefined && now?.[name] === undefined);
    return isRemoved ? [forbidden(`${at}.${kind}`, `resource ${kind} cannot be removed`)] : [];
  });
}

/** Returns the containers without the fields that a resize may change. */
function fixedPart(spec: Fields, list: string): unknown {
  return items(spec, list).map(({ resources, ...container }) => {
    const { limits, requests, ...others } = (resources ?? {}) as Record<string, Fields | undefined>;
    return { ...container, ...others, limits: withoutResizable(limits), requests: withoutResizable(requests) };
  });
}

function withoutResizable(quantities: Fields = {}): Fields {
  return Object.fromEntries(Object.entries(quantities).filter(([name]) => !resizable.includes(name)));
}
