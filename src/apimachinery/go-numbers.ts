// Go's two types of numbers in JSON: int64, and float64 for all other numbers.

export function isInt64(value: number): boolean {
  return Number.isInteger(value) && value >= -(2 ** 63) && value < 2 ** 63;
}

/** Converts a float64 as Go: the fraction is cut off, and a number that is out of range becomes the smallest integer. */
export function toInt64(value: number): number {
  const whole = Math.trunc(value);
  return isInt64(whole) ? whole : -(2 ** 63);
}

/** Formats a number as Go's `%v`. */
export function goNumber(value: number): string {
  return isInt64(value) ? String(BigInt(value)) : goFloat(value);
}

/** Formats a float64 in its shortest form, as Go's `%v`: with an exponent of two digits below 1e-4 and from 1e6 on. */
export function goFloat(value: number): string {
  const [digits = "", power = "0"] = value.toExponential().split("e");
  const exponent = Number(power);
  if (exponent >= -4 && exponent < 6) return String(value);
  return `${digits}e${exponent < 0 ? "-" : "+"}${String(Math.abs(exponent)).padStart(2, "0")}`;
}
