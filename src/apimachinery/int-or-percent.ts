import { TsopError } from "../errors/tsop-error.ts";
import type { IntOrString } from "./meta.ts";

/**
 * Returns a number as it is, and a percentage such as `25%` as its share of `total`, rounded. Throws a TsopError for
 * other texts: the schema of an IntOrString does not refuse them.
 *
 * @example
 * const mayBeAway = scaledIntOrPercent("25%", deployment.spec?.replicas ?? 1, "down");
 */
export function scaledIntOrPercent(value: IntOrString, total: number, round: "up" | "down"): number {
  if (typeof value === "number") return value;
  if (!/^[-+]?\d+%$/.test(value)) throw new TsopError("TSOP_PERCENTAGE_INVALID", { value });
  const exact = (Number.parseInt(value, 10) * total) / 100;
  return round === "up" ? Math.ceil(exact) : Math.floor(exact);
}
