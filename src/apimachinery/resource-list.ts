import type { Fields } from "./fields.ts";
import { addQuantities, compareQuantities, formatQuantity, parseQuantity, type ParsedQuantity } from "./quantity.ts";

/** Amounts of resources by name, such as the requests of a container. */
export type ResourceList = ReadonlyMap<string, ParsedQuantity>;

/** Parses canonical amounts such as `{ cpu: "1" }`. An amount that does not change keeps its text, as in Go. */
export function parseResources(amounts: Readonly<Fields> | undefined): ResourceList {
  const parse = (text: string): ParsedQuantity => ({ ...parseQuantity(text), text });
  return new Map(Object.entries(amounts ?? {}).map(([name, amount]) => [name, parse(String(amount))]));
}

/** Formats amounts, sorted by name. */
export function formatResources(list: ResourceList): Record<string, string> {
  const sorted = [...list].sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(sorted.map(([name, amount]) => [name, formatQuantity(amount)]));
}

/** Adds two lists. */
export function addResources(a: ResourceList, b: ResourceList): ResourceList {
  const sum = new Map(a);
  for (const [name, amount] of b) {
    const before = sum.get(name);
    sum.set(name, before ? addQuantities(before, amount) : amount);
  }
  return sum;
}

/** Returns the larger amount of each resource. */
export function maxResources(a: ResourceList, b: ResourceList): ResourceList {
  const most = new Map(a);
  for (const [name, amount] of b) {
    const before = most.get(name);
    if (!before || compareQuantities(amount, before) > 0) most.set(name, amount);
  }
  return most;
}

/** Returns the amounts of the resources that `isWanted` selects. */
export function pickResources(list: ResourceList, isWanted: (name: string) => boolean): ResourceList {
  return new Map([...list].filter(([name]) => isWanted(name)));
}
