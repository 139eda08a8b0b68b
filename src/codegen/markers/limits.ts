import type { JsonSchema } from "../../apimachinery/json-schema.ts";
import { bool, int, number, text, type ValueType } from "./argument.ts";
import { value, type Marker, type SchemaNode } from "./marker.ts";

const limits: readonly Limit[] = [
  { name: "Maximum", type: number, fits: isNumeric, key: "maximum", help: "The largest allowed number." },
  { name: "Minimum", type: number, fits: isNumeric, key: "minimum", help: "The smallest allowed number." },
  {
    name: "MultipleOf",
    type: number,
    fits: isNumeric,
    key: "multipleOf",
    help: "The number must be a multiple of this.",
  },
  {
    name: "ExclusiveMaximum",
    type: bool,
    fits: isNumeric,
    key: "exclusiveMaximum",
    help: "If true, the number must be less than Maximum.",
  },
  {
    name: "ExclusiveMinimum",
    type: bool,
    fits: isNumeric,
    key: "exclusiveMinimum",
    help: "If true, the number must be greater than Minimum.",
  },
  {
    name: "MaxLength",
    type: int,
    fits: isText,
    key: "maxLength",
    help: "The largest allowed number of characters in a string.",
  },
  {
    name: "MinLength",
    type: int,
    fits: isText,
    key: "minLength",
    help: "The smallest allowed number of characters in a string.",
  },
  {
    name: "Pattern",
    type: text,
    fits: isText,
    key: "pattern",
    help: "A regular expression (RE2) that the string must match.",
  },
  {
    name: "MaxItems",
    type: int,
    fits: isArray,
    key: "maxItems",
    help: "The largest allowed number of elements in a list.",
  },
  {
    name: "MinItems",
    type: int,
    fits: isArray,
    key: "minItems",
    help: "The smallest allowed number of elements in a list.",
  },
  {
    name: "UniqueItems",
    type: bool,
    fits: isArray,
    key: "uniqueItems",
    help: "All elements differ. API servers reject this marker: use listType=set.",
  },
  {
    name: "MaxProperties",
    type: int,
    fits: isObject,
    key: "maxProperties",
    help: "The largest allowed number of keys in a map.",
  },
  {
    name: "MinProperties",
    type: int,
    fits: isObject,
    key: "minProperties",
    help: "The smallest allowed number of keys in a map.",
  },
];

/** Limits of numbers, strings, lists and maps: `kubebuilder:validation:<Name>`. */
export const limitMarkers: readonly Marker[] = limits.map((limit) =>
  limitMarker(limit, `kubebuilder:validation:${limit.name}`, true),
);

/** The limits that are tags of Kubernetes, too: `k8s:minimum`. */
export const limitTags: readonly Marker[] = limits
  .filter(({ name }) => /^(Max|Min)/.test(name))
  .map((limit) => limitMarker(limit, `k8s:${limit.name[0]?.toLowerCase()}${limit.name.slice(1)}`, false));

interface Limit {
  /** The last part of the marker's name. */
  readonly name: string;
  readonly type: ValueType<number | boolean | string>;
  readonly fits: (node: SchemaNode) => string | undefined;
  readonly key: keyof JsonSchema;
  readonly help: string;
}

function limitMarker({ name, type, fits, key, help }: Limit, fullName: string, items: boolean): Marker {
  const marker: Marker<number | boolean | string> = {
    name: fullName,
    targets: ["type", "field"],
    items,
    argument: value(type),
    help,
    apply(node, limit) {
      const needs = fits(node);
      if (needs)
        return node.misfit(`needs ${needs}, but this is ${describe(node)}`, "remove the marker, or change the type");
      if (node.bounds.includes(name)) return node.misfit("repeats a bound of the type", "keep only one of the two");
      if (typeof limit === "number" && node.type === "integer" && !Number.isInteger(limit)) {
        const advice = "the field is an integer; import Float from tsop for fractions";
        return node.misfit(`needs a whole number here, not ${limit}`, advice);
      }
      // False is the default of Kubernetes, and Go omits it.
      if (limit !== false) Object.assign(node.schema, { [key]: limit });
    },
  };
  return marker;
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
