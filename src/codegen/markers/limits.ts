import type { JsonSchema } from "../../apimachinery/json-schema.ts";
import { bool, int, number, text, type ValueType } from "./argument.ts";
import { value, type Marker, type SchemaNode } from "./marker.ts";

/** Limits of numbers, strings, lists and maps: `kubebuilder:validation:<Name>`. */
export const limitMarkers: readonly Marker[] = [
  limit("Maximum", number, { fits: isNumeric, key: "maximum", help: "The largest allowed number." }),
  limit("Minimum", number, { fits: isNumeric, key: "minimum", help: "The smallest allowed number." }),
  limit("MultipleOf", number, { fits: isNumeric, key: "multipleOf", help: "The number must be a multiple of this." }),
  limit("ExclusiveMaximum", bool, {
    fits: isNumeric,
    key: "exclusiveMaximum",
    help: "If true, the number must be less than Maximum.",
  }),
  limit("ExclusiveMinimum", bool, {
    fits: isNumeric,
    key: "exclusiveMinimum",
    help: "If true, the number must be greater than Minimum.",
  }),
  limit("MaxLength", int, {
    fits: isText,
    key: "maxLength",
    help: "The largest allowed number of characters in a string.",
  }),
  limit("MinLength", int, {
    fits: isText,
    key: "minLength",
    help: "The smallest allowed number of characters in a string.",
  }),
  limit("Pattern", text, {
    fits: isText,
    key: "pattern",
    help: "A regular expression (RE2) that the string must match.",
  }),
  limit("MaxItems", int, { fits: isArray, key: "maxItems", help: "The largest allowed number of elements in a list." }),
  limit("MinItems", int, {
    fits: isArray,
    key: "minItems",
    help: "The smallest allowed number of elements in a list.",
  }),
  limit("UniqueItems", bool, {
    fits: isArray,
    key: "uniqueItems",
    help: "All elements differ. API servers reject this marker: use listType=set.",
  }),
  limit("MaxProperties", int, {
    fits: isObject,
    key: "maxProperties",
    help: "The largest allowed number of keys in a map.",
  }),
  limit("MinProperties", int, {
    fits: isObject,
    key: "minProperties",
    help: "The smallest allowed number of keys in a map.",
  }),
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
        return node.misfit(`needs ${needs}, but this is ${describe(node)}`, "remove the marker, or change the type");
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
  return node.type === "string" || node.intOrString ? undefined : "a string or an int-or-string";
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
