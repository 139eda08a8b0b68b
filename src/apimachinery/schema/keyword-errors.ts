import { isObject } from "../is-object.ts";
import { childrenOf } from "./children-of.ts";
import { forbidden, invalid, notSupported, required, type FieldError } from "../field-error.ts";
import type { JsonSchema } from "../json-schema.ts";
import { listErrors } from "./list-errors.ts";

/** Returns the errors that an API server reports for the keywords of a schema, each keyword separately. */
export function keywordErrors(schema: JsonSchema, path: string): FieldError[] {
  const errors = typeErrors(schema, path);
  for (const word of unsupported)
    if (isSet(schema[word])) errors.push(forbidden(`${path}.${word}`, `${word} is not supported`));
  if (schema.uniqueItems)
    errors.push(
      forbidden(
        `${path}.uniqueItems`,
        "uniqueItems cannot be set to true since the runtime complexity becomes quadratic",
      ),
    );
  // `true` adds nothing that the schema of a Go type could express, and passes.
  if (schema.properties && (schema.additionalProperties ?? true) !== true)
    errors.push(forbidden(`${path}.additionalProperties`, "additionalProperties and properties are mutual exclusive"));
  if (schema["x-kubernetes-preserve-unknown-fields"] === false)
    errors.push(invalid(`${path}.x-kubernetes-preserve-unknown-fields`, false, "must be true or undefined"));
  errors.push(...listErrors(schema, path));
  for (const { child, at } of childrenOf(schema, path)) errors.push(...keywordErrors(child, at));
  for (const { branch, at } of branchesOf(schema, path)) errors.push(...branchErrors(branch, at));
  return errors;
}

const unsupported = ["additionalItems", "definitions", "dependencies", "id", "patternProperties"] as const;

/** Reports whether a value is set for Go, where an empty text or map is not. */
function isSet(value: unknown): boolean {
  return value !== undefined && value !== "" && !(isObject(value) && Object.keys(value).length === 0);
}

const types = ["array", "boolean", "integer", "number", "object", "string"];

function typeErrors({ type, ...schema }: JsonSchema, path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (type !== undefined && !types.includes(type)) errors.push(notSupported(`${path}.type`, type, types));
  const mapType = schema["x-kubernetes-map-type"];
  if (mapType === undefined) return errors;
  if (mapType !== "atomic" && mapType !== "granular")
    errors.push(notSupported(`${path}.x-kubernetes-map-type`, mapType, ["atomic", "granular"]));
  const rule = "must be object if x-kubernetes-map-type is specified";
  if (type === undefined) errors.push(required(`${path}.type`, rule));
  else if (type !== "object") errors.push(invalid(`${path}.type`, type, rule));
  return errors;
}

/** Most errors of a branch are already reported as structural errors. */
function branchErrors(branch: JsonSchema, path: string): FieldError[] {
  const { type, uniqueItems = false } = branch;
  return keywordErrors({ uniqueItems, ...(type !== undefined && { type }) }, path);
}

function branchesOf(
  { allOf = [], anyOf = [], oneOf = [] }: JsonSchema,
  path: string,
): { branch: JsonSchema; at: string }[] {
  return Object.entries({ allOf, anyOf, oneOf }).flatMap(([name, list]) =>
    list.map((branch, index) => ({ branch, at: `${path}.${name}[${index}]` })),
  );
}
