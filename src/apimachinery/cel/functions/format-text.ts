import { CelError } from "../values/issue.ts";
import {
  CelDuration,
  CelTimestamp,
  CelTypeValue,
  CelUint,
  isCelMap,
  typeNameOf,
  type CelMap,
  type CelValue,
} from "../values/values.ts";
import { formatSeconds, formatTimestamp } from "./timestamps.ts";

/** A format that does not fit its values; `item` is the index of a wrong value. */
export class FormatError extends CelError {
  override readonly name: string = "FormatError";
  readonly item: number | undefined;

  constructor(message: string, item?: number) {
    super(message);
    this.item = item;
  }
}

const clauses = /%(?:(%)|(?:\.(\d+))?([a-zA-Z]))/g;

/** Formats with `"%s has %d".format([…])` of cel-go's strings library. */
export function formatText(template: string, values: readonly CelValue[]): string {
  let next = 0;
  const text = template.replace(clauses, (_whole, percent?: string, precision?: string, clause?: string) => {
    if (percent) return "%";
    const item = next++;
    const value = values[item];
    if (value === undefined) throw new FormatError(`index ${item} out of range`);
    const shown = formatValue(clause!, value instanceof CelUint ? value.value : value, Number(precision ?? 6));
    if (shown !== undefined) return shown;
    const problem = problems[clause!.toLowerCase()];
    if (!problem)
      throw new FormatError(`could not parse formatting clause: unrecognized formatting clause "${clause}"`);
    throw new FormatError(`error during formatting: ${problem}, was given ${typeNameOf(value)}`, item);
  });
  if (next < values.length)
    throw new FormatError(`too many arguments supplied to string.format (expected ${next}, got ${values.length})`);
  return text;
}

const problems: Readonly<Record<string, string>> = {
  s: "string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps",
  d: "decimal clause can only be used on integers",
  f: "fixed-point clause can only be used on doubles",
  e: "scientific clause can only be used on doubles",
  b: "only integers and bools can be formatted as binary",
  o: "octal clause can only be used on integers",
  x: "only integers, byte buffers, and strings can be formatted as hex",
};

/** Formats a value for a clause; returns `undefined` if it does not fit. */
function formatValue(clause: string, value: CelValue, precision: number): string | undefined {
  switch (clause) {
    case "s":
      return show(value);
    case "d":
      return typeof value === "bigint" ? String(value) : undefined;
    case "f":
      return typeof value === "number" || typeof value === "bigint" ? formatFixed(Number(value), precision) : undefined;
    case "e":
      return typeof value === "number" || typeof value === "bigint" ? formatExponent(Number(value)) : undefined;
    case "b":
      if (typeof value === "boolean") return value ? "1" : "0";
      return typeof value === "bigint" ? value.toString(2) : undefined;
    case "o":
      return typeof value === "bigint" ? value.toString(8) : undefined;
    case "x":
      return hexOf(value);
    case "X":
      return hexOf(value)?.toUpperCase();
    default:
      return undefined;
  }
}

function hexOf(value: CelValue): string | undefined {
  if (typeof value === "bigint") return value.toString(16);
  if (typeof value === "string") return Buffer.from(value).toString("hex");
  return value instanceof Uint8Array ? Buffer.from(value).toString("hex") : undefined;
}

function formatFixed(value: number, precision: number): string {
  if (!Number.isFinite(value)) return formatDouble(value).replace("+", "");
  const text = value.toFixed(precision);
  // For a tie, Go rounds to even, JavaScript up.
  const lower = (Number(text) - 10 ** -precision).toFixed(precision);
  const isTie = value > 0 && value - Number(lower) === Number(text) - value;
  return isTie && Number(text.at(-1)) % 2 === 1 ? lower : text;
}

const superscripts = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/** Formats a number like `1.234500×10⁰³`, always with six digits. */
function formatExponent(value: number): string {
  if (!Number.isFinite(value)) return formatDouble(value).replace("+", "");
  const [mantissa, power = "0"] = value.toExponential(6).split("e");
  const digits = power.replace(/^[-+]/, "").padStart(2, "0");
  const raised = Array.from(digits, (digit) => superscripts[Number(digit)]).join("");
  return `${mantissa}×10${power.startsWith("-") ? "⁻" : ""}${raised}`;
}

/** Formats a value for `%s`; returns `undefined` if it has no text. */
function show(value: CelValue): string | undefined {
  if (value === null) return "null";
  if (typeof value === "number") return formatDouble(value);
  if (typeof value !== "object") return String(value);
  if (Array.isArray(value)) return `[${(value as readonly CelValue[]).map(showInner).join(", ")}]`;
  if (value instanceof Uint8Array) return new TextDecoder().decode(value);
  if (value instanceof CelUint) return String(value.value);
  if (value instanceof CelTimestamp) return formatTimestamp(value);
  if (value instanceof CelDuration) return formatSeconds(value);
  if (value instanceof CelTypeValue) return value.name;
  return isCelMap(value) ? showMap(value) : undefined;
}

function showMap(map: CelMap): string {
  const entries = map.keys().map((key) => `${showInner(key)}:${showInner(map.get(key) ?? null)}`);
  return `{${entries.toSorted().join(", ")}}`;
}

/** Formats an item of a list or map; texts are quoted. */
function showInner(value: CelValue): string | undefined {
  return typeof value === "string" ? JSON.stringify(value) : show(value);
}

/** Formats a double as Go's `%g`: `1.5`, `1e+06`, `+Inf`. */
export function formatDouble(value: number): string {
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value > 0 ? "+Inf" : "-Inf";
  if (Object.is(value, -0)) return "-0";
  const [mantissa, power] = value.toExponential().split("e");
  const exponent = Number(power);
  if (exponent >= -4 && exponent < 6)
    return String(value).includes("e") ? value.toFixed(20).replace(/0+$/, "") : String(value);
  return `${mantissa}e${exponent < 0 ? "-" : "+"}${String(Math.abs(exponent)).padStart(2, "0")}`;
}
