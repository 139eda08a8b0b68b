import type { Kind } from "../apimachinery/kind.ts";
import { objectKey, type ObjectKey, type ObjectRef } from "../apimachinery/meta.ts";
import { TsopError } from "../errors/tsop-error.ts";
import type { Client, ListOptions, SubResourceClient } from "./client.ts";

/**
 * Creates a client for one namespace: calls for namespaced kinds use it by default, and naming another one throws a
 * TsopError. Calls for cluster-scoped kinds are not changed.
 *
 * @example
 * const team = namespacedClient(mgr.client, "team-a");
 * const configMap = await team.get(ConfigMap, { name: "settings" });
 */
export function namespacedClient(client: Client, namespace: string): Client {
  const scope = new Scope(namespace);
  return {
    status: namespacedSubResource(client.status, scope),
    subResource: (name) => namespacedSubResource(client.subResource(name), scope),
    kindFor: (apiVersion, kind, options) => client.kindFor(apiVersion, kind, options),
    preferredKindFor: (group, kind, options) => client.preferredKindFor(group, kind, options),
    get: async (kind, key, options) => client.get(kind, scope.key(kind, key), options),
    getOrUndefined: async (kind, key, options) => client.getOrUndefined(kind, scope.key(kind, key), options),
    list: async (kind, options) => client.list(kind, scope.options(kind, options as ListOptions)),
    listEach: (kind, options) => client.listEach(kind, scope.options(kind, options)),
    watch: (kind, options) => client.watch(kind, scope.options(kind, options)),
    watchBatches: (kind, options) => client.watchBatches(kind, scope.options(kind, options)),
    create: async (kind, object, options) => client.create(kind, scope.object(kind, object), options),
    update: async (kind, object, options) => client.update(kind, scope.object(kind, object), options),
    patch: async (kind, object, patch, options) => client.patch(kind, scope.key(kind, object), patch, options),
    apply: async (kind, object, options) => client.apply(kind, scope.object(kind, object), options),
    delete: async (kind, object, options) => client.delete(kind, scope.key(kind, object), options),
    deleteAndTell: async (kind, object, options) => client.deleteAndTell(kind, scope.key(kind, object), options),
    deleteAllOf: async (kind, options) => client.deleteAllOf(kind, scope.options(kind, options)),
  };
}

function namespacedSubResource(client: SubResourceClient, scope: Scope): SubResourceClient {
  return {
    get: async (kind, object, options) => client.get(kind, scope.key(kind, object), options),
    create: async (kind, object, body, options) => client.create(kind, scope.key(kind, object), body, options),
    update: async (kind, object, options) => client.update(kind, scope.object(kind, object), options),
    patch: async (kind, object, patch, options) => client.patch(kind, scope.key(kind, object), patch, options),
    apply: async (kind, object, options) => client.apply(kind, scope.object(kind, object), options),
  };
}

interface InNamespace {
  readonly metadata: { readonly namespace?: string | undefined };
}

class Scope {
  private readonly namespace: string;

  constructor(namespace: string) {
    this.namespace = namespace;
  }

  key(kind: Kind, object: ObjectRef): ObjectKey {
    const { name, namespace } = objectKey(object);
    return { name, namespace: this.resolve(kind, namespace) };
  }

  options<O extends ListOptions>(kind: Kind, options?: O): O {
    return { ...options, namespace: this.resolve(kind, options?.namespace) } as O;
  }

  object<O extends InNamespace>(kind: Kind, object: O): O {
    const { metadata } = object;
    const namespace = this.resolve(kind, metadata.namespace);
    return namespace === metadata.namespace ? object : { ...object, metadata: { ...metadata, namespace } };
  }

  private resolve(kind: Kind, given: string | undefined): string | undefined {
    if (kind.scope === "Cluster") return given;
    if (given && given !== this.namespace) {
      throw new TsopError("TSOP_NAMESPACE_OTHER", { kind: kind.kind, given, namespace: this.namespace });
    }
    return this.namespace;
  }
}
