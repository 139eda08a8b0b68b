import type { JsonSchema } from "../../json-schema.ts";

/**
 * Normalizes a rule's fieldPath, such as `.a['b.c']`, for error messages; returns `undefined` if it does not resolve.
 */
export function parseFieldPath(text: string, schema: JsonSchema): string | undefined {
  let at: JsonSchema | undefined = schema;
  let path = "";
  let rest = text;
  while (rest !== "") {
    const match = /^(?:\.([^.[\]']+)|\['((?:[^'\\]|\\.)*)'\])/.exec(rest);
    if (!match || !at) return undefined;
    const name: string = match[1] ?? match[2]!.replace(/\\(.)/g, "$1");
    rest = rest.slice(match[0].length);
    if (at.properties) {
      path += `.${name}`;
      at = Object.hasOwn(at.properties, name) ? at.properties[name] : undefined;
      if (!at) return undefined;
    } else if (typeof at.additionalProperties === "object") {
      path += `[${name}]`;
      at = at.additionalProperties;
    } else return undefined;
  }
  return path;
}
