import type { JsonSchema, ValidationRule } from "../../apimachinery/json-schema.ts";
import { anyElement, bool, list, text } from "./argument.ts";
import { named, optional, required, switchOn, value, type Marker } from "./marker.ts";

const everywhere = { targets: ["type", "field"], items: true } as const;

export const enumMarker: Marker<unknown[]> = {
  ...everywhere,
  name: "kubebuilder:validation:Enum",
  argument: value(list(anyElement)),
  help: "The allowed values, in this order.",
  apply(node, values) {
    node.schema.enum = values;
  },
};

export const format: Marker<string> = {
  ...everywhere,
  name: "kubebuilder:validation:Format",
  argument: value(text),
  help: "The OpenAPI format, such as date-time or ipv4.",
  apply(node, name) {
    node.schema.format = name;
  },
};

export const type: Marker<string> = {
  ...everywhere,
  name: "kubebuilder:validation:Type",
  argument: value(text),
  help: "Overrides the type in the schema.",
  priority: 9,
  apply(node, name) {
    if (!schemaTypes.has(name)) {
      return node.misfit(`does not accept "${name}"`, `use one of ${[...schemaTypes].join(", ")}`);
    }
    node.schema.type = name as NonNullable<JsonSchema["type"]>;
  },
};

const schemaTypes = new Set(["object", "array", "string", "integer", "number", "boolean"]);

export const preserveUnknownFieldsOldName: Marker<true> = {
  ...switchOn(
    "kubebuilder:validation:XPreserveUnknownFields",
    everywhere.targets,
    "The old name of kubebuilder:pruning:PreserveUnknownFields.",
    "x-kubernetes-preserve-unknown-fields",
  ),
  items: true,
};

export const embeddedResource: Marker<true> = {
  ...switchOn(
    "kubebuilder:validation:XEmbeddedResource",
    everywhere.targets,
    "The value is a whole Kubernetes object, with apiVersion, kind and metadata.",
    "x-kubernetes-embedded-resource",
  ),
  items: true,
};

export const intOrString: Marker<true> = {
  ...switchOn(
    "kubebuilder:validation:XIntOrString",
    everywhere.targets,
    "The value is an integer or a string.",
    "x-kubernetes-int-or-string",
  ),
  items: true,
  priority: 9,
};

const reasons = ["FieldValueRequired", "FieldValueInvalid", "FieldValueForbidden", "FieldValueDuplicate"] as const;

export const celRule: Marker<RuleArguments> = {
  ...everywhere,
  name: "kubebuilder:validation:XValidation",
  argument: named({
    rule: required(text, "the CEL expression that must be true"),
    message: optional(text, "the message if the rule is false"),
    messageExpression: optional(text, "a CEL expression that returns the message"),
    reason: optional(text, `one of ${reasons.join(", ")}`),
    fieldPath: optional(text, "the field that the error names"),
    optionalOldSelf: optional(bool, "evaluate a rule with oldSelf on creation, too"),
  }),
  help: "A CEL validation rule; repeatable.",
  apply(node, { rule, reason, ...rest }) {
    if (reason && !reasons.some((known) => known === reason)) {
      return node.misfit(`does not accept the reason "${reason}"`, `use one of ${reasons.join(", ")}`);
    }
    if (rest.optionalOldSelf && !/\boldSelf\b/.test(rule)) {
      return node.misfit("sets optionalOldSelf, but the rule does not use oldSelf", "remove optionalOldSelf");
    }
    const given = Object.entries({ reason, ...rest }).filter(([, part]) => part !== undefined && part !== "");
    addRule(node.schema, { rule, ...Object.fromEntries(given) });
  },
};

interface RuleArguments {
  rule: string;
  message?: string;
  messageExpression?: string;
  reason?: string;
  fieldPath?: string;
  optionalOldSelf?: boolean;
}

/** Appends to `x-kubernetes-validations`. */
export function addRule(schema: JsonSchema, rule: ValidationRule): void {
  schema["x-kubernetes-validations"] = [...(schema["x-kubernetes-validations"] ?? []), rule];
}
