import { isLimitTag, limits as keywords, type Limit as Keyword } from "../../apimachinery/tags.ts";
import { bool, int, number, text, type ValueType } from "./argument.ts";
import { value, type Marker, type SchemaNode } from "./marker.ts";

const limits: readonly Limit[] = [
  { name: "Maximum", type: number, key: "maximum", help: "The largest allowed number." },
  { name: "Minimum", type: number, key: "minimum", help: "The smallest allowed number." },
  { name: "MultipleOf", type: number, key: "multipleOf", help: "The number must be a multiple of this." },
  {
    name: "ExclusiveMaximum",
    type: bool,
    key: "exclusiveMaximum",
    help: "If true, the number must be less than Maximum.",
  },
  {
    name: "ExclusiveMinimum",
    type: bool,
    key: "exclusiveMinimum",
    help: "If true, the number must be greater than Minimum.",
  },
  { name: "MaxLength", type: int, key: "maxLength", help: "The largest allowed number of characters in a string." },
  { name: "MinLength", type: int, key: "minLength", help: "The smallest allowed number of characters in a string." },
  { name: "Pattern", type: text, key: "pattern", help: "A regular expression (RE2) that the string must match." },
  { name: "MaxItems", type: int, key: "maxItems", help: "The largest allowed number of elements in a list." },
  { name: "MinItems", type: int, key: "minItems", help: "The smallest allowed number of elements in a list." },
  {
    name: "UniqueItems",
    type: bool,
    key: "uniqueItems",
    help: "All elements differ. API servers reject this marker: use listType=set.",
  },
  { name: "MaxProperties", type: int, key: "maxProperties", help: "The largest allowed number of keys in a map." },
  { name: "MinProperties", type: int, key: "minProperties", help: "The smallest allowed number of keys in a map." },
];

/** Limits of numbers, strings, lists and maps: `kubebuilder:validation:<Name>`. */
export const limitMarkers: readonly Marker[] = limits.map((limit) =>
  limitMarker(limit, `kubebuilder:validation:${limit.name}`, true),
);

/** The limits that are tags of Kubernetes, too: `k8s:minimum`. */
export const limitTags: readonly Marker[] = limits
  .filter(({ key }) => isLimitTag(key))
  .map((limit) => limitMarker(limit, `k8s:${limit.key}`, false));

interface Limit {
  /** The last part of the marker's name. */
  readonly name: string;
  readonly type: ValueType<number | boolean | string>;
  readonly key: Keyword;
  readonly help: string;
}

function limitMarker({ name, type, key, help }: Limit, fullName: string, items: boolean): Marker {
  const marker: Marker<number | boolean | string> = {
    name: fullName,
    targets: ["type", "field"],
    items,
    argument: value(type),
    help,
    apply(node, limit) {
      if (!fits(key, node))
        return node.misfit(
          `needs ${needs[keywords[key]]}, but this is ${describe(node)}`,
          "remove the marker, or change the type",
        );
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

const needs = {
  number: "a number",
  string: "a string or an int-or-string",
  array: "a list",
  object: "an object or a map",
} as const;

/** Reports whether a limit is for the values of a schema. */
export function fits(key: Keyword, { type, intOrString }: Pick<SchemaNode, "type" | "intOrString">): boolean {
  const of = keywords[key];
  return of === (type === "integer" ? "number" : type) || (of === "string" && intOrString);
}

function describe(node: SchemaNode): string {
  if (node.intOrString) return "an int-or-string";
  return node.type ? `of type ${node.type}` : "of no type";
}
