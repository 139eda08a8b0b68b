import { cloneJson } from "../../../apimachinery/clone.ts";
import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import type { Equivalent } from "../../admission/admission-attributes.ts";
import type { ResourceEntry } from "../../registry/resource-entry.ts";
import type { Call } from "../call/call.ts";

/** The other versions of a custom kind: a webhook that knows one of them is asked in that one. */
export function equivalents({ core, entry, subresource }: Call): readonly Equivalent[] {
  const { custom, group, plural, version } = entry.resource;
  if (!custom || subresource === "scale") return [];
  const others: Equivalent[] = [];
  for (const other of core.registry.entries()) {
    const { resource } = other;
    if (resource.group !== group || resource.plural !== plural || resource.version === version) continue;
    others.push({
      resource,
      to: (object) => converted(object, entry, other),
      from: (object) => converted(object, other, entry),
    });
  }
  return others;
}

/** By way of the version in which it would be stored. */
async function converted(object: UnstructuredObject, from: ResourceEntry, to: ResourceEntry) {
  const stored = await from.write(cloneJson(object));
  await to.load?.([stored]);
  return cloneJson(to.read(stored));
}
