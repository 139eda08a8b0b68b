import { equalJson } from "../equal.ts";
import { compileRe2 } from "../re2.ts";
import { defaultErrors } from "./default-errors.ts";
import { forbidden, invalid, notSupported, required, type FieldError } from "./field-error.ts";
import type { JsonSchema } from "./json-schema.ts";
import { listErrors } from "./list-errors.ts";
import { embeddedErrors, rootErrors } from "./resource-errors.ts";

/** Why an API server refuses a CRD's schema: it must be structural, and more. `path` is the schema's place in the CRD. */
export function structuralErrors(schema: JsonSchema, path: string): FieldError[] {
  const errors = rootErrors(schema, path);
  // A default for a whole object must be one.
  const judged: JsonSchema = { ...schema, "x-kubernetes-embedded-resource": true };
  errors.push(...nodeErrors(schema, path), ...defaultErrors(judged, path));
  childErrors(schema, path, errors);
  return errors;
}

function childErrors(schema: JsonSchema, path: string, errors: FieldError[]): void {
  for (const [child, at, what] of childrenOf(schema, path)) {
    if (child.$ref !== undefined) {
      // Nothing else is said of it: it could be anything.
      errors.push(forbidden(`${at}.$ref`, "$ref is not supported"));
      continue;
    }
    if (isUntyped(child)) errors.push(required(`${at}.type`, `must not be empty for specified ${what}`));
    errors.push(...embeddedErrors(child, at), ...nodeErrors(child, at), ...defaultErrors(child, at));
    childErrors(child, at, errors);
  }
}

/** What is wrong with a node itself. */
function nodeErrors(schema: JsonSchema, path: string): FieldError[] {
  const errors: FieldError[] = [];
  checkValue(schema, path, errors);
  if (schema["x-kubernetes-preserve-unknown-fields"] === false)
    errors.push(invalid(`${path}.x-kubernetes-preserve-unknown-fields`, false, "must be true or undefined"));
  if (schema.properties && schema.additionalProperties !== undefined)
    errors.push(forbidden(`${path}.additionalProperties`, "additionalProperties and properties are mutual exclusive"));
  checkType(schema, path, errors);
  checkBranches(schema, path, errors);
  errors.push(...listErrors(schema, path));
  return errors;
}

const types = ["array", "boolean", "integer", "number", "object", "string"];

function checkType({ type, ...schema }: JsonSchema, path: string, errors: FieldError[]): void {
  if (type !== undefined && !types.includes(type)) errors.push(notSupported(`${path}.type`, type, types));
  const mapType = schema["x-kubernetes-map-type"];
  if (mapType === undefined) return;
  if (mapType !== "atomic" && mapType !== "granular")
    errors.push(notSupported(`${path}.x-kubernetes-map-type`, mapType, ["atomic", "granular"]));
  if (type !== "object")
    errors.push(
      type === undefined
        ? required(`${path}.type`, "must be object if x-kubernetes-map-type is specified")
        : invalid(`${path}.type`, type, "must be object if x-kubernetes-map-type is specified"),
    );
}

/** What may stand in branches, too. */
function checkValue({ pattern, uniqueItems }: JsonSchema, path: string, errors: FieldError[]): void {
  if (uniqueItems)
    errors.push(
      forbidden(
        `${path}.uniqueItems`,
        "uniqueItems cannot be set to true since the runtime complexity becomes quadratic",
      ),
    );
  if (pattern === undefined) return;
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

/** What only the structure may say, with the server's word for its absence. */
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
  checkValue(branch, path, errors);
  for (const [key, absent] of Object.entries(structureKeys)) {
    const said = branch[key as keyof typeof structureKeys];
    if (said !== undefined && said !== false)
      errors.push(forbidden(`${path}.${key}`, `must be ${absent} to be structural`));
  }
  for (const [child, at] of childrenOf(branch, path)) checkBranch(child, at, errors);
  checkBranches(branch, path, errors);
}
