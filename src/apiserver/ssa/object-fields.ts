import { isObject } from "../../apimachinery/is-object.ts";
import { FieldSet } from "./field-set.ts";
import { itemKey, typedNode, untyped, type Typed } from "./typed-node.ts";
import { keyOfItem } from "./compare-objects.ts";

/**
 * Returns all fields that an applied object sets: scalars and atomic parts, items of lists, and members without a
 * schema.
 */
export function objectFields(object: unknown, typed: Typed): FieldSet {
  const fields = new FieldSet();
  addFields(object, typed, [], fields);
  return fields;
}

function addFields(value: unknown, typed: Typed, path: readonly string[], fields: FieldSet): void {
  const node = typedNode(typed, value);
  if (node.kind === "scalar") return fields.insert(path);
  const atomic = node.kind === "map" ? node.atomic : node.join === "atomic";
  if (atomic) return fields.insert(path);
  if (typeof value !== "object" || value === null) return;
  if (node.kind === "list") {
    if (!Array.isArray(value) || node.join === "atomic") return;
    for (const item of value as unknown[]) {
      const found = itemKey(item, node.join, node.keys);
      if (!("key" in found)) continue;
      const here = [...path, found.key];
      addFields(item, node.items, here, fields);
      fields.insert(here);
    }
    return;
  }
  for (const [name, member] of Object.entries(value)) {
    const declared = node.type.field(name);
    const here = [...path, `f:${name}`];
    addFields(member, declared ?? node.type.others ?? typed, here, fields);
    if (!declared || member === null || isEmptyMap(member)) fields.insert(here);
  }
}

function isEmptyMap(value: unknown): boolean {
  return isObject(value) && Object.keys(value).length === 0;
}

/**
 * Adds the declared parents of each member: the owner of a field below them also keeps them from being removed, until
 * it gives up the last one.
 */
export function withDeclaredParents(fields: FieldSet, typed: Typed): FieldSet {
  const result = new FieldSet();
  result.member = fields.member;
  for (const [key, child] of fields.children) {
    const [below, declared] = childType(typed, key);
    const made = withDeclaredParents(child, below);
    if (declared && child.children.size > 0) made.member = true;
    result.set(key, made);
  }
  return result;
}

function childType(typed: Typed, key: string): [type: Typed, declared: boolean] {
  // Without a schema, the key decides whether the node is a map or a list.
  const node = typedNode(typed, key.startsWith("f:") ? {} : []);
  if (node.kind === "map" && key.startsWith("f:")) {
    const declared = node.type.field(key.slice(2));
    return [declared ?? node.type.others ?? untyped, declared !== undefined];
  }
  return [node.kind === "list" ? node.items : untyped, false];
}

/** Removes the members of a set from an object, and parts that become empty. Unchanged parts are shared. */
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
      const key = keyOfItem(item, node);
      return removeChild(item, key === undefined ? undefined : fields.children.get(key), node.items);
    });
    return rest.length > 0 ? rest : undefined;
  }
  return object;
}

function removeChild(value: unknown, fields: FieldSet | undefined, typed: Typed): unknown[] {
  if (!fields) return [value];
  if (fields.member) return [];
  // Like in Go, a map or list that loses its last member is null.
  return [removeFields(value, fields, typed) ?? null];
}
