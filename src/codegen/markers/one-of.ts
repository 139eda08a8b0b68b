import { escapeName } from "../../apimachinery/cel/rules/schema-type.ts";
import type { ValidationRule } from "../../apimachinery/json-schema.ts";
import { list, text } from "./argument.ts";
import { value, type Marker, type SchemaNode } from "./marker.ts";
import { addRule } from "./validation.ts";

/** The rules that limit how many of some fields are set, by the last part of their markers' names. */
export const countRules: Readonly<
  Record<"AtMostOneOf" | "ExactlyOneOf" | "AtLeastOneOf", (names: readonly string[]) => ValidationRule>
> = {
  AtMostOneOf: (names) => countRule(names, `${sum(names)} <= 1`, "at most one", "may"),
  ExactlyOneOf: (names) => countRule(names, `${sum(names)} == 1`, "exactly one"),
  AtLeastOneOf: (names) => countRule(names, names.map(has).join("||"), "at least one"),
};

/** Rules on the number of optional fields that are set, written in CEL. */
export const oneOfMarkers: readonly Marker<string[]>[] = [
  oneOf("AtMostOneOf", 11, "At most one of the named fields may be set."),
  oneOf("ExactlyOneOf", 12, "Exactly one of the named fields must be set."),
  oneOf("AtLeastOneOf", 13, "At least one of the named fields must be set."),
];

function oneOf(name: keyof typeof countRules, priority: number, help: string): Marker<string[]> {
  return {
    name: `kubebuilder:validation:${name}`,
    targets: ["type"],
    argument: value(list(text)),
    help,
    priority,
    apply: (node, names) => apply(node, names, countRules[name](names)),
  };
}

function countRule(names: readonly string[], rule: string, count: string, verb = "must"): ValidationRule {
  return { rule, message: `${count} of the fields in [${names.join(" ")}] ${verb} be set` };
}

/** Counts the fields that are set. This form costs the server less than filtering a list. */
function sum(names: readonly string[]): string {
  return names.map((name) => `(${has(name)}?1:0)`).join("+");
}

function has(name: string): string {
  return `has(self.${escapeName(name) ?? name})`;
}

function apply(node: SchemaNode, names: string[], rule: ValidationRule): void {
  const dotted = names.find((name) => name.includes("."));
  if (dotted) return node.misfit(`cannot refer to the nested field ${dotted}`, "name only fields of this type");
  const unknown = names.find((name) => !node.propertyNames.includes(name));
  if (unknown) return node.misfit(`names ${unknown}, which is not a field of the type`, "check the spelling");
  const mandatory = names.find((name) => node.requiredNames.includes(name));
  if (mandatory) return node.misfit(`names ${mandatory}, which is required`, `make it optional: ${mandatory}?:`);
  addRule(node.schema, rule);
}
