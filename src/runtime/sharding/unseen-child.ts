import { groupKindOf, metadataOnly } from "../../apimachinery/kind.ts";
import type { Named } from "../../apimachinery/meta.ts";
import { isAlreadyExists } from "../../apimachinery/status.ts";
import type { Reader } from "../../client/client.ts";
import type { Cache } from "../cache/cache.ts";
import { controllerOf } from "../objects/owner-references.ts";

/** A child that exists although the reconcile of its object has not seen it. */
export interface UnseenChild {
  readonly name: string;
  /** True if the cache of this shard has it by now. */
  readonly hasArrived: boolean;
}

/**
 * Finds the child that the server has refused to create with AlreadyExists because the object has it already, unseen by
 * this shard: the sharder moves an object first and its children later. Returns `undefined` for any other error.
 */
export async function findUnseenChild(
  error: unknown,
  owner: Named,
  { cache, apiReader, signal }: { cache: Cache; apiReader: Reader; signal: AbortSignal },
): Promise<UnseenChild | undefined> {
  if (!isAlreadyExists(error)) return undefined;
  const { name, group = "", kind: resource = "" } = error.status.details ?? {};
  const kind = cache.kindOf({ group, resource });
  if (!name || !kind) return undefined;
  const key = { name, namespace: kind.scope === "Cluster" ? undefined : owner.metadata.namespace };
  const cached = await cache.getOrUndefined(kind, key, { signal });
  const child = cached ?? (await apiReader.getOrUndefined(metadataOnly(kind), key, { signal }));
  if (!child || controllerOf(child)?.uid !== owner.metadata.uid) return undefined;
  return { name: `${groupKindOf(kind)} ${name}`, hasArrived: cached !== undefined };
}
