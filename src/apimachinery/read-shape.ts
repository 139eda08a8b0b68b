import { canonicalQuantity, QuantityError } from "./quantity.ts";
import { TsopError } from "../errors/tsop-error.ts";

/**
 * The shape of a value: a scalar by its name, `texts` and `quantities` for a map of them, `[shape]` for a list, fields
 * for a map. A field whose name ends in `!` is always present after reading, empty if it was absent. Other fields can
 * hold anything.
 */
export type Shape =
  | "text"
  | "number"
  | "boolean"
  | "quantity"
  | "texts"
  | "quantities"
  | "any"
  | readonly [Shape]
  | { readonly [field: string]: Shape };

/**
 * Reads a value as Go decodes it into a type: null counts as absent, and a value of another shape is an error with its
 * position. The result has the declared types. `lenient` reads numbers and booleans as strings, as YAML decoding into a
 * type does.
 */
export function readShape(value: unknown, shape: Shape, file: string, lenient: boolean = false): unknown {
  return read(value, shape, { file, path: "", lenient });
}

interface Place {
  readonly file: string;
  readonly path: string;
  readonly lenient: boolean;
}

function read(value: unknown, shape: Shape, place: Place): unknown {
  if (shape === "any") return value;
  if (shape === "quantity") return readQuantity(value, place);
  const wanted = typeof shape === "string" ? shape : Array.isArray(shape) ? "list" : "map";
  const found = typeOf(value);
  if (place.lenient && wanted === "text" && (found === "number" || found === "boolean")) return String(value);
  if (found !== (isMapOf(wanted) ? "map" : wanted))
    refuse(place, `must be a ${wordOf(wanted)}, not a ${found === "text" ? "string" : found}`);
  if (wanted === "texts") return readEach(value as object, "text", place);
  if (wanted === "quantities") return readEach(value as object, "quantity", place);
  if (wanted === "list") return readList(value as unknown[], (shape as readonly [Shape])[0], place);
  return wanted === "map" ? readMap(value as object, shape as { readonly [field: string]: Shape }, place) : value;
}

function readEach(map: object, shape: "text" | "quantity", place: Place): Record<string, unknown> {
  const entries = Object.entries(map).map(([key, value]) => [
    key,
    read(value ?? emptyOf(shape), shape, within(place, key)),
  ]);
  return Object.fromEntries(entries) as Record<string, unknown>;
}

/** Returns the canonical form, which Go writes. */
function readQuantity(value: unknown, place: Place): unknown {
  try {
    return typeof value === "number" || typeof value === "string"
      ? canonicalQuantity(String(value))
      : refuse(place, "must be a quantity");
  } catch (error) {
    if (!(error instanceof QuantityError)) throw error;
    refuse(place, `is ${JSON.stringify(value)}, but ${error.message}`);
  }
}

function readList(list: readonly unknown[], shape: Shape, place: Place): unknown[] {
  return list.map((item, index) => read(item, shape, { ...place, path: `${place.path}[${index}]` }));
}

function readMap(map: object, shape: { readonly [field: string]: Shape }, place: Place): Record<string, unknown> {
  const result = Object.fromEntries(Object.entries(map).filter(([, value]) => value !== null));
  for (const [key, inner] of Object.entries(shape)) {
    const field = key.replace("!", "");
    const value: unknown = result[field] ?? (field === key ? undefined : emptyOf(inner));
    if (value !== undefined) result[field] = read(value, inner, within(place, field));
  }
  return result;
}

function emptyOf(shape: Shape): unknown {
  if (shape === "text") return "";
  if (shape === "number") return 0;
  if (shape === "quantity") return "0";
  if (shape === "boolean") return false;
  return Array.isArray(shape) ? [] : {};
}

function within(place: Place, field: string): Place {
  return { ...place, path: place.path ? `${place.path}.${field}` : field };
}

function refuse({ file, path }: Place, reason: string): never {
  throw new TsopError("TSOP_BUNDLE_SHAPE", { file, path, reason });
}

function typeOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "list";
  if (typeof value === "string") return "text";
  return typeof value === "object" ? "map" : typeof value;
}

/** Explains that YAML reads `1.25` as a number and `yes` as a boolean. */
function wordOf(wanted: string): string {
  if (wanted === "text") return "string (in quotes)";
  return isMapOf(wanted) ? "map" : wanted;
}

function isMapOf(wanted: string): boolean {
  return wanted === "texts" || wanted === "quantities";
}
