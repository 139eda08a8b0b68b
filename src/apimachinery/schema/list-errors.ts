import { forbidden, invalid, notSupported, required, type FieldError } from "../field-error.ts";
import type { JsonSchema } from "../json-schema.ts";

/** Returns the errors of an API server in the merge strategy of a list. */
export function listErrors(schema: JsonSchema, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const type = schema["x-kubernetes-list-type"];
  const keys = schema["x-kubernetes-list-map-keys"] ?? [];
  if (keys.length > 0 && type !== "map")
    errors.push(
      type === undefined
        ? required(`${path}.x-kubernetes-list-type`, "must be map if x-kubernetes-list-map-keys is non-empty")
        : invalid(`${path}.x-kubernetes-list-type`, type, "must be map if x-kubernetes-list-map-keys is non-empty"),
    );
  if (type === undefined) return errors;
  const rule = "must be array if x-kubernetes-list-type is specified";
  if (schema.type === undefined) errors.push(required(`${path}.type`, rule));
  else if (schema.type !== "array") errors.push(invalid(`${path}.type`, schema.type, rule));
  if (type === "set") errors.push(...setErrors(schema.items ?? {}, `${path}.items`));
  else if (type === "map") errors.push(...mapErrors(schema.items ?? {}, keys, path));
  else if (type !== "atomic")
    errors.push(notSupported(`${path}.x-kubernetes-list-type`, type, ["atomic", "set", "map"]));
  return errors;
}

function setErrors(items: JsonSchema, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const rule = "must be atomic as item of a list with x-kubernetes-list-type=set";
  const mapType = items["x-kubernetes-map-type"];
  const listType = items["x-kubernetes-list-type"];
  if (items.nullable)
    errors.push(forbidden(`${path}.nullable`, "cannot be nullable when x-kubernetes-list-type is set"));
  if (items.type === "object" && mapType !== "atomic")
    errors.push(invalid(`${path}.x-kubernetes-map-type`, mapType ?? null, rule));
  if (items.type === "array" && listType !== undefined && listType !== "atomic")
    errors.push(invalid(`${path}.x-kubernetes-list-type`, listType, rule));
  return errors;
}

function mapErrors(items: JsonSchema, keys: readonly string[], path: string): FieldError[] {
  const errors: FieldError[] = [];
  const keysPath = `${path}.x-kubernetes-list-map-keys`;
  const at = `${path}.items`;
  if (keys.length === 0) errors.push(required(keysPath, "must not be empty if x-kubernetes-list-type is map"));
  if (new Set(keys).size < keys.length) errors.push(invalid(keysPath, keys, "must not contain duplicate entries"));
  if (items.nullable) errors.push(forbidden(`${at}.nullable`, "cannot be nullable when x-kubernetes-list-type is map"));
  if (items.type !== "object")
    return [
      ...errors,
      invalid(`${at}.type`, items.type ?? "", "must be object if parent array's x-kubernetes-list-type is map"),
    ];
  for (const key of new Set(keys)) {
    const property = items.properties?.[key];
    if (property)
      errors.push(...keyErrors(property, items.required?.includes(key) === true, `${at}.properties[${key}]`));
    else errors.push(invalid(keysPath, keys, "entries must all be names of item properties"));
  }
  return errors;
}

function keyErrors(property: JsonSchema, isRequired: boolean, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const why = "this property is in x-kubernetes-list-map-keys, so it";
  if (property.default === undefined && !isRequired)
    errors.push(required(`${path}.default`, `${why} must have a default or be a required property`));
  if (property.type === "object" || property.type === "array")
    // The server says "object" for arrays, too.
    errors.push(
      invalid(`${path}.type`, "object", "must be a scalar type if parent array's x-kubernetes-list-type is map"),
    );
  if (property.nullable) errors.push(forbidden(`${path}.nullable`, `${why} cannot be nullable`));
  return errors;
}
