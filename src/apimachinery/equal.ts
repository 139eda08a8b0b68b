/**
 * Reports whether two JSON values are equal. The order of fields is ignored, and a field that is `undefined` counts as
 * absent.
 *
 * @example
 * const status = { ...memcached.status, nodes: ["memcached-0"] };
 * if (!equalJson(status, memcached.status)) await client.status.update(Memcached, { ...memcached, status });
 */
export function equalJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b)) return Array.isArray(a) && Array.isArray(b) && equalLists(a, b);
  return equalFields(a as Record<string, unknown>, b as Record<string, unknown>);
}

function equalLists(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((item, index) => equalJson(item, b[index]));
}

function equalFields(a: Record<string, unknown>, b: Record<string, unknown>): boolean {
  let present = 0;
  for (const key in a) {
    if (a[key] === undefined) continue;
    if (!Object.hasOwn(b, key) || !equalJson(a[key], b[key])) return false;
    present++;
  }
  for (const key in b) if (b[key] !== undefined) present--;
  return present === 0;
}
