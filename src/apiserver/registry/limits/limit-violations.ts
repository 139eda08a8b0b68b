import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import {
  addQuantities,
  compareQuantities,
  formatQuantity,
  parseQuantity,
  quantityToNumber,
} from "../../../apimachinery/quantity.ts";
import { childIf, items } from "../../../apimachinery/fields.ts";
import { limitRanges, limitsOf, type Amounts, type Limit } from "./limit-range.ts";
import type { StrategyContext } from "../strategy.ts";

/** What the namespace's LimitRanges forbid of a pod, in the API server's words. */
export function podViolations(pod: UnstructuredObject, context: StrategyContext): string[] {
  const spec = childIf(pod, "spec");
  const [main, first] = ["containers", "initContainers"].map((list) => items(spec, list).map(usageOf)) as [
    Usage[],
    Usage[],
  ];
  const whole = { requests: total(main, first, "requests"), limits: total(main, first, "limits") };
  return limitsIn(pod, context).flatMap((limit) => {
    if (limit.type === "Pod") return usageViolations(limit, whole);
    if (limit.type !== "Container") return [];
    return [...main, ...first].flatMap((usage) => usageViolations(limit, usage));
  });
}

/** The same of a claim of storage. */
export function claimViolations(claim: UnstructuredObject, context: StrategyContext): string[] {
  const usage = usageOf(childIf(claim, "spec") ?? {});
  return limitsIn(claim, context)
    .filter(({ type }) => type === "PersistentVolumeClaim")
    .flatMap((limit) => [
      ...minimumViolations(limit, { ...usage, limits: {} }),
      ...Object.entries(limit.max ?? {}).flatMap(([name, most]) => {
        const request = usage.requests[name];
        const start = `maximum ${name} usage per ${limit.type} is ${most}`;
        if (request === undefined) return [`${start}.  No request is specified`];
        return isAbove(request, most) ? [`${start}, but request is ${request}`] : [];
      }),
    ]);
}

function limitsIn({ metadata: { namespace } }: UnstructuredObject, { list }: StrategyContext): Limit[] {
  return [...list(limitRanges)].filter(({ metadata }) => metadata.namespace === namespace).flatMap(limitsOf);
}

interface Usage {
  readonly requests: Amounts;
  readonly limits: Amounts;
}

function usageOf(holder: Readonly<Record<string, unknown>>): Usage {
  const { requests = {}, limits = {} } = (holder["resources"] ?? {}) as Partial<Usage>;
  return { requests, limits };
}

/** Containers run side by side; before them, one after the other, those that prepare. */
function total(main: readonly Usage[], first: readonly Usage[], list: keyof Usage): Amounts {
  const sums = new Map<string, string>();
  for (const usage of main)
    for (const [name, amount] of Object.entries(usage[list])) {
      const sum = sums.get(name);
      sums.set(
        name,
        sum === undefined ? amount : formatQuantity(addQuantities(parseQuantity(sum), parseQuantity(amount))),
      );
    }
  for (const usage of first)
    for (const [name, amount] of Object.entries(usage[list])) {
      const sum = sums.get(name);
      if (sum === undefined || isAbove(amount, sum)) sums.set(name, amount);
    }
  return Object.fromEntries(sums);
}

function usageViolations(limit: Limit, usage: Usage): string[] {
  return [
    ...minimumViolations(limit, usage),
    ...Object.entries(limit.max ?? {}).flatMap(([name, most]) => {
      const [request, top] = [usage.requests[name], usage.limits[name]];
      const start = `maximum ${name} usage per ${limit.type} is ${most}`;
      if (top === undefined) return [`${start}.  No limit is specified`];
      if (isAbove(top, most)) return [`${start}, but limit is ${top}`];
      return request !== undefined && isAbove(request, most) ? [`${start}, but request is ${request}`] : [];
    }),
    ...ratioViolations(limit, usage),
  ];
}

function minimumViolations({ type, min = {} }: Limit, { requests, limits }: Usage): string[] {
  return Object.entries(min).flatMap(([name, least]) => {
    const [request, top] = [requests[name], limits[name]];
    const start = `minimum ${name} usage per ${type} is ${least}`;
    if (request === undefined) return [`${start}.  No request is specified`];
    if (isAbove(least, request)) return [`${start}, but request is ${request}`];
    return top !== undefined && isAbove(least, top) ? [`${start}, but limit is ${top}`] : [];
  });
}

function ratioViolations({ type, maxLimitRequestRatio = {} }: Limit, { requests, limits }: Usage): string[] {
  return Object.entries(maxLimitRequestRatio).flatMap(([name, most]) => {
    const [request, top] = [requests, limits].map((amounts) =>
      quantityToNumber(parseQuantity(amounts[name] ?? "0")),
    ) as [number, number];
    const start = `${name} max limit to request ratio per ${type} is ${most}`;
    if (request === 0) return [`${start}, but no request is specified or request is 0`];
    if (top === 0) return [`${start}, but no limit is specified or limit is 0`];
    const ratio = top / request;
    return ratio > quantityToNumber(parseQuantity(most)) ? [`${start}, but provided ratio is ${ratio.toFixed(6)}`] : [];
  });
}

function isAbove(amount: string, limit: string): boolean {
  return compareQuantities(parseQuantity(amount), parseQuantity(limit)) > 0;
}
