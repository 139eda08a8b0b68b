import { formatQuantity, type ParsedQuantity } from "../../../apimachinery/quantity.ts";
import type { ResourceList } from "../../../apimachinery/resource-list.ts";
import type { LimitItem } from "./limit-item.ts";

/** The resources of a container, a pod or a claim. */
export interface Used {
  readonly requests: ResourceList;
  readonly limits: ResourceList;
}

/** Returns why resources break an entry of a LimitRange, a text for each resource. */
export function brokenLimits({ type, min, max, maxLimitRequestRatio }: LimitItem, used: Used): string[] {
  return [
    ...check(min, used, (name, amounts) => belowMin(`minimum ${name} usage per ${type} is`, amounts)),
    ...check(max, used, (name, amounts) => aboveMax(`maximum ${name} usage per ${type} is`, amounts)),
    ...check(maxLimitRequestRatio, used, (name, amounts) =>
      aboveRatio(`${name} max limit to request ratio per ${type} is`, amounts),
    ),
  ];
}

/** Returns why the requests of a claim break an entry; the limits of a claim do not count. */
export function brokenRequests({ type, min, max }: LimitItem, requests: ResourceList): string[] {
  const used = { requests, limits: new Map() };
  return [
    ...check(min, used, (name, amounts) => belowMin(`minimum ${name} usage per ${type} is`, amounts)),
    ...check(max, used, (name, { enforced, request }) => {
      const what = `maximum ${name} usage per ${type} is ${formatQuantity(enforced)}`;
      if (!request) return `${what}.  No request is specified`;
      const [asked, most] = comparable(request, enforced);
      return asked > most ? `${what}, but request is ${formatQuantity(request)}` : undefined;
    }),
  ];
}

/** The amounts of one resource. */
interface Amounts {
  readonly enforced: ParsedQuantity;
  readonly request: ParsedQuantity | undefined;
  readonly limit: ParsedQuantity | undefined;
}

function check(
  enforced: ResourceList,
  { requests, limits }: Used,
  findError: (name: string, amounts: Amounts) => string | undefined,
): string[] {
  return [...enforced].flatMap(([name, amount]) => {
    const error = findError(name, { enforced: amount, request: requests.get(name), limit: limits.get(name) });
    return error === undefined ? [] : [error];
  });
}

function belowMin(what: string, { enforced, request, limit }: Amounts): string | undefined {
  const least = `${what} ${formatQuantity(enforced)}`;
  if (!request) return `${least}.  No request is specified`;
  const [wanted, asked, allowed] = comparable(enforced, request, limit);
  if (asked < wanted) return `${least}, but request is ${formatQuantity(request)}`;
  return limit && allowed < wanted ? `${least}, but limit is ${formatQuantity(limit)}` : undefined;
}

function aboveMax(what: string, { enforced, request, limit }: Amounts): string | undefined {
  const most = `${what} ${formatQuantity(enforced)}`;
  if (!limit) return `${most}.  No limit is specified`;
  const [wanted, asked, allowed] = comparable(enforced, request, limit);
  if (allowed > wanted) return `${most}, but limit is ${formatQuantity(limit)}`;
  return request && asked > wanted ? `${most}, but request is ${formatQuantity(request)}` : undefined;
}

function aboveRatio(what: string, { enforced, request, limit }: Amounts): string | undefined {
  const most = `${what} ${formatQuantity(enforced)}`;
  const [, asked, allowed] = comparable(enforced, request, limit);
  if (asked === 0n) return `${most}, but no request is specified or request is 0`;
  if (allowed === 0n) return `${most}, but no limit is specified or limit is 0`;
  const ratio = Number(allowed) / Number(asked);
  return ratio * 1000 > Number(roundUp(enforced, milli))
    ? `${most}, but provided ratio is ${ratio.toFixed(6)}`
    : undefined;
}

const milli = 10n ** 6n;

/** Returns amounts in thousandths, an absent one as 0. */
function comparable(...amounts: readonly (ParsedQuantity | undefined)[]): [bigint, bigint, bigint] {
  const [a = 0n, b = 0n, c = 0n] = amounts.map((amount) => (amount ? roundUp(amount, milli) : 0n));
  return [a, b, c];
}

function roundUp({ nanos }: ParsedQuantity, unit: bigint): bigint {
  return nanos / unit + (nanos % unit > 0n ? 1n : 0n);
}
