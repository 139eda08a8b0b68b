import { cloneJson } from "../../apimachinery/clone.ts";
import { equalJson } from "../../apimachinery/equal.ts";
import type { Kind } from "../../apimachinery/kind.ts";
import { objectKey, type KubeObject, type Named, type UnstructuredObject } from "../../apimachinery/meta.ts";
import type { Client } from "../../client/client.ts";
import { mergeFrom } from "../../client/patches.ts";
import { TsopError } from "../../errors/tsop-error.ts";

/** The result of `createOrUpdate`. */
export interface CreateOrUpdateResult<T extends KubeObject> {
  readonly operation: "created" | "updated" | "updatedStatus" | "updatedStatusOnly" | "unchanged";
  /** The object on the server. */
  readonly object: Named<T>;
}

/**
 * Reads an object, lets `mutate` change it to the wanted state, and writes it only if it changed. `object` needs a name
 * and is the base if the object does not exist. `mutate` must not change name and namespace; its changes of the status
 * are not written.
 *
 * @example
 * const metadata = { namespace: "default", name: "settings" };
 * const { object } = await createOrUpdate(client, ConfigMap, { metadata }, (settings) => {
 *   settings.data = { size: String(memcached.spec.size) };
 *   setControllerReference(memcached, settings);
 * });
 */
export async function createOrUpdate<T extends KubeObject>(
  client: Client,
  kind: Kind<T>,
  object: T,
  mutate: (object: T) => void | Promise<void>,
): Promise<CreateOrUpdateResult<T>> {
  const found = await client.getOrUndefined(kind, objectKey(object));
  const before = found ?? object;
  const after = await mutated(before, mutate);
  if (!found) return { operation: "created", object: await client.create(kind, after) };
  if (equalJson(before, after)) return { operation: "unchanged", object: found };
  return { operation: "updated", object: await client.update(kind, after) };
}

/**
 * Works like `createOrUpdate` with merge patches, one for the object and one for its status, each only if needed.
 *
 * @example
 * const metadata = { namespace: "default", name: "settings" };
 * const { operation } = await createOrPatch(client, ConfigMap, { metadata }, (settings) => {
 *   (settings.data ??= {})["size"] = String(memcached.spec.size);
 * });
 * ctx.log.info("Settings are as they should be", { operation });
 */
export async function createOrPatch<T extends KubeObject>(
  client: Client,
  kind: Kind<T>,
  object: T,
  mutate: (object: T) => void | Promise<void>,
): Promise<CreateOrUpdateResult<T>> {
  const key = objectKey(object);
  const before = await client.getOrUndefined(kind, key);
  const after = await mutated(before ?? object, mutate);
  if (!before) return { operation: "created", object: await client.create(kind, after) };
  const body = !equalJson(withoutStatus(before), withoutStatus(after));
  const status = !equalJson(statusOf(before), statusOf(after));
  let current = before;
  if (body) current = await client.patch(kind, key, mergeFrom(withoutStatus(before), withoutStatus(after)));
  if (status) {
    const patch = mergeFrom(onlyStatus(before), onlyStatus(after));
    current = await client.status.patch(kind, key, patch);
  }
  if (body) return { operation: status ? "updatedStatus" : "updated", object: current };
  return { operation: status ? "updatedStatusOnly" : "unchanged", object: current };
}

async function mutated<T extends KubeObject>(before: T, mutate: (object: T) => void | Promise<void>): Promise<T> {
  const after = cloneJson(before);
  await mutate(after);
  const { name, namespace } = before.metadata;
  if (after.metadata.name !== name || after.metadata.namespace !== namespace) {
    throw new TsopError("TSOP_MUTATE_CHANGED_KEY", { object: namespace ? `${namespace}/${name}` : (name ?? "") });
  }
  return after;
}

function statusOf(object: KubeObject): unknown {
  return (object as UnstructuredObject)["status"];
}

function withoutStatus<T extends KubeObject>(object: T): T {
  const { status: _status, ...rest } = object as T & { status?: unknown };
  return rest as T;
}

function onlyStatus(object: KubeObject): UnstructuredObject {
  return { metadata: {}, status: statusOf(object) };
}
