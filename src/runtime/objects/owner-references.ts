import { parseApiVersion } from "../../apimachinery/kind.ts";
import type { DeepReadonly, KubeObject, OwnerReference } from "../../apimachinery/meta.ts";
import { TsopError } from "../../errors/tsop-error.ts";

/**
 * Makes `owner` the controller of `object`, in place: the object is deleted with it, and `owns()` maps its changes to
 * the owner. The owner must come from a client, which sets its apiVersion and kind. Throws if the object has another
 * controller, or if the owner's scope does not allow it.
 *
 * @example
 * const secret: Secret = { metadata: { namespace: "default", name: "password" } };
 * setControllerReference(memcached, secret);
 * await client.create(Secret, secret);
 */
export function setControllerReference(
  owner: DeepReadonly<KubeObject>,
  object: KubeObject,
  options: { blockOwnerDeletion?: boolean } = {},
): void {
  const reference = {
    ...ownerReference(owner, object),
    controller: true,
    blockOwnerDeletion: options.blockOwnerDeletion ?? true,
  };
  const other = object.metadata.ownerReferences?.find((each) => each.controller && !sameOwner(each, reference));
  if (other) {
    const taken = { object: nameOf(object), owner: `${other.kind} ${other.name}` };
    throw new TsopError("TSOP_OWNER_TAKEN", taken);
  }
  putReference(object, reference);
}

/**
 * Makes `owner` one of the owners of `object`, in place: it is deleted with the last of them.
 *
 * @example
 * setOwnerReference(memcached, configMap);
 * await client.update(ConfigMap, configMap);
 */
export function setOwnerReference(owner: DeepReadonly<KubeObject>, object: KubeObject): void {
  putReference(object, ownerReference(owner, object));
}

/**
 * Reports whether the owner is one of the object's owners.
 *
 * @example
 * if (!hasOwnerReference(memcached, configMap)) ctx.log.info("Somebody else's", { name: configMap.metadata.name });
 */
export function hasOwnerReference(owner: DeepReadonly<KubeObject>, object: DeepReadonly<KubeObject>): boolean {
  const { apiVersion = "", kind = "", metadata } = owner;
  const wanted = { apiVersion, kind, name: metadata.name ?? "", uid: metadata.uid ?? "" };
  return object.metadata.ownerReferences?.some((each) => sameOwner(each, wanted)) ?? false;
}

/**
 * Reports whether the object has a controller.
 *
 * @example
 * const { items } = await client.list(Pod, { namespace: "default" });
 * const orphans = items.filter((each) => !hasControllerReference(each));
 */
export function hasControllerReference(object: DeepReadonly<KubeObject>): boolean {
  return controllerOf(object) !== undefined;
}

/**
 * Returns the reference to the controller of an object.
 *
 * @example
 * const owner = controllerOf(pod);
 * if (owner?.kind === "ReplicaSet") ctx.log.info("Made by a Deployment", { replicaSet: owner.name });
 */
export function controllerOf(object: DeepReadonly<KubeObject>): Readonly<OwnerReference> | undefined {
  return object.metadata.ownerReferences?.find((reference) => reference.controller);
}

/**
 * Removes an owner, in place; throws if the object is not an owner.
 *
 * @example
 * if (hasOwnerReference(memcached, configMap)) removeOwnerReference(memcached, configMap);
 * await client.update(ConfigMap, configMap); // stays when the Memcached goes
 */
export function removeOwnerReference(owner: KubeObject, object: KubeObject): void {
  if (!hasOwnerReference(owner, object)) {
    throw new TsopError("TSOP_OWNER_ABSENT", { object: nameOf(object), owner: nameOf(owner) });
  }
  const gone = ownerReference(owner, object);
  object.metadata.ownerReferences = object.metadata.ownerReferences!.filter((each) => !sameOwner(each, gone));
}

/**
 * Removes the controller of an object, in place; throws if it is not `owner`.
 *
 * @example
 * removeControllerReference(memcached, deployment);
 * await client.update(Deployment, deployment);
 */
export function removeControllerReference(owner: KubeObject, object: KubeObject): void {
  const controller = controllerOf(object);
  if (!controller || !sameOwner(controller, ownerReference(owner, object))) {
    throw new TsopError("TSOP_OWNER_ABSENT", { object: nameOf(object), owner: nameOf(owner) });
  }
  removeOwnerReference(owner, object);
}

function ownerReference(owner: DeepReadonly<KubeObject>, object: KubeObject): OwnerReference {
  const { apiVersion, kind, metadata } = owner;
  const { name, uid, namespace } = metadata;
  if (!apiVersion) throw new TsopError("TSOP_OWNER_UNKNOWN", { field: "apiVersion" });
  if (!kind) throw new TsopError("TSOP_OWNER_UNKNOWN", { field: "kind" });
  if (!name) throw new TsopError("TSOP_OWNER_UNKNOWN", { field: "metadata.name" });
  if (!uid) throw new TsopError("TSOP_OWNER_UNKNOWN", { field: "metadata.uid" });
  if (namespace && namespace !== object.metadata.namespace) {
    throw new TsopError("TSOP_OWNER_SCOPE", {
      owner: nameOf(owner),
      ownerNamespace: namespace,
      object: nameOf(object),
      objectNamespace: object.metadata.namespace ?? '"" (cluster-scoped)',
    });
  }
  return { apiVersion, kind, name, uid };
}

function putReference(object: KubeObject, reference: OwnerReference): void {
  const references = (object.metadata.ownerReferences ??= []);
  const index = references.findIndex((each) => sameOwner(each, reference));
  if (index < 0) references.push(reference);
  else references[index] = reference;
}

/** Compares group, kind and name; version and uid can differ. */
function sameOwner(a: OwnerReference, b: OwnerReference): boolean {
  const sameGroup = parseApiVersion(a.apiVersion).group === parseApiVersion(b.apiVersion).group;
  return sameGroup && a.kind === b.kind && a.name === b.name;
}

function nameOf({ kind = "object", metadata }: DeepReadonly<KubeObject>): string {
  return `${kind} ${metadata.name ?? metadata.generateName ?? ""}`;
}
