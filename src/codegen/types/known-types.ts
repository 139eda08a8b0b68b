import type { JsonSchema } from "../../apimachinery/schema/json-schema.ts";

/** What an API type may import from `tsop`: scalars stand for themselves, the others are named types. */
export interface KnownType {
  readonly schema: JsonSchema;
  /** Markers on a field change the schema itself, as with Go's basic types. */
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
  anyOf: [{ type: "integer" }, { type: "string" }],
  "x-kubernetes-int-or-string": true,
};

const dateTime: JsonSchema = { type: "string", format: "date-time" };

const condition: JsonSchema = {
  type: "object",
  description: "Condition contains details for one aspect of the current state of this API Resource.",
  properties: {
    lastTransitionTime: {
      ...dateTime,
      description:
        "lastTransitionTime is the last time the condition transitioned from one status to another.\nThis should be when the underlying condition changed.  If that is not known, then using the time when the API field changed is acceptable.",
    },
    message: {
      type: "string",
      description:
        "message is a human readable message indicating details about the transition.\nThis may be an empty string.",
      maxLength: 32768,
    },
    observedGeneration: {
      type: "integer",
      format: "int64",
      description:
        "observedGeneration represents the .metadata.generation that the condition was set based upon.\nFor instance, if .metadata.generation is currently 12, but the .status.conditions[x].observedGeneration is 9, the condition is out of date\nwith respect to the current state of the instance.",
      minimum: 0,
    },
    reason: {
      type: "string",
      description:
        "reason contains a programmatic identifier indicating the reason for the condition's last transition.\nProducers of specific condition types may define expected values and meanings for this field,\nand whether the values are considered a guaranteed API.\nThe value should be a CamelCase string.\nThis field may not be empty.",
      maxLength: 1024,
      minLength: 1,
      pattern: "^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$",
    },
    status: {
      type: "string",
      description: "status of the condition, one of True, False, Unknown.",
      enum: ["True", "False", "Unknown"],
    },
    type: {
      type: "string",
      description: "type of condition in CamelCase or in foo.example.com/CamelCase.",
      maxLength: 316,
      pattern:
        "^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$",
    },
  },
  required: ["lastTransitionTime", "message", "reason", "status", "type"],
};

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
  ["Condition", { schema: condition }],
]);
