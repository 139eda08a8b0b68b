import { invalid, invalidWhole, type FieldError } from "../field-error.ts";
import type { JsonSchema } from "../json-schema.ts";

/** The keywords that remain in force if the server checks a status alone, by the names of their fields in Go. */
const allowed = [
  "Description",
  "Type",
  "Format",
  "Title",
  "Maximum",
  "ExclusiveMaximum",
  "Minimum",
  "ExclusiveMinimum",
  "MaxLength",
  "MinLength",
  "Pattern",
  "MaxItems",
  "MinItems",
  "UniqueItems",
  "MultipleOf",
  "Required",
  "Items",
  "Properties",
  "ExternalDocs",
  "Example",
  "XPreserveUnknownFields",
  "XValidations",
];
const extensions: Readonly<Record<string, string>> = {
  XPreserveUnknownFields: "x-kubernetes-preserve-unknown-fields",
  XValidations: "x-kubernetes-validations",
};
const keywords = new Set(allowed.map((name) => extensions[name] ?? name.charAt(0).toLowerCase() + name.slice(1)));

/** Returns the errors of an API server in the root of a kind's schema that follow from the status subresource. */
export function rootErrorsWithStatus(schema: JsonSchema, path: string): FieldError[] {
  const { type } = schema;
  const where = "at the root of the schema if the status subresource is enabled";
  if (type !== undefined && type !== "object")
    return [invalid(`${path}.type`, type, `only "object" is allowed as the type ${where}`)];
  const others = Object.entries(schema).filter(([keyword, value]) => !keywords.has(keyword) && !isZero(value));
  return others.length === 0 ? [] : [invalidWhole(path, `only [${allowed.join(" ")}] fields are allowed ${where}`)];
}

/** Reports whether a value is the one that a field of Go has without one. */
function isZero(value: unknown): boolean {
  return value === false || value === "" || value === null || value === undefined;
}
