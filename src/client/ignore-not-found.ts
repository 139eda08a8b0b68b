import { isAlreadyExists, isNotFound } from "../apimachinery/status.ts";

/**
 * Ignores that an object does not exist. Throws any other error again.
 *
 * @example
 * await client.delete(ConfigMap, { namespace: "default", name: "lock" }).catch(ignoreNotFound);
 */
export function ignoreNotFound(error: unknown): undefined {
  if (!isNotFound(error)) throw error;
  return undefined;
}

/**
 * Ignores that an object already exists. Throws any other error again.
 *
 * @example
 * await client.create(ConfigMap, { metadata: { namespace: "default", name: "lock" } }).catch(ignoreAlreadyExists);
 */
export function ignoreAlreadyExists(error: unknown): undefined {
  if (!isAlreadyExists(error)) throw error;
  return undefined;
}
