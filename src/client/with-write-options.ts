import type { Client, ListOptions, SubResourceClient, WriteOptions } from "./client.ts";

/**
 * Returns a client whose writes have a field owner, unless a call names another.
 *
 * @example
 * const scaler = withFieldOwner(mgr.client, "memcached-scaler");
 * await scaler.patch(Deployment, request, mergePatch({ spec: { replicas: 3 } }));
 */
export function withFieldOwner(client: Client, fieldOwner: string): Client {
  return withWriteOptions(client, { fieldOwner });
}

/**
 * Returns a client whose writes validate unknown and repeated fields in this way, unless a call says otherwise.
 *
 * @example
 * await withFieldValidation(client, "Strict").create(Memcached, memcached); // a misspelled field is rejected
 */
export function withFieldValidation(
  client: Client,
  fieldValidation: NonNullable<WriteOptions["fieldValidation"]>,
): Client {
  return withWriteOptions(client, { fieldValidation });
}

/**
 * Returns a client whose writes are dry runs: the server validates them and returns the resulting object.
 *
 * @example
 * const defaulted = await dryRunClient(client).create(Memcached, memcached);
 */
export function dryRunClient(client: Client): Client {
  return withWriteOptions(client, { dryRun: true });
}

function withWriteOptions(client: Client, defaults: WriteOptions): Client {
  const filled = <O extends WriteOptions>(options?: O): O => ({ ...defaults, ...options }) as O;
  const onlyDryRun = defaults.dryRun ? { dryRun: true } : {};
  const subResource = (sub: SubResourceClient): SubResourceClient => ({
    get: (kind, key, options) => sub.get(kind, key, options),
    create: (kind, key, body, options) => sub.create(kind, key, body, filled(options)),
    update: (kind, object, options) => sub.update(kind, object, filled(options)),
    patch: (kind, key, patch, options) => sub.patch(kind, key, patch, filled(options)),
    apply: (kind, object, options) => sub.apply(kind, object, filled(options)),
  });
  return {
    status: subResource(client.status),
    subResource: (name) => subResource(client.subResource(name)),
    kindFor: (apiVersion, kind, options) => client.kindFor(apiVersion, kind, options),
    preferredKindFor: (group, kind, options) => client.preferredKindFor(group, kind, options),
    get: (kind, key, options) => client.get(kind, key, options),
    getOrUndefined: (kind, key, options) => client.getOrUndefined(kind, key, options),
    list: (kind, options) => client.list(kind, options as ListOptions),
    listEach: (kind, options) => client.listEach(kind, options),
    watch: (kind, options) => client.watch(kind, options),
    watchBatches: (kind, options) => client.watchBatches(kind, options),
    create: (kind, object, options) => client.create(kind, object, filled(options)),
    update: (kind, object, options) => client.update(kind, object, filled(options)),
    patch: (kind, key, patch, options) => client.patch(kind, key, patch, filled(options)),
    apply: (kind, object, options) => client.apply(kind, object, filled(options)),
    delete: (kind, key, options) => client.delete(kind, key, { ...onlyDryRun, ...options }),
    deleteAndTell: (kind, key, options) => client.deleteAndTell(kind, key, { ...onlyDryRun, ...options }),
    deleteAllOf: (kind, options) => client.deleteAllOf(kind, { ...onlyDryRun, ...options }),
  };
}
