/** The size of a string, list or map. */
export interface SizeRange {
  readonly min: number;
  readonly max: number;
}

/** The limit of counts and costs, which are 64-bit integers in the API server. */
export const mostCost: number = 2 ** 64;

export const unknownSize: SizeRange = { min: 0, max: mostCost };

export function fixedSize(size: number): SizeRange {
  return { min: size, max: size };
}

export function addSizes(a: SizeRange, b: SizeRange): SizeRange {
  return { min: addCost(a.min, b.min), max: addCost(a.max, b.max) };
}

export function multiplySizes(a: SizeRange, b: SizeRange): SizeRange {
  return { min: multiplyCost(a.min, b.min), max: multiplyCost(a.max, b.max) };
}

/** Returns the range that contains both. */
export function uniteSizes(a: SizeRange, b: SizeRange): SizeRange {
  return { min: Math.min(a.min, b.min), max: Math.max(a.max, b.max) };
}

/** Returns the cost of traversing a value of a size, rounded up. */
export function traversalCost(size: number, factor = 0.1): number {
  return Math.min(Math.ceil(size * factor), mostCost);
}

export function addCost(...costs: readonly number[]): number {
  return Math.min(
    costs.reduce((sum, cost) => sum + cost, 0),
    mostCost,
  );
}

/** Multiplies, up to the largest cost. */
export function multiplyCost(a: number, b: number): number {
  return a === 0 || b === 0 ? 0 : Math.min(a * b, mostCost);
}
