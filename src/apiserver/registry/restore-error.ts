import { decodeError, findMisfit, goType, resolve, type Misfit } from "./decode-error.ts";

/**
 * Returns the error for the first value of a wrong JSON type in the result of a strategic merge patch, which is not
 * decoded from text. `type` is an OpenAPI name.
 */
export function restoreError(type: string, value: Readonly<Record<string, unknown>>): string | undefined {
  const misfit = findMisfit(type, value);
  return misfit && (textOf(misfit) ?? decodeError(type, value));
}

/** Returns undefined for types with a notation of their own, which decode themselves. */
function textOf({ value, schema }: Misfit): string | undefined {
  const kind = goKind(value);
  const { type, target } = resolve(schema);
  if (target.format === "byte") return kind === "string" ? undefined : `cannot restore slice from ${kind}`;
  const isText = target.type === "string" && target.format === undefined;
  if (target.format === "date-time" || (type !== undefined && !target.properties && !isText)) return undefined;
  if (target.properties) return `cannot restore struct from: ${kind}`;
  if (target.type === "array") return `cannot restore slice from ${kind}`;
  if (target.type === "object") return `cannot restore map from ${kind}`;
  const wanted = goType(target);
  return isConvertible(kind, wanted) ? `cannot convert ${kind} to ${goType(schema)}` : `unrecognized type: ${wanted}`;
}

/** Reports whether Go could convert a value, be it with another meaning: an integer becomes a character. */
function isConvertible(kind: string, wanted: string): boolean {
  return (kind === "int64" && wanted === "string") || (kind === "float64" && wanted.startsWith("int"));
}

function goKind(value: unknown): string {
  if (Array.isArray(value)) return "slice";
  if (typeof value === "number") return Number.isInteger(value) ? "int64" : "float64";
  if (typeof value === "boolean") return "bool";
  return typeof value === "string" ? "string" : "map";
}
