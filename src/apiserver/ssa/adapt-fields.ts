import { FieldSet } from "./field-set.ts";
import type { Typed, TypedNode } from "./typed-node.ts";

/** The sets that a schema divides as they are. Objects of a kind share most of theirs. */
const fitting = new WeakMap<Typed, WeakSet<FieldSet>>();

/**
 * Returns the fields of a manager as the schema divides objects now. A part that has become atomic since then is
 * returned as a whole. Fields of an atomic part that is no longer atomic stay as they are.
 */
export function adaptFields(fields: FieldSet, typed: Typed): FieldSet {
  let known = fitting.get(typed);
  if (!known) fitting.set(typed, (known = new WeakSet()));
  if (known.has(fields)) return fields;
  const adapted = adapt(fields, typed);
  known.add(adapted);
  return adapted;
}

function adapt(fields: FieldSet, { node }: Typed): FieldSet {
  if (!node || node.kind === "scalar" || fields.children.size === 0) return fields;
  if (isAtomic(node)) return whole;
  let adapted = fields;
  for (const [key, child] of fields.children) {
    const typed = typeOf(node, key);
    const next = typed ? adapt(child, typed) : child;
    if (next !== child) adapted = adapted.with(key, next);
  }
  return adapted;
}

const whole = new FieldSet();
whole.member = true;

function isAtomic(node: TypedNode): boolean {
  return node.kind === "map" ? node.atomic : node.kind === "list" && node.join === "atomic";
}

function typeOf(node: TypedNode, key: string): Typed | undefined {
  if (node.kind === "list") return node.items;
  if (node.kind !== "map" || !key.startsWith("f:")) return undefined;
  return node.type.field(key.slice(2)) ?? node.type.others;
}
