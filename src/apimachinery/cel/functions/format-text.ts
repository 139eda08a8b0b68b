import { CelError } from "../issue.ts";
import { CelDuration, CelTimestamp, CelTypeValue, CelUint, isCelMap, type CelValue } from "../values.ts";
import { formatDouble } from "./format-double.ts";
import { formatSeconds, formatTimestamp } from "./time-text.ts";

const verbs = /%(?:(%)|(?:\.(\d+))?([a-zA-Z]))/g;

/** `"%s has %d".format([…])` of cel-go's strings library. */
export function formatText(template: string, values: readonly CelValue[]): string {
  let next = 0;
  const text = template.replace(
    verbs,
    (_whole, percent: string | undefined, precision: string | undefined, verb: string) => {
      if (percent) return "%";
      const value = values[next];
      if (value === undefined) throw new CelError(`index ${next} out of range`);
      next++;
      return formatValue(verb, value, precision === undefined ? 6 : Number(precision));
    },
  );
  if (next < values.length)
    throw new CelError(`too many arguments supplied to string.format: expected ${next}, got ${values.length}`);
  return text;
}

function formatValue(verb: string, value: CelValue, precision: number): string {
  const number = value instanceof CelUint ? value.value : value;
  switch (verb) {
    case "s":
      return show(value);
    case "d":
      if (typeof number === "bigint") return String(number);
      break;
    case "f":
      if (typeof number === "number" || typeof number === "bigint") return formatFixed(Number(number), precision);
      break;
    case "e":
      if (typeof number === "number" || typeof number === "bigint") return formatExponent(Number(number), precision);
      break;
    case "b":
      if (typeof number === "boolean") return number ? "1" : "0";
      if (typeof number === "bigint") return number.toString(2);
      break;
    case "o":
      if (typeof number === "bigint") return number.toString(8);
      break;
    case "x":
    case "X": {
      const text = hexOf(number);
      if (text !== undefined) return verb === "x" ? text : text.toUpperCase();
      break;
    }
    default:
      throw new CelError(`could not parse formatting clause: unrecognized formatting clause "${verb}"`);
  }
  throw new CelError(`error during formatting: %${verb} can't show this value`);
}

function hexOf(value: CelValue): string | undefined {
  if (typeof value === "bigint") return value.toString(16);
  if (typeof value === "string") return Buffer.from(value).toString("hex");
  return value instanceof Uint8Array ? Buffer.from(value).toString("hex") : undefined;
}

function formatFixed(value: number, precision: number): string {
  return Number.isFinite(value) ? value.toFixed(precision) : formatDouble(value).replace("+", "");
}

function formatExponent(value: number, precision: number): string {
  if (!Number.isFinite(value)) return formatDouble(value).replace("+", "");
  return value.toExponential(precision).replace(/e([-+])(\d)$/, "e$10$2");
}

/** A value as `%s` shows it. */
function show(value: CelValue): string {
  if (value === null) return "null";
  if (typeof value === "number") return formatDouble(value);
  if (typeof value !== "object") return String(value);
  if (Array.isArray(value)) return `[${(value as readonly CelValue[]).map(show).join(", ")}]`;
  if (value instanceof Uint8Array) return new TextDecoder().decode(value);
  if (value instanceof CelUint) return String(value.value);
  if (value instanceof CelTimestamp) return formatTimestamp(value);
  if (value instanceof CelDuration) return formatSeconds(value);
  if (value instanceof CelTypeValue) return value.name;
  if (!isCelMap(value as CelValue)) throw new CelError("error during formatting: %s can't show this value");
  const map = value as Extract<CelValue, { isMap: true }>;
  const entries = map.keys().map((key) => [show(key), show(map.get(key) ?? null)] as const);
  return `{${entries
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, shown]) => `${key}: ${shown}`)
    .join(", ")}}`;
}
