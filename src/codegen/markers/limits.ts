import type { JsonSchema } from "../../apimachinery/json-schema.ts";
import { bool, int, number, text, type ValueType } from "./argument.ts";
import { value, type Marker, type SchemaNode } from "./marker.ts";

/** Limits of numbers, texts, lists and maps: `kubebuilder:validation:<Name>`. */
export const limitMarkers: readonly Marker[] = [
  limit("Maximum", number, { fits: isNumeric, key: "maximum", help: "The largest number allowed." }),
  limit("Minimum", number, { fits: isNumeric, key: "minimum", help: "The smallest number allowed." }),
  limit("MultipleOf", number, { fits: isNumeric, key: "multipleOf", help: "The number must be a multiple of this." }),
  limit("ExclusiveMaximum", bool, { fits: isNumeric, key: "exclusiveMaximum", help: "Maximum itself is not allowed." }),
  limit("ExclusiveMinimum", bool, { fits: isNumeric, key: "exclusiveMinimum", help: "Minimum itself is not allowed." }),
  limit("MaxLength", int, { fits: isText, key: "maxLength", help: "The most characters a text may have." }),
  limit("MinLength", int, { fits: isText, key: "minLength", help: "The fewest characters a text may have." }),
  limit("Pattern", text, {
    fits: isText,
    key: "pattern",
    help: "A regular expression (RE2) that the text must match.",
  }),
  limit("MaxItems", int, { fits: isArray, key: "maxItems", help: "The most elements a list may have." }),
  limit("MinItems", int, { fits: isArray, key: "minItems", help: "The fewest elements a list may have." }),
  limit("UniqueItems", bool, {
    fits: isArray,
    key: "uniqueItems",
    help: "No two elements are equal (a server refuses it: use listType=set).",
  }),
  limit("MaxProperties", int, { fits: isObject, key: "maxProperties", help: "The most keys a map may have." }),
  limit("MinProperties", int, { fits: isObject, key: "minProperties", help: "The fewest keys a map may have." }),
];

interface Limit {
  readonly fits: (node: SchemaNode) => string | undefined;
  readonly key: keyof JsonSchema;
  readonly help: string;
}

function limit<V extends number | boolean | string>(
  name: string,
  type: ValueType<V>,
  { fits, key, help }: Limit,
): Marker<V> {
  return {
    name: `kubebuilder:validation:${name}`,
    targets: ["type", "field"],
    items: true,
    argument: value(type),
    help,
    apply(node, limit) {
      const needs = fits(node);
      if (needs)
        return node.misfit(`needs ${needs}, this is ${describe(node)}`, "remove the marker, or change the type");
      if (typeof limit === "number" && node.type === "integer" && !Number.isInteger(limit)) {
        const advice = "the field is an integer; import Float from tsop for fractions";
        return node.misfit(`needs a whole number here, not ${limit}`, advice);
      }
      // False is the default of Kubernetes, and Go omits it.
      if (limit !== false) Object.assign(node.schema, { [key]: limit });
    },
  };
}

function isNumeric(node: SchemaNode): string | undefined {
  return node.type === "integer" || node.type === "number" ? undefined : "a number";
}

function isText(node: SchemaNode): string | undefined {
  return node.type === "string" || node.intOrString ? undefined : "a text or an int-or-string";
}

function isArray(node: SchemaNode): string | undefined {
  return node.type === "array" ? undefined : "a list";
}

function isObject(node: SchemaNode): string | undefined {
  return node.type === "object" ? undefined : "an object or a map";
}

function describe(node: SchemaNode): string {
  if (node.intOrString) return "an int-or-string";
  return node.type ? `of type ${node.type}` : "of no type";
}
