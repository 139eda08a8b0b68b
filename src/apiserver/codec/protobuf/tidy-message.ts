import { isObject } from "../../../apimachinery/is-object.ts";
import { canonicalAmount, canonicalQuantity, QuantityError } from "../../../apimachinery/quantity.ts";
import { messageFields, type MessageField } from "./message-fields.ts";
import { setField } from "../../../apimachinery/set-field.ts";

/**
 * Normalizes a built-in object in place to what a Go program writes after reading it: structs that are not pointers are
 * present, meaningless zeros are absent, and null is the zero of its type. Unknown types and values of wrong types
 * stay.
 */
export function tidyMessage(message: string, object: Record<string, unknown>): void {
  for (const field of messageFields(message)?.values() ?? []) {
    if (field.name === "") tidyMessage(field.type, object);
    else tidyField(object, field, message);
  }
}

function tidyField(object: Record<string, unknown>, field: MessageField, message: string): void {
  const { name, shape, type, pointer, keepsZero, showsNull } = field;
  const value = Object.hasOwn(object, name) ? object[name] : undefined;
  if (shape !== "one") tidyCollection(object, isAmounts(field, message) ? { ...field, type: "Amount" } : field, value);
  else if (pointer) {
    if (value !== undefined && value !== null) object[name] = canonicalize(type, value);
    else if (showsNull) object[name] = null;
    else if (value === null) delete object[name];
  } else if (messageFields(type)) {
    const struct = value ?? {};
    object[name] = struct;
    tidyValue(type, struct);
  } else if (type === "B" && value && value !== bytesOf(value)) object[name] = bytesOf(value);
  else if (type in zeros && type !== "Quantity") {
    if (value !== undefined && value !== null && value !== zeros[type]) return;
    if (keepsZero) object[name] = zeros[type];
    else delete object[name];
  } else if (value === null && !keepsZero) delete object[name];
  else if (value !== undefined && value !== null) object[name] = canonicalize(type, value);
  else if (value === undefined && keepsZero && isTime(type)) object[name] = null;
}

/**
 * Reports whether a map has amounts of resources. Amounts of devices have another type, whose values are not rounded.
 */
function isAmounts({ shape, type }: MessageField, message: string): boolean {
  return shape === "map" && type === "Quantity" && !message.startsWith("resource/");
}

/** Normalizes a list or a map. An empty list that is always written stays empty until it is stored. */
function tidyCollection(object: Record<string, unknown>, field: MessageField, value: unknown): void {
  const { name, shape, type, keepsZero } = field;
  const isEmpty = value === undefined || value === null || isEmptyCollection(value);
  if (isEmpty) {
    if (!keepsZero) delete object[name];
    else object[name] = value ?? null;
    return;
  }
  if (shape === "list" && Array.isArray(value))
    for (const index of value.keys()) value[index] = item(type, value[index]);
  if (shape !== "map" || typeof value !== "object" || Array.isArray(value)) return;
  const map = value as Record<string, unknown>;
  for (const key of Object.keys(map))
    if (map[key] === null || typeof map[key] === "object" || type in canonical)
      setField(map, key, item(type, map[key]));
}

function item(type: string, value: unknown): unknown {
  return canonicalize(type, value ?? (messageFields(type) ? {} : zeros[type]) ?? value);
}

function canonicalize(type: string, value: unknown): unknown {
  tidyValue(type, value);
  return canonical[type]?.(value) ?? value;
}

/** Canonical forms of values that can be written in several ways; invalid values stay. */
const canonical: Readonly<Record<string, (value: unknown) => unknown>> = {
  Quantity: (value) => quantityOf(value, canonicalQuantity),
  Amount: (value) => quantityOf(value, canonicalAmount),
  B: bytesOf,
  Time(value) {
    const at = typeof value === "string" ? Date.parse(value) : NaN;
    return Number.isNaN(at) ? value : `${new Date(at).toISOString().slice(0, 19)}Z`;
  },
};

/** Encodes bytes that come as a list of numbers, or in several lines. */
function bytesOf(value: unknown): unknown {
  if (typeof value === "string") return value.replaceAll(/[\r\n]/g, "");
  return Array.isArray(value) ? Buffer.from(value.map(Number)).toString("base64") : value;
}

function quantityOf(value: unknown, format: (text: string) => string): unknown {
  try {
    return format(String(value));
  } catch (error) {
    if (error instanceof QuantityError) return value;
    throw error;
  }
}

function tidyValue(type: string, value: unknown): void {
  // A part of a CRD's schema that may be something else than a schema.
  const message = type.startsWith("SchemaOr") ? "apiextensions/v1.JSONSchemaProps" : type;
  if (isObject(value) && messageFields(message)) tidyMessage(message, value);
}

function isEmptyCollection(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}

function isTime(type: string): boolean {
  return type === "Time" || type === "MicroTime";
}

const zeros: Readonly<Record<string, unknown>> = { s: "", i: 0, d: 0, b: false, B: "", Quantity: "0", Amount: "0" };
