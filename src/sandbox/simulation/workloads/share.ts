import type { IntOrString } from "../../../apimachinery/meta.ts";

/** Resolves a number or a percentage of `total`. */
export function resolveShare(share: IntOrString, total: number, round: "up" | "down"): number {
  if (typeof share === "number") return share;
  const exact = (Number.parseInt(share, 10) * total) / 100;
  return round === "up" ? Math.ceil(exact) : Math.floor(exact);
}
