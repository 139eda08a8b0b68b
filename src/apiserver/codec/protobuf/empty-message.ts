import { messageFields, type MessageField } from "./message-fields.ts";

const known = new Map<string, Readonly<Record<string, unknown>>>();

/**
 * The JSON of a Go value in which nothing is set: structs that are no pointers are there, and so are the zeros that Go
 * can't leave out. Empty for a type that is not in the data. Shared: never change it.
 */
export function emptyMessage(message: string): Readonly<Record<string, unknown>> {
  let object = known.get(message);
  if (!object) known.set(message, (object = makeEmpty(message)));
  return object;
}

function makeEmpty(message: string): Record<string, unknown> {
  const object: Record<string, unknown> = {};
  for (const field of messageFields(message)?.values() ?? []) {
    const value = emptyValue(field);
    if (field.name === "") Object.assign(object, value);
    else if (value !== undefined) object[field.name] = value;
  }
  return object;
}

function emptyValue({ shape, type, keepsZero, pointer }: MessageField): unknown {
  if (pointer) return undefined;
  if (shape !== "one") return keepsZero ? null : undefined;
  if (messageFields(type)) return emptyMessage(type);
  if (type === "Time" || type === "MicroTime") return null;
  return keepsZero ? zeros[type] : undefined;
}

const zeros: Readonly<Record<string, unknown>> = { s: "", i: 0, d: 0, b: false };
