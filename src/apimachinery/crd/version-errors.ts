import { duplicate, invalid, required, tooMany, type FieldError } from "../field-error.ts";
import type { JsonSchema } from "../json-schema.ts";
import type { CrdVersion } from "./crd-types.ts";

/**
 * Checks a version except for its schema. `path` is the field that the server reports: the parts of a single version
 * are reported at the top level, as before CRDs had versions.
 */
export function versionErrors(version: CrdVersion, path: string): FieldError[] {
  return [...columnErrors(version, path), ...scaleErrors(version, path), ...selectableErrors(version, path)];
}

/** Checks the warning of a deprecated version. */
export function deprecationErrors({ deprecated, deprecationWarning: text }: CrdVersion, path: string): FieldError[] {
  if (text === undefined) return [];
  const refuse = (why: string): FieldError[] => [invalid(`${path}.deprecationWarning`, text, why)];
  if (!deprecated) return refuse("can only be set for deprecated versions");
  if (text.length > 256) return refuse("must be <= 256 characters long");
  if (text === "") return refuse("must not be an empty string");
  const at = text.search(/[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/u);
  if (at < 0) return [];
  const index = Buffer.byteLength(text.slice(0, at));
  return refuse(`must only contain printable UTF-8 characters; non-printable character found at index ${index}`);
}

const columnTypes = ["boolean", "date", "integer", "number", "string"];
const columnFormats = ["byte", "date", "date-time", "double", "float", "int32", "int64", "password"];
const simplePath = "must be a simple json path starting with .";

function columnErrors({ additionalPrinterColumns = [] }: CrdVersion, path: string): FieldError[] {
  return additionalPrinterColumns.flatMap(({ name, type, format, jsonPath }, index) => {
    const at = `${path}.additionalPrinterColumns[${index}]`;
    const errors: FieldError[] = [];
    if (!name) errors.push(required(`${at}.name`));
    if (!type) errors.push(required(`${at}.type`, `must be one of ${columnTypes.join(",")}`));
    else if (!columnTypes.includes(type))
      errors.push(invalid(`${at}.type`, type, `must be one of ${columnTypes.join(",")}`));
    if (format && !columnFormats.includes(format))
      errors.push(invalid(`${at}.format`, format, `must be one of ${columnFormats.join(",")}`));
    if (!jsonPath) errors.push(required(`${at}.JSONPath`));
    else if (!jsonPath.startsWith(".")) errors.push(invalid(`${at}.JSONPath`, jsonPath, simplePath));
    return errors;
  });
}

function scaleErrors({ subresources }: CrdVersion, path: string): FieldError[] {
  const scale = subresources?.scale;
  if (!scale) return [];
  const at = `${path}.subresources.scale`;
  const check = (field: string, value: string | undefined, roots: readonly string[]): FieldError[] => {
    if (!value) return field === "labelSelectorPath" ? [] : [required(`${at}.${field}`)];
    if (!value.startsWith(".")) return [invalid(`${at}.${field}`, value, simplePath)];
    if (roots.some((root) => value.startsWith(`${root}.`))) return [];
    const where = roots.length > 1 ? `either ${roots.join(" or ")}` : roots.join("");
    return [invalid(`${at}.${field}`, value, `should be a json path under ${where}`)];
  };
  return [
    ...check("specReplicasPath", scale.specReplicasPath, [".spec"]),
    ...check("statusReplicasPath", scale.statusReplicasPath, [".status"]),
    ...check("labelSelectorPath", scale.labelSelectorPath, [".spec", ".status"]),
  ];
}

function selectableErrors({ selectableFields = [], schema }: CrdVersion, path: string): FieldError[] {
  const seen = new Set<string>();
  const errors = selectableFields.flatMap(({ jsonPath }, index) => {
    const at = `${path}.selectableFields[${index}].jsonPath`;
    if (!jsonPath) return [required(at)];
    const problem = selectableProblem(schema?.openAPIV3Schema, jsonPath);
    if (problem) return [invalid(at, jsonPath, problem)];
    if (seen.has(jsonPath)) return [duplicate(at, jsonPath)];
    seen.add(jsonPath);
    return [];
  });
  // Only paths that resolve are counted.
  return seen.size > 8 ? [...errors, tooMany(`${path}.selectableFields`, seen.size, 8)] : errors;
}

const unknownField = "does not refer to a valid field";

function selectableProblem(schema: JsonSchema | undefined, path: string): string | undefined {
  const invalidPath = (why: string): string => `is an invalid path: ${why}`;
  const [before, ...names] = path.split(".");
  if (before) return invalidPath(`expected [ or . but got: ${before}`);
  let found = schema;
  for (const name of names) {
    if (name === "") return invalidPath(name === names.at(-1) ? "unexpected end of JSON path" : unknownField);
    const [plain = ""] = name.split("[");
    found = fieldOf(found, plain);
    if (!found) return invalidPath(unknownField);
    if (plain !== name) return invalidPath("array notation is not allowed");
  }
  if (!found) return invalidPath(unknownField);
  if (found.type === "string" || found.type === "boolean" || found.type === "integer") return undefined;
  return "must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.";
}

function fieldOf(schema: JsonSchema | undefined, name: string): JsonSchema | undefined {
  const { properties, additionalProperties } = schema ?? {};
  if (properties) return Object.hasOwn(properties, name) ? properties[name] : undefined;
  return typeof additionalProperties === "object" ? additionalProperties : undefined;
}
