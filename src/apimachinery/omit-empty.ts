/**
 * Returns a copy of an object without the fields that Go's `omitempty` leaves out: `false`, 0, `""`, `null`, empty lists and
 * empty maps. Nested objects keep all their fields. A field that the type requires can't
 * be left out, so that the compiler rejects such types.
 *
 * @example
 * const status: Memcached["status"] = { nodes: [] }; // refused by a server that requires a node in the list
 * memcached.status = omitEmpty(status);
 * await client.status.update(Memcached, memcached);
 */
export function omitEmpty<T extends object>(object: object extends T ? T : never): T {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => !isEmpty(value))) as T;
}

function isEmpty(value: unknown): boolean {
  if (typeof value === "object" && value !== null) return Object.keys(value).length === 0;
  return !value;
}
