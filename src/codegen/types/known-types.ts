import { intOrStringBranches, type JsonSchema } from "../../apimachinery/json-schema.ts";

/** The types that an API type can import from `tsop`: scalars are inlined, the others are named types. */
export interface KnownType {
  readonly schema: JsonSchema;
  /** True if markers on a field change the schema itself, as with Go's basic types. */
  readonly scalar?: boolean;
}

export function knownType(name: string): KnownType | undefined {
  return known.get(name);
}

export function knownTypeNames(): string[] {
  return [...known.keys()];
}

const quantityPattern =
  "^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$";

/** A number or a text. */
export const intOrString: JsonSchema = {
  anyOf: intOrStringBranches,
  "x-kubernetes-int-or-string": true,
};

const dateTime: JsonSchema = { type: "string", format: "date-time" };

const known: ReadonlyMap<string, KnownType> = new Map<string, KnownType>([
  ["Int32", { scalar: true, schema: { type: "integer", format: "int32" } }],
  ["Int64", { scalar: true, schema: { type: "integer", format: "int64" } }],
  ["Float", { scalar: true, schema: { type: "number" } }],
  ["Bytes", { scalar: true, schema: { type: "string", format: "byte" } }],
  ["Quantity", { schema: { ...intOrString, pattern: quantityPattern } }],
  ["IntOrString", { schema: intOrString }],
  ["Time", { schema: dateTime }],
  ["MicroTime", { schema: dateTime }],
  ["Duration", { schema: { type: "string" } }],
  ["RawExtension", { schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } }],
  [
    "EmbeddedObject",
    {
      schema: {
        type: "object",
        "x-kubernetes-embedded-resource": true,
        "x-kubernetes-preserve-unknown-fields": true,
      },
    },
  ],
  ["JSONValue", { schema: { "x-kubernetes-preserve-unknown-fields": true } }],
  ["ObjectMeta", { schema: { type: "object" } }],
]);
