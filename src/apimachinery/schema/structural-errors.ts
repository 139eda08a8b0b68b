import { equalJson } from "../equal.ts";
import { cloneJson } from "../clone.ts";
import { compileRe2 } from "../re2.ts";
import { forbidden, invalid, required, type FieldError } from "./field-error.ts";
import type { JsonSchema } from "./json-schema.ts";
import { pruneUnknown } from "./prune.ts";
import { validateValue } from "./validate-value.ts";

/** Why an API server refuses a CRD's schema: it must be structural, and more. `path` is the schema's place in the CRD. */
export function structuralErrors(schema: JsonSchema, path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (schema.type === undefined) errors.push(required(`${path}.type`, "must not be empty at the root"));
  else if (schema.type !== "object") errors.push(invalid(`${path}.type`, schema.type, "must be object at the root"));
  checkMetadata(schema, path, errors);
  checkNode(schema, path, errors);
  return errors;
}

function checkNode(schema: JsonSchema, path: string, errors: FieldError[]): void {
  if (schema.pattern !== undefined) checkPattern(schema.pattern, path, errors);
  if (schema.uniqueItems)
    errors.push(
      forbidden(
        `${path}.uniqueItems`,
        "uniqueItems cannot be set to true since the runtime complexity becomes quadratic",
      ),
    );
  if (schema["x-kubernetes-preserve-unknown-fields"] === false)
    errors.push(invalid(`${path}.x-kubernetes-preserve-unknown-fields`, false, "must be true or undefined"));
  if (schema["x-kubernetes-embedded-resource"] && schema.type !== "object")
    errors.push(invalid(`${path}.type`, schema.type ?? "", "must be object if x-kubernetes-embedded-resource is true"));
  if (schema.properties && schema.additionalProperties !== undefined)
    errors.push(forbidden(`${path}.additionalProperties`, "additionalProperties and properties are mutual exclusive"));
  checkBranches(schema, path, errors);
  checkList(schema, path, errors);
  checkDefault(schema, path, errors);
  for (const [child, at, what] of childrenOf(schema, path)) {
    if (child.$ref !== undefined) {
      // Nothing else is said of it: it could be anything.
      errors.push(forbidden(`${at}.$ref`, "$ref is not supported"));
      continue;
    }
    if (isUntyped(child)) errors.push(required(`${at}.type`, `must not be empty for specified ${what}`));
    checkNode(child, at, errors);
  }
}

function checkPattern(pattern: string, path: string, errors: FieldError[]): void {
  try {
    compileRe2(pattern);
  } catch (error) {
    const why = `must be a valid regular expression, but isn't: ${error instanceof Error ? error.message : String(error)}`;
    errors.push(invalid(`${path}.pattern`, pattern, why));
  }
}

function* childrenOf(schema: JsonSchema, path: string): Generator<[JsonSchema, string, string]> {
  for (const [name, child] of Object.entries(schema.properties ?? {}))
    yield [child, `${path}.properties[${name}]`, "object fields"];
  if (typeof schema.additionalProperties === "object")
    yield [schema.additionalProperties, `${path}.additionalProperties`, "object fields"];
  if (schema.items) yield [schema.items, `${path}.items`, "array items"];
}

function isUntyped(schema: JsonSchema): boolean {
  return (
    schema.type === undefined &&
    !schema["x-kubernetes-int-or-string"] &&
    !schema["x-kubernetes-preserve-unknown-fields"]
  );
}

/** anyOf and its siblings may only restrict values: what makes the structure must stand outside of them. */
function checkBranches(schema: JsonSchema, path: string, errors: FieldError[]): void {
  const lists = { allOf: schema.allOf, anyOf: schema.anyOf, oneOf: schema.oneOf };
  for (const [name, list] of Object.entries(lists)) {
    if (schema["x-kubernetes-int-or-string"] && isIntOrStringPattern(name, list)) continue;
    list?.forEach((branch, index) => checkBranch(branch, `${path}.${name}[${index}]`, errors));
  }
  if (schema.not) checkBranch(schema.not, `${path}.not`, errors);
}

/** The one use of `type` below anyOf that is allowed, itself or in an allOf. */
function isIntOrStringPattern(name: string, list: readonly JsonSchema[] | undefined): boolean {
  const both = [{ type: "integer" }, { type: "string" }];
  return name === "anyOf" ? equalJson(list, both) : name === "allOf" && equalJson(list?.[0]?.anyOf, both);
}

const structureKeys = ["type", "default", "nullable", "title", "description", "additionalProperties"] as const;

function checkBranch(branch: JsonSchema, path: string, errors: FieldError[]): void {
  for (const key of structureKeys) {
    if (branch[key] !== undefined) errors.push(forbidden(`${path}.${key}`, "must be empty to be structural"));
  }
  for (const key of [
    "x-kubernetes-preserve-unknown-fields",
    "x-kubernetes-embedded-resource",
    "x-kubernetes-int-or-string",
  ] as const) {
    if (branch[key]) errors.push(forbidden(`${path}.${key}`, "must be false to be structural"));
  }
  for (const [child, at] of childrenOf(branch, path)) checkBranch(child, at, errors);
  checkBranches(branch, path, errors);
}

function checkList(schema: JsonSchema, path: string, errors: FieldError[]): void {
  if (schema.type === "array" && !schema.items) errors.push(required(`${path}.items`, "must be specified"));
  const type = schema["x-kubernetes-list-type"];
  const keys = schema["x-kubernetes-list-map-keys"] ?? [];
  if (type !== undefined && schema.type !== "array")
    errors.push(invalid(`${path}.type`, schema.type ?? "", "must be array if x-kubernetes-list-type is specified"));
  if (type !== "map") {
    if (keys.length > 0)
      errors.push(
        forbidden(`${path}.x-kubernetes-list-map-keys`, "must not be set unless x-kubernetes-list-type is map"),
      );
    if (type === "set") checkSetItems(schema.items, path, errors);
    return;
  }
  if (keys.length === 0)
    errors.push(required(`${path}.x-kubernetes-list-map-keys`, "must not be empty if x-kubernetes-list-type is map"));
  checkMapItems(schema.items ?? {}, keys, `${path}.items`, errors);
}

function checkSetItems(items: JsonSchema | undefined, path: string, errors: FieldError[]): void {
  if (items?.type === "object" && items["x-kubernetes-map-type"] !== "atomic")
    errors.push(
      invalid(
        `${path}.items.x-kubernetes-map-type`,
        items["x-kubernetes-map-type"] ?? null,
        "must be atomic as item of a list with x-kubernetes-list-type=set",
      ),
    );
  if (items?.type === "array" && (items["x-kubernetes-list-type"] ?? "atomic") !== "atomic")
    errors.push(
      invalid(
        `${path}.items.x-kubernetes-list-type`,
        items["x-kubernetes-list-type"],
        "must be atomic as item of a list with x-kubernetes-list-type=set",
      ),
    );
}

function checkMapItems(items: JsonSchema, keys: readonly string[], path: string, errors: FieldError[]): void {
  if (items.type !== "object")
    errors.push(
      invalid(`${path}.type`, items.type ?? "", "must be object if parent array's x-kubernetes-list-type is map"),
    );
  for (const key of keys) {
    const property = items.properties?.[key];
    if (!property)
      errors.push(
        invalid(`${path}.properties`, keys, `entries must all be names of item properties: ${key} is missing`),
      );
    else if (property.default === undefined && !items.required?.includes(key))
      errors.push(
        required(
          `${path}.properties[${key}].default`,
          "this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property",
        ),
      );
  }
}

function checkDefault(schema: JsonSchema, path: string, errors: FieldError[]): void {
  if (schema.default === undefined) return;
  const value = cloneJson(schema.default);
  pruneUnknown({ ...schema, "x-kubernetes-embedded-resource": false }, value, (field) =>
    errors.push(invalid(`${path}.default`, schema.default, `must be pruned: unknown field ${field}`)),
  );
  for (const { reason, field, message } of validateValue(schema, schema.default)) {
    errors.push({
      reason,
      field: field === "<nil>" ? `${path}.default` : `${path}.default${field && `.${field}`}`,
      message,
    });
  }
}

/** Only a name's own limits may be declared of a resource's metadata: the server knows the rest. */
function checkMetadata(schema: JsonSchema, path: string, errors: FieldError[]): void {
  const metadata = schema.properties?.["metadata"];
  if (!metadata) return;
  const at = `${path}.properties[metadata]`;
  const unknown = Object.keys(metadata.properties ?? {}).filter((name) => name !== "name" && name !== "generateName");
  if (unknown.length > 0 || metadata.required || metadata.additionalProperties !== undefined)
    errors.push(
      forbidden(at, "must not specify anything other than name and generateName, but metadata is implicitly specified"),
    );
}
