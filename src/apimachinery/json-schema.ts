/** An OpenAPI v3 schema as in Kubernetes: structural, with `x-kubernetes-*` extensions. */
export interface JsonSchema {
  $ref?: string;
  type?: "object" | "array" | "string" | "integer" | "number" | "boolean";
  format?: string;
  title?: string;
  description?: string;
  default?: unknown;
  example?: unknown;
  externalDocs?: { url: string; description?: string };
  nullable?: boolean;
  enum?: unknown[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: boolean | JsonSchema;
  items?: JsonSchema;
  maximum?: number;
  exclusiveMaximum?: boolean;
  minimum?: number;
  exclusiveMinimum?: boolean;
  multipleOf?: number;
  maxLength?: number;
  minLength?: number;
  pattern?: string;
  maxItems?: number;
  minItems?: number;
  uniqueItems?: boolean;
  maxProperties?: number;
  minProperties?: number;
  allOf?: JsonSchema[];
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  not?: JsonSchema;
  /** Keywords that a server rejects in a CRD. */
  additionalItems?: boolean | JsonSchema;
  definitions?: Record<string, JsonSchema>;
  dependencies?: Record<string, unknown>;
  id?: string;
  patternProperties?: Record<string, JsonSchema>;
  "x-kubernetes-preserve-unknown-fields"?: boolean;
  "x-kubernetes-embedded-resource"?: boolean;
  "x-kubernetes-int-or-string"?: boolean;
  "x-kubernetes-list-type"?: "atomic" | "set" | "map";
  "x-kubernetes-list-map-keys"?: string[];
  "x-kubernetes-map-type"?: "granular" | "atomic";
  "x-kubernetes-validations"?: ValidationRule[];
  /** For built-in kinds: how a strategic merge patch merges lists. */
  /** The `+k8s:` tags of a built-in field, such as `minimum=0`. */
  "x-kubernetes-tags"?: readonly string[];
  "x-kubernetes-patch-strategy"?: string;
  "x-kubernetes-patch-merge-key"?: string;
  "x-kubernetes-group-version-kind"?: { group: string; version: string; kind: string }[];
}

/** A CEL rule. */
export interface ValidationRule {
  rule: string;
  message?: string;
  messageExpression?: string;
  reason?: "FieldValueRequired" | "FieldValueInvalid" | "FieldValueForbidden" | "FieldValueDuplicate";
  fieldPath?: string;
  optionalOldSelf?: boolean;
}

/** The branches that say the same as `x-kubernetes-int-or-string`. */
export const intOrStringBranches: JsonSchema[] = [{ type: "integer" }, { type: "string" }];
