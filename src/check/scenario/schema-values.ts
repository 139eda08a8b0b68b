import type { JsonSchema } from "../../apimachinery/json-schema.ts";

/** A value for a field of a custom resource, at an edge of its schema. */
export interface FieldValue {
  /** The names on the way to the field, such as `["spec", "size"]`. */
  readonly path: readonly string[];
  readonly value: unknown;
  /** Describes the value: `the minimum`, `unset`. */
  readonly label: string;
}

/** The deepest field that is explored. */
const deepest = 6;

/** Lists values for each field of a schema, at its edges first. Not all are valid: rules may refuse some. */
export function valuesOf(schema: JsonSchema, path: readonly string[], present: unknown): FieldValue[] {
  if (path.length > deepest) return [];
  const own = edgesOf(schema, present).map(([label, value]) => ({ path, value, label }));
  const inner = Object.entries(schema.properties ?? {}).flatMap(([name, child]) => {
    const value = (present as Record<string, unknown> | undefined)?.[name];
    const unset =
      schema.required?.includes(name) || value === undefined
        ? []
        : [{ path: [...path, name], value: null, label: "unset" }];
    return [...unset, ...valuesOf(child, [...path, name], value)];
  });
  return [...own, ...inner].filter(({ value }) => JSON.stringify(value) !== JSON.stringify(present));
}

type Edge = readonly [label: string, value: unknown];

/** Returns the edges of a schema: scalars, and empty lists and maps. */
export function edgesOf(schema: JsonSchema, present?: unknown): Edge[] {
  if (schema.enum) return schema.enum.map((value) => [`the value ${JSON.stringify(value)}`, value] as const);
  if (schema["x-kubernetes-int-or-string"])
    return [
      ["a number", 1],
      ["a percentage", "50%"],
    ];
  switch (schema.type) {
    case "boolean":
      return [
        ["true", true],
        ["false", false],
      ];
    case "integer":
    case "number":
      return numberEdges(schema, present);
    case "string":
      return textEdges(schema, present);
    case "array":
      return schema.minItems ? [] : [["empty", []]];
    case "object":
      return schema.additionalProperties
        ? [
            ["empty", {}],
            ["a key", sampleMap(schema)],
          ]
        : [];
    case undefined:
    default:
      return [];
  }
}

function numberEdges(
  { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf = 1 }: JsonSchema,
  present: unknown,
): Edge[] {
  const least = minimum === undefined ? undefined : exclusiveMinimum ? minimum + multipleOf : minimum;
  const most = maximum === undefined ? undefined : exclusiveMaximum ? maximum - multipleOf : maximum;
  const more = typeof present === "number" ? present + multipleOf : (least ?? multipleOf) + multipleOf;
  return [
    ["the minimum", least ?? 0],
    ["the maximum", most ?? 5 * multipleOf],
    // More rather than less: to have less is forbidden for some sizes.
    ["a value between", most === undefined || more <= most ? more : Math.max(least ?? 0, most - multipleOf)],
  ];
}

/** A duration, a quantity or the like: programs that cannot parse another text may not even read the object. */
const measure = /^\d+(\.\d+)?[a-zA-Z]+$/;

function textEdges({ minLength = 0, maxLength, pattern, format }: JsonSchema, present: unknown): Edge[] {
  const known = formats[format ?? ""];
  if (known !== undefined) return [["a valid text", known]];
  const more: Edge[] = typeof present === "string" && measure.test(present) ? [["a value between", `1${present}`]] : [];
  // Texts for a pattern cannot be generated; the samples have texts that match.
  if (pattern !== undefined) return more;
  const filled = "a".repeat(Math.max(1, minLength));
  return [
    ...more,
    ...(minLength === 0 ? [["empty", ""] as const] : []),
    ["a short text", filled],
    ...(maxLength !== undefined && maxLength <= 253 ? [["the longest text", "a".repeat(maxLength)] as const] : []),
  ];
}

const formats: Readonly<Record<string, string>> = {
  "date-time": "2026-01-01T00:00:00Z",
  date: "2026-01-01",
  duration: "10s",
  uuid: "00000000-0000-4000-8000-000000000000",
  ipv4: "192.0.2.1",
  hostname: "example.com",
  uri: "https://example.com/",
  byte: "YQ==",
};

function sampleMap({ additionalProperties }: JsonSchema): object {
  const values = typeof additionalProperties === "object" ? edgesOf(additionalProperties) : [];
  return { key: values.at(-1)?.[1] ?? "value" };
}
