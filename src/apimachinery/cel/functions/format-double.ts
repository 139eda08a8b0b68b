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
