import { isAlreadyExists, isNotFound } from "../apimachinery/status.ts";

/**
 * For what may be gone already. Throws any other error again.
 *
 * @example
 * await client.delete(ConfigMap, { namespace: "default", name: "lock" }).catch(ignoreNotFound);
 */
export function ignoreNotFound(error: unknown): undefined {
  if (!isNotFound(error)) throw error;
  return undefined;
}

/**
 * For what may be there already. Throws any other error again.
 *
 * @example
 * await client.create(ConfigMap, { metadata: { namespace: "default", name: "lock" } }).catch(ignoreAlreadyExists);
 */
export function ignoreAlreadyExists(error: unknown): undefined {
  if (!isAlreadyExists(error)) throw error;
  return undefined;
}
