import { escapeHtml } from "../../apimachinery/go-text.ts";

/** Formats JSON as Go's encoder indents it: with sorted keys, and `<`, `>`, `&` and line separators escaped. */
export function goJson(value: unknown): string {
  return escapeHtml(write(value, "\n"));
}

/** Formats JSON as `goJson` does, on one line. */
export function compactGoJson(value: unknown): string {
  return escapeHtml(write(value, ""));
}

/** Writes JSON; numbers as keys are sorted as texts, which an object does not. `newLine` is empty, or indents. */
function write(value: unknown, newLine: string): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value ?? null);
  const [inner, colon] = newLine ? [`${newLine}  `, ": "] : ["", ":"];
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  const items = Array.isArray(value)
    ? value.map((item) => write(item, inner))
    : Object.entries(value)
        .filter(([, member]) => member !== undefined)
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([key, member]) => `${JSON.stringify(key)}${colon}${write(member, inner)}`);
  return items.length > 0 ? `${open}${inner}${items.join(`,${inner}`)}${newLine}${close}` : `${open}${close}`;
}
