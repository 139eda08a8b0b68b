import { isInt64 } from "./go-numbers.ts";

// Go's formats for values decoded from JSON; some error messages contain them.

/** Formats texts as Go's `%q` of a slice: `["a" "b"]`. */
export function goQuoted(texts: readonly string[]): string {
  return `[${texts.map((text) => JSON.stringify(text)).join(" ")}]`;
}

/** Formats the type of a value as Go's `%T`. */
export function goType(value: unknown): string {
  if (value === null) return "<nil>";
  if (Array.isArray(value)) return "[]interface {}";
  if (typeof value === "object") return "map[string]interface {}";
  if (typeof value === "number") return isInt64(value) ? "int64" : "float64";
  return typeof value === "boolean" ? "bool" : typeof value;
}

function membersOf(value: object): [string, unknown][] {
  return Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Formats a value as Go's JSON encoder does, which escapes the characters that have a meaning in HTML. */
export function goJson(value: unknown): string {
  return escapeHtml(JSON.stringify(value));
}

/**
 * Formats a value as `goJson` does, with the members of objects sorted, as Go writes maps: numbers as texts, which an
 * object would keep first. `newLine` is empty, or indents.
 */
export function sortedGoJson(value: unknown, newLine: "" | "\n" = ""): string {
  return escapeHtml(writeSorted(value, newLine));
}

function writeSorted(value: unknown, newLine: string): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value ?? null);
  const [inner, colon] = newLine ? [`${newLine}  `, ": "] : ["", ":"];
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  const items = Array.isArray(value)
    ? value.map((item) => writeSorted(item, inner))
    : membersOf(value)
        .filter(([, member]) => member !== undefined)
        .map(([key, member]) => `${JSON.stringify(key)}${colon}${writeSorted(member, inner)}`);
  return items.length > 0 ? `${open}${inner}${items.join(`,${inner}`)}${newLine}${close}` : `${open}${close}`;
}

/** Escapes `<`, `>`, `&` and line separators in JSON, as Go does. */
export function escapeHtml(json: string): string {
  return json.replace(/[<>&\u2028\u2029]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
