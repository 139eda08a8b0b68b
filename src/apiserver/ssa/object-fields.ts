import { isObject } from "../../apimachinery/is-object.ts";
import { FieldSet } from "./field-set.ts";
import { itemKey } from "./field-path.ts";
import { typedNode, untyped, type Typed } from "./typed-node.ts";

/** All fields that an applied object sets: scalars and atomic parts, items of lists, and members without a schema. */
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
 * Adds the declared fields on the way to each member: whoever owns something below such a field owns enough of it that
 * it is not removed, and gives it up with the last field below.
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
  // The kind of a node without a schema depends on its value; the key tells it here.
  const node = typedNode(typed, key.startsWith("f:") ? {} : []);
  if (node.kind === "map" && key.startsWith("f:")) {
    const declared = node.type.field(key.slice(2));
    return [declared ?? node.type.others ?? untyped, declared !== undefined];
  }
  return [node.kind === "list" ? node.items : untyped, false];
}
