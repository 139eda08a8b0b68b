import { isAlreadyExists, isNotFound } from "../apimachinery/status.ts";

/** For what may be gone already: `await client.delete(Kind, key).catch(ignoreNotFound)`. Throws any other error again. */
export function ignoreNotFound(error: unknown): undefined {
  if (!isNotFound(error)) throw error;
  return undefined;
}

/** For what may be there already: `await client.create(Kind, object).catch(ignoreAlreadyExists)`. Throws any other error again. */
export function ignoreAlreadyExists(error: unknown): undefined {
  if (!isAlreadyExists(error)) throw error;
  return undefined;
}
