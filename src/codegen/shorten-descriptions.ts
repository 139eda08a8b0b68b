import type { JsonSchema } from "../apimachinery/json-schema.ts";
import { mapSubschemas } from "./types/map-subschemas.ts";

/** Shortens the descriptions of a schema to a number of bytes, as controller-gen's maxDescLen does; 0 removes them. */
export function shortenDescriptions(schema: JsonSchema, bytes: number): JsonSchema {
  const { description, ...rest } = schema;
  return {
    ...(description && bytes > 0 && { description: shorten(description, bytes) }),
    ...rest,
    ...mapSubschemas(schema, (each) => shortenDescriptions(each, bytes)),
  };
}

/** Cuts a text after the last sentence that fits, or else after the last word. */
function shorten(text: string, bytes: number): string {
  if (Buffer.byteLength(text) <= bytes) return text;
  const cut = Buffer.from(text)
    .subarray(0, bytes)
    .toString()
    .replace(/\uFFFD$/, "");
  const sentences = /^[\s\S]+\p{Sentence_Terminal}/u.exec(cut)?.[0];
  return sentences ?? `${/^([\s\S]+)\p{White_Space}/u.exec(cut)?.[1] ?? cut}...`;
}
