import type { JsonSchema } from "../json-schema.ts";
import { childrenOf } from "./children-of.ts";
import { formats } from "./formats.ts";

/** The formats of numbers. */
const numeric: Readonly<Record<string, readonly string[]>> = {
  integer: ["int32", "int64"],
  number: ["float", "double"],
};

/** Yields the formats of a schema that a server does not know for the type. */
export function* unknownFormats(schema: JsonSchema): Generator<string> {
  const { type = "", format } = schema;
  const isKnown = format === undefined || isFormatOf(type, format);
  if (!isKnown) yield format;
  for (const { child } of childrenOf(schema, "")) yield* unknownFormats(child);
}

/** Reports whether a server knows a format for a type. */
export function isFormatOf(type: string, format: string): boolean {
  if (type === "string" || type === "") return Object.hasOwn(formats, format.replaceAll("-", ""));
  return numeric[type]?.includes(format) === true;
}
