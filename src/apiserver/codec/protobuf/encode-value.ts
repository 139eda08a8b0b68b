import type { WireWriter } from "./wire-writer.ts";

/** Writes the content of a message whose JSON is not an object of its fields; of `undefined` it is the zero of the type. */
export const specialWriters: Readonly<Record<string, (to: WireWriter, value: unknown) => void>> = {
  Time: (to, value) => writeTime(to, value, 0),
  MicroTime: (to, value) => writeTime(to, value, microsOf(value) * 1000),
  Quantity: (to, value) => to.text(1, textOf(value) || "0"),
  IntOrString(to, value) {
    const isText = typeof value === "string";
    to.text(3, isText ? value : "");
    to.number(2, isText ? 0 : Number(value ?? 0));
    to.number(1, isText ? 1 : 0);
  },
  Raw(to, value) {
    if (value !== undefined && value !== null) to.text(1, JSON.stringify(value));
  },
  Texts(to, value) {
    if (Array.isArray(value)) for (const text of value.toReversed()) to.text(1, textOf(text));
  },
};

/** A text; quantities may be numbers in JSON. */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value : typeof value === "number" ? String(value) : "";
}

/** A time that is not set is a message without fields. */
function writeTime(to: WireWriter, value: unknown, nanos: number): void {
  if (typeof value !== "string") return;
  to.number(2, nanos);
  to.number(1, Math.floor(Date.parse(value) / 1000));
}

function microsOf(value: unknown): number {
  const [, digits = ""] = /\.(\d+)/.exec(textOf(value)) ?? [];
  return Number(digits.padEnd(6, "0").slice(0, 6));
}
