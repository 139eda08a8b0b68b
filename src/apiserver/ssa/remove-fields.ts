import type { FieldSet } from "./field-set.ts";
import { itemsByKey } from "./compare-objects.ts";
import { typedNode, type Typed } from "./typed-node.ts";

/** The object without the members of a set. What is emptied by it goes, too; what does not change is shared. */
export function removeFields(object: unknown, fields: FieldSet, typed: Typed): unknown {
  if (typeof object !== "object" || object === null || fields.isEmpty) return object;
  const node = typedNode(typed, object);
  if (node.kind === "map" && !node.atomic && !Array.isArray(object)) {
    const { type } = node;
    const rest = Object.entries(object).flatMap(([name, value]) =>
      removeChild(value, fields.children.get(`f:${name}`), type.field(name) ?? type.others ?? typed).map(
        (kept) => [name, kept] as const,
      ),
    );
    return rest.length > 0 ? Object.fromEntries(rest) : undefined;
  }
  if (node.kind === "list" && node.join !== "atomic" && Array.isArray(object)) {
    const rest = (object as unknown[]).flatMap((item) => {
      const [key = ""] = itemsByKey([item], node).keys();
      return removeChild(item, fields.children.get(key), node.items);
    });
    return rest.length > 0 ? rest : undefined;
  }
  return object;
}

function removeChild(value: unknown, fields: FieldSet | undefined, typed: Typed): unknown[] {
  if (!fields) return [value];
  if (fields.member) return [];
  const rest = removeFields(value, fields, typed);
  return rest === undefined ? [] : [rest];
}
