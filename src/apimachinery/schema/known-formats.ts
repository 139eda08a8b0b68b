import { formats } from "./formats.ts";

/** The formats of numbers. */
const numeric: Readonly<Record<string, readonly string[]>> = {
  integer: ["int32", "int64"],
  number: ["float", "double"],
};

/** Reports whether a server knows a format for a type. */
export function isFormatOf(type: string, format: string): boolean {
  if (type === "string" || type === "") return Object.hasOwn(formats, format.replaceAll("-", ""));
  return numeric[type]?.includes(format) === true;
}
