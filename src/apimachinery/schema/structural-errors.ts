import { messageOf } from "../../errors/message-of.ts";
import { equalJson } from "../equal.ts";
import { compileRe2 } from "../re2.ts";
import { childrenOf } from "./children-of.ts";
import { forbidden, invalid, required, tooLong, type FieldError } from "../field-error.ts";
import { isObject } from "../is-object.ts";
import { intOrStringBranches, type JsonSchema } from "../json-schema.ts";
import { isPlainPattern } from "./plain-pattern.ts";

/**
 * Returns the reasons why a schema is not structural, which an API server requires. `path` is the schema's field in the
 * CRD.
 */
export function structuralErrors(schema: JsonSchema, path: string): FieldError[] {
  const errors = rootErrors(schema, path);
  checkNode(schema, path, errors);
  return errors;
}

function checkNode(schema: JsonSchema, path: string, errors: FieldError[]): void {
  if (schema.pattern !== undefined) checkPattern(schema.pattern, path, errors);
  for (const key of ["x-kubernetes-preserve-unknown-fields", "x-kubernetes-embedded-resource"] as const)
    if (schema["x-kubernetes-int-or-string"] && schema[key])
      errors.push(invalid(`${path}.${key}`, true, "must be false if x-kubernetes-int-or-string is true"));
  if (Array.isArray(schema.items) && schema.items.length > 0)
    errors.push(forbidden(`${path}.items`, "items must be a schema object and not an array"));
  else if (schema.type === "array" && !isObject(schema.items))
    errors.push(required(`${path}.items`, "must be specified"));
  checkBranches(schema, path, errors);
  for (const { child, at, what } of childrenOf(schema, path)) {
    if (child.$ref !== undefined) {
      // A reference could be anything, so no other error is reported.
      errors.push(forbidden(`${at}.$ref`, "$ref is not supported"));
      continue;
    }
    if (isUntyped(child)) errors.push(required(`${at}.type`, `must not be empty for specified ${what}`));
    errors.push(...embeddedErrors(child, at));
    checkNode(child, at, errors);
  }
}

/** The most characters of a pattern, with which the time to match a text grows. */
const longestPattern = 10_000;

function checkPattern(pattern: string, path: string, errors: FieldError[]): void {
  if (pattern.length > longestPattern) return void errors.push(tooLong(`${path}.pattern`, longestPattern));
  if (isPlainPattern(pattern)) return;
  try {
    compileRe2(pattern);
  } catch (error) {
    const why = `must be a valid regular expression, but isn't: ${messageOf(error)}`;
    errors.push(invalid(`${path}.pattern`, pattern, why));
  }
}

function isUntyped(schema: JsonSchema): boolean {
  return (
    schema.type === undefined &&
    !schema["x-kubernetes-int-or-string"] &&
    !schema["x-kubernetes-preserve-unknown-fields"]
  );
}

/** Checks anyOf and its siblings, which may only restrict values: the structure must be declared outside of them. */
function checkBranches(schema: JsonSchema, path: string, errors: FieldError[]): void {
  const lists = { allOf: schema.allOf, anyOf: schema.anyOf, oneOf: schema.oneOf };
  for (const [name, list] of Object.entries(lists)) {
    if (isIntOrStringPattern(name, list)) continue;
    list?.forEach((branch, index) => checkBranch(branch, `${path}.${name}[${index}]`, errors));
  }
  if (schema.not) checkBranch(schema.not, `${path}.not`, errors);
}

/** Reports the only permitted use of `type` below anyOf, direct or in an allOf. */
function isIntOrStringPattern(name: string, list: readonly JsonSchema[] | undefined): boolean {
  const branches = name === "anyOf" ? list : name === "allOf" ? list?.[0]?.anyOf : undefined;
  return equalJson(branches, intOrStringBranches);
}

/** The keywords that only the structure may use, with the server's word for their absence. */
const structureKeys = {
  type: "empty",
  default: "undefined",
  nullable: "false",
  title: "empty",
  description: "empty",
  additionalProperties: "undefined",
  "x-kubernetes-preserve-unknown-fields": "false",
  "x-kubernetes-embedded-resource": "false",
  "x-kubernetes-int-or-string": "false",
  "x-kubernetes-list-type": "undefined",
  "x-kubernetes-list-map-keys": "empty",
  "x-kubernetes-map-type": "undefined",
  "x-kubernetes-validations": "empty",
} as const;

function checkBranch(branch: JsonSchema, path: string, errors: FieldError[]): void {
  if (branch.pattern !== undefined) checkPattern(branch.pattern, path, errors);
  for (const [key, absent] of Object.entries(structureKeys)) {
    const said = branch[key as keyof typeof structureKeys];
    if (said !== undefined && said !== false)
      errors.push(forbidden(`${path}.${key}`, `must be ${absent} to be structural`));
  }
  for (const { child, at } of childrenOf(branch, path)) checkBranch(child, at, errors);
  checkBranches(branch, path, errors);
}

/** Returns the errors of an API server in the root of a kind's schema. */
function rootErrors(schema: JsonSchema, path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (schema.type === undefined) errors.push(required(`${path}.type`, "must not be empty at the root"));
  else if (schema.type !== "object") errors.push(invalid(`${path}.type`, schema.type, "must be object at the root"));
  if (schema.nullable) errors.push(forbidden(`${path}.nullable`, "nullable cannot be true at the root"));
  const embedded = schema["x-kubernetes-embedded-resource"]
    ? embeddedErrors(schema, path)
    : envelopeErrors(schema, path);
  return [...errors, ...embedded, ...metadataErrors(schema, path)];
}

/** Returns the errors of an API server in the schema of an embedded object. */
function embeddedErrors(schema: JsonSchema, path: string): FieldError[] {
  if (!schema["x-kubernetes-embedded-resource"]) return [];
  const rule = "if x-kubernetes-embedded-resource is true";
  const errors = envelopeErrors(schema, path);
  if (schema.type === undefined) errors.push(required(`${path}.type`, `must be object ${rule}`));
  else if (schema.type !== "object") errors.push(invalid(`${path}.type`, schema.type, `must be object ${rule}`));
  if (!schema.properties && !schema["x-kubernetes-preserve-unknown-fields"])
    errors.push(
      required(`${path}.properties`, `must not be empty ${rule} without x-kubernetes-preserve-unknown-fields`),
    );
  return errors;
}

const envelope = { apiVersion: "string", kind: "string", metadata: "object" };

/** Checks the fields that every object has. */
function envelopeErrors({ properties = {} }: JsonSchema, path: string): FieldError[] {
  return Object.entries(envelope).flatMap(([name, type]) => {
    const found = Object.hasOwn(properties, name) ? properties[name]?.type : undefined;
    if (found === undefined || found === type) return [];
    return [invalid(`${path}.properties[${name}].type`, found, `must be ${type}`)];
  });
}

const nameRules = ["name", "generateName"];
const metadataKeys: readonly string[] = ["type", "description", "properties", "default"];

/** Checks the schema of metadata, which may only restrict the name: the server defines the rest. */
function metadataErrors({ properties }: JsonSchema, path: string): FieldError[] {
  const metadata = properties?.["metadata"];
  if (!metadata) return [];
  const at = `${path}.properties[metadata]`;
  const errors: FieldError[] = [];
  const unknown = Object.keys(metadata.properties ?? {}).some((name) => !nameRules.includes(name));
  if (unknown || Object.keys(metadata).some((key) => !metadataKeys.includes(key)))
    errors.push(
      forbidden(at, "must not specify anything other than name and generateName, but metadata is implicitly specified"),
    );
  const defaulted = Object.entries({ "": metadata, ...metadata.properties }).filter(([, node]) => node.default != null);
  for (const [name] of defaulted)
    errors.push(forbidden(`${at}${name && `.properties[${name}]`}.default`, "must not be set in top-level metadata"));
  return errors;
}
