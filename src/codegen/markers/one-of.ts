import { list, text } from "./argument.ts";
import { value, type Marker, type SchemaNode } from "./marker.ts";
import { addRule } from "./validation.ts";

/** Rules on the number of optional fields that are set, written in CEL. */
export const oneOfMarkers: readonly Marker<string[]>[] = [
  {
    ...oneOf("AtMostOneOf", 11),
    help: "At most one of the named fields may be set.",
    apply: (node, names) =>
      apply(node, names, {
        rule: `${sum(names)} <= 1`,
        message: `at most one of the fields in [${names.join(" ")}] may be set`,
      }),
  },
  {
    ...oneOf("ExactlyOneOf", 12),
    help: "Exactly one of the named fields must be set.",
    apply: (node, names) =>
      apply(node, names, {
        rule: `${sum(names)} == 1`,
        message: `exactly one of the fields in [${names.join(" ")}] must be set`,
      }),
  },
  {
    ...oneOf("AtLeastOneOf", 13),
    help: "At least one of the named fields must be set.",
    apply: (node, names) =>
      apply(node, names, {
        rule: names.map((name) => `has(self.${name})`).join("||"),
        message: `at least one of the fields in [${names.join(" ")}] must be set`,
      }),
  },
];

function oneOf(name: string, priority: number): Omit<Marker<string[]>, "help"> {
  return { name: `kubebuilder:validation:${name}`, targets: ["type"], argument: value(list(text)), priority };
}

/** Counts the fields that are set. This form costs the server less than filtering a list. */
function sum(names: string[]): string {
  return names.map((name) => `(has(self.${name})?1:0)`).join("+");
}

function apply(node: SchemaNode, names: string[], rule: { rule: string; message: string }): void {
  const dotted = names.find((name) => name.includes("."));
  if (dotted) return node.misfit(`cannot refer to the nested field ${dotted}`, "name only fields of this type");
  const unknown = names.find((name) => !node.propertyNames.includes(name));
  if (unknown) return node.misfit(`names ${unknown}, which is not a field of the type`, "check the spelling");
  const mandatory = names.find((name) => node.requiredNames.includes(name));
  if (mandatory) return node.misfit(`names ${mandatory}, which is required`, `make it optional: ${mandatory}?:`);
  addRule(node.schema, rule);
}
