import { apiVersionOf, groupKindOf, type Kind } from "../../apimachinery/kind.ts";
import type { KubeObject } from "../../apimachinery/meta.ts";
import { TsopError } from "../../errors/tsop-error.ts";

/** Converts objects of one kind between its versions. */
export interface Converter {
  /** `Kind.group`. */
  readonly groupKind: string;
  convert(object: KubeObject, desiredApiVersion: string): Promise<KubeObject>;
}

/** A version that can be converted to the hub and back. */
export interface Spoke<Hub extends KubeObject> {
  readonly kind: Kind;
  toHub(object: KubeObject): Hub | Promise<Hub>;
  fromHub(hub: Hub): KubeObject | Promise<KubeObject>;
}

/**
 * Declares the conversion of one version. Type, name and the like are copied; the functions only translate the rest.
 *
 * @example
 * const v1alpha1 = spoke<Memcached, MemcachedV1>(
 *   Memcached,
 *   ({ metadata, spec }) => ({ metadata, spec: { replicas: spec.size ?? 1 } }),
 *   ({ metadata, spec }) => ({ metadata, spec: { size: spec.replicas ?? 1 } }),
 * );
 * const converter = hubSpoke(MemcachedV1, [v1alpha1]);
 */
export function spoke<Version extends KubeObject, Hub extends KubeObject>(
  kind: Kind<Version>,
  toHub: (object: Version) => Hub | Promise<Hub>,
  fromHub: (hub: Hub) => Version | Promise<Version>,
): Spoke<Hub> {
  return { kind, toHub: (object) => toHub(object as Version), fromHub };
}

/**
 * Creates a converter with a hub: spoke to hub, hub to spoke, and spoke to spoke through the hub.
 *
 * @example
 * const converter = hubSpoke(MemcachedV1, [
 *   spoke<Memcached, MemcachedV1>(
 *     Memcached,
 *     ({ metadata, spec }) => ({ metadata, spec: { replicas: spec.size ?? 1 } }),
 *     ({ metadata, spec }) => ({ metadata, spec: { size: spec.replicas ?? 1 } }),
 *   ),
 * ]);
 * webhookManagedBy(mgr, MemcachedV1).withConverter(converter).complete();
 */
export function hubSpoke<Hub extends KubeObject>(hub: Kind<Hub>, spokes: readonly Spoke<Hub>[]): Converter {
  const groupKind = groupKindOf(hub);
  const versions = new Map<string, Spoke<Hub>>();
  for (const each of spokes) {
    const version = apiVersionOf(each.kind);
    const taken = versions.has(version) || version === apiVersionOf(hub);
    if (groupKindOf(each.kind) !== groupKind || taken) {
      throw new TsopError("TSOP_CONVERTER_VERSION", { groupKind, version, kind: groupKindOf(each.kind) });
    }
    versions.set(version, each);
  }

  const toHub = async (object: KubeObject): Promise<Hub> => {
    if (object.apiVersion === apiVersionOf(hub)) return object as Hub;
    const from = known(versions, object.apiVersion, groupKind);
    return retyped(await from.toHub(object), hub, object);
  };
  return {
    groupKind,
    async convert(object, desiredApiVersion) {
      if (desiredApiVersion === object.apiVersion) {
        throw new Error(`conversion is not allowed between same type ${desiredApiVersion} ${hub.kind}`);
      }
      const middle = await toHub(object);
      if (desiredApiVersion === apiVersionOf(hub)) return middle;
      const to = known(versions, desiredApiVersion, groupKind);
      return retyped(await to.fromHub(middle), to.kind, object);
    },
  };
}

function known<Hub extends KubeObject>(
  versions: ReadonlyMap<string, Spoke<Hub>>,
  version: string | undefined,
  groupKind: string,
): Spoke<Hub> {
  const found = version === undefined ? undefined : versions.get(version);
  if (!found) throw new Error(`there is no conversion for ${groupKind} version ${version ?? "(none)"}`);
  return found;
}

/**
 * Sets the type and keeps the original metadata except for labels and annotations: the server rejects any other change
 * of metadata.
 */
function retyped<T extends KubeObject>(converted: T, kind: Kind, original: KubeObject): T {
  const { labels, annotations } = converted.metadata ?? original.metadata;
  const { labels: _labels, annotations: _annotations, ...kept } = original.metadata;
  const metadata = { ...kept, ...(labels && { labels }), ...(annotations && { annotations }) };
  return { ...converted, apiVersion: apiVersionOf(kind), kind: kind.kind, metadata };
}
