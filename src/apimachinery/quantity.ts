import type { Quantity } from "./meta.ts";

/** An amount such as `100m` or `64Mi`, exact to a billionth as in Kubernetes, with its style. */
export interface ParsedQuantity {
  readonly nanos: bigint;
  readonly style: "decimal" | "binary" | "exponent";
  /** The text that it was read from, if it is shown as it was. */
  readonly text?: string;
}

/** A text that is not a quantity; the message is the API server's. */
export class QuantityError extends Error {
  override readonly name: string = "QuantityError";

  constructor(why = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'") {
    super(why);
  }
}

/**
 * The most digits of a quantity in an object, far more than any amount has: a million of them take seconds. Sums of such
 * quantities have more digits, and can still be parsed.
 */
const mostDigits = 128;
const mostParsed = 2 * mostDigits;

const nano = 10n ** 9n;
const decimalSuffixes = ["n", "u", "m", "", "k", "M", "G", "T", "P", "E"];
const binarySuffixes = ["", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];
const pattern = /^([-+]?)(\d+\.?\d*|\.\d+)(?:([KMGTPE]i)|([numkMGTPE]?)|[eE]([-+]?\d{1,3}))$/;

/** The largest number with a binary suffix; Go cuts larger ones. */
const binaryLimit = (2n ** 63n - 1n) * nano;

/**
 * Parses a quantity. Fractions below a billionth are rounded away from zero. Throws an Error for other texts, and for
 * more than 256 digits.
 *
 * @example
 * const limit = parseQuantity(pod.spec!.containers[0]!.resources?.limits?.["memory"] ?? "1Gi");
 * const isTooSmall = compareQuantities(limit, parseQuantity("256Mi")) < 0;
 */
export function parseQuantity(quantity: Quantity): ParsedQuantity {
  return parse(String(quantity), mostParsed);
}

function parse(given: string, most: number): ParsedQuantity {
  if (given.length > most) throw tooLong(most);
  const match = pattern.exec(given);
  if (!match) throw new QuantityError();
  const [, sign, digits = "", binary, decimal = "", exponent] = match;
  const [whole = "", fraction = ""] = digits.split(".");
  const power = exponent === undefined ? (decimalSuffixes.indexOf(decimal) - 3) * 3 : Number(exponent);
  if (whole.length + power > most) throw tooLong(most);
  const factor = binary === undefined ? 1n : 1024n ** BigInt(binarySuffixes.indexOf(binary));
  const scale = (binary === undefined ? power : 0) - fraction.length + 9;
  const number = BigInt(whole + fraction) * factor;
  const exact = scale >= 0 ? number * 10n ** BigInt(scale) : divideUp(number, 10n ** BigInt(-scale));
  const nanos = binary !== undefined && exact > binaryLimit ? binaryLimit : exact;
  const style = binary !== undefined ? "binary" : exponent !== undefined ? "exponent" : "decimal";
  return { nanos: sign === "-" ? -nanos : nanos, style };
}

function tooLong(most: number): QuantityError {
  return new QuantityError(`quantities may have at most ${most} digits`);
}

/** Reports whether a text is a quantity that an object may have. */
export function isQuantity(text: string): boolean {
  return quantityProblem(text) === undefined;
}

/** Returns why a text is not a quantity; `undefined` if it is one. */
export function quantityProblem(text: string): string | undefined {
  try {
    parse(text, mostDigits);
    return undefined;
  } catch (error) {
    if (error instanceof QuantityError) return error.message;
    throw error;
  }
}

/**
 * Formats a quantity canonically: without fraction, with the largest possible suffix. The API server writes
 * quantities this way in built-in kinds, but not in custom resources.
 *
 * @example
 * const limits = { cpu: formatQuantity(parseQuantity("2000m")) }; // 2
 */
export function formatQuantity({ nanos, style, text }: ParsedQuantity): string {
  if (text !== undefined) return text;
  if (nanos === 0n) return "0";
  const isSmall = nanos > -1024n * nano && nanos < 1024n * nano;
  if (style === "binary" && !isSmall && nanos % nano === 0n) {
    const [amount, steps] = reduce(nanos / nano, 1024n, binarySuffixes.length - 1);
    return `${amount}${binarySuffixes[steps]}`;
  }
  const [amount, steps] = reduce(nanos, 1000n, decimalSuffixes.length - 1);
  if (style !== "exponent") return `${amount}${decimalSuffixes[steps]}`;
  const power = (steps - 3) * 3;
  return power === 0 ? `${amount}` : `${amount}e${power}`;
}

/** Returns a quantity as Go writes it after reading it: canonical, except for texts that its fast path passes on. */
export function canonicalQuantity(text: string): string {
  const quantity = parseQuantity(text);
  return isPassedOn(text) ? text : formatQuantity(quantity);
}

/** Returns an amount of a resource as Go writes it: canonical, and rounded to thousandths, away from zero. */
export function canonicalAmount(text: string): string {
  const { nanos, style } = parseQuantity(text);
  const milli = nano / 1000n;
  const rest = nanos % milli;
  if (rest === 0n) return canonicalQuantity(text);
  return formatQuantity({ nanos: nanos - rest + (rest > 0n ? milli : -milli), style });
}

/** Go's reader takes such a text for canonical without formatting it: `1.125`, `+5`. */
function isPassedOn(text: string): boolean {
  const [, whole = "", fraction = "", suffix = ""] = /^[-+]?0*(\d+)\.?(\d*)(.*)$/.exec(text) ?? [];
  const binary = binarySuffixes.indexOf(suffix);
  const size = whole.length + fraction.length;
  if (binary > 0) return fraction === "" && size + 3 * binary <= 14 && BigInt(whole) % 8n !== 0n;
  const power =
    /^[eE]/.test(suffix) && suffix !== "E" ? Number(suffix.slice(1)) : (decimalSuffixes.indexOf(suffix) - 3) * 3;
  const scale = power - fraction.length;
  const digits = whole + fraction;
  return size <= 18 && scale >= -9 && scale % 3 === 0 && !digits.endsWith("000") && digits[0] !== "0";
}

/**
 * Compares two quantities for sorting: the result is negative, zero or positive.
 *
 * @example
 * const isSame = compareQuantities(parseQuantity("1Gi"), parseQuantity("1024Mi")) === 0; // true
 */
export function compareQuantities(a: ParsedQuantity, b: ParsedQuantity): number {
  return a.nanos < b.nanos ? -1 : a.nanos > b.nanos ? 1 : 0;
}

/**
 * Adds two quantities, in the style of the first unless that is zero.
 *
 * @example
 * const total = ["1Gi", "512Mi"].map(parseQuantity).reduce(addQuantities);
 * ctx.log.info("Memory of all instances", { total: formatQuantity(total) }); // 1536Mi
 */
export function addQuantities(a: ParsedQuantity, b: ParsedQuantity): ParsedQuantity {
  return { nanos: a.nanos + b.nanos, style: a.nanos === 0n ? b.style : a.style };
}

/**
 * Subtracts the second quantity from the first, in the style of the first unless that is zero.
 *
 * @example
 * const free = subtractQuantities(parseQuantity("8Gi"), parseQuantity("512Mi"));
 * ctx.log.info("Memory that is left", { free: formatQuantity(free) }); // 7680Mi
 */
export function subtractQuantities(a: ParsedQuantity, b: ParsedQuantity): ParsedQuantity {
  return addQuantities(a, { ...b, nanos: -b.nanos });
}

/**
 * Multiplies a quantity, such as the memory of an instance by their number. Fractions below a billionth are rounded away
 * from zero.
 *
 * @example
 * const total = multiplyQuantity(parseQuantity("256Mi"), 4);
 * ctx.log.info("Memory of all instances", { total: formatQuantity(total) }); // 1Gi
 */
export function multiplyQuantity({ nanos, style }: ParsedQuantity, times: number): ParsedQuantity {
  const exact = nanos * BigInt(Math.round(times * 1e9));
  return { nanos: exact < 0n ? -divideUp(-exact, nano) : divideUp(exact, nano), style };
}

/** Rounds up to a whole number. */
export function roundUpQuantity({ nanos, style }: ParsedQuantity): ParsedQuantity {
  return { nanos: divideUp(nanos, nano) * nano, style };
}

/** Returns the value if it is an integer of 64 bits. */
export function quantityToInteger({ nanos }: ParsedQuantity): bigint | undefined {
  const value = nanos / nano;
  return nanos % nano === 0n && BigInt.asIntN(64, value) === value ? value : undefined;
}

/**
 * Returns the nearest number: bytes of memory, or fractions of a processor.
 *
 * @example
 * const [cpus, bytes] = [quantityToNumber(parseQuantity("500m")), quantityToNumber(parseQuantity("2Gi"))]; // 0.5, 2147483648
 */
export function quantityToNumber({ nanos }: ParsedQuantity): number {
  return nanos % nano === 0n ? Number(nanos / nano) : Number(nanos) / 1e9;
}

function divideUp(number: bigint, by: bigint): bigint {
  return (number + by - 1n) / by;
}

/** Divides as often as possible without a remainder. */
function reduce(amount: bigint, by: bigint, most: number): [amount: bigint, steps: number] {
  let steps = 0;
  for (; steps < most && amount % by === 0n; steps++) amount /= by;
  return [amount, steps];
}
