import { isObject } from "./is-object.ts";
import { messageOf } from "../errors/message-of.ts";
import { TsopError } from "../errors/tsop-error.ts";

/** Parses the text of a JSON file that people edit. Some editors begin it with a byte order mark. */
export function parseJsonObject(text: string, file: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\ufeff/, ""));
  } catch (cause) {
    throw new TsopError("TSOP_JSON_INVALID", { file, reason: messageOf(cause) }, { cause });
  }
  if (isObject(value)) return value;
  throw new TsopError("TSOP_JSON_INVALID", { file, reason: "it is not an object" });
}

/** Parses a text that may be anything; `undefined` if it is not a JSON object. */
export function parseJsonObjectOrUndefined(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
