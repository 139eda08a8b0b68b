/** A Kubernetes object as on the wire: plain JSON, times as strings, unknown fields kept. */
export interface KubeObject {
  apiVersion?: string;
  kind?: string;
  metadata: ObjectMeta;
}

/** An object of which only the metadata is read. */
export type PartialObjectMetadata = KubeObject;

/** The type with every field read-only, recursively. */
export type DeepReadonly<T> = T extends readonly (infer Item)[]
  ? readonly DeepReadonly<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> }
    : T;

/** An object whose fields, except for the metadata, have no static type. */
export interface UnstructuredObject extends KubeObject {
  [field: string]: unknown;
}

/** The metadata of every object. */
export interface ObjectMeta {
  name?: string;
  generateName?: string;
  namespace?: string | undefined;
  uid?: string;
  resourceVersion?: string;
  generation?: number;
  creationTimestamp?: Time;
  deletionTimestamp?: Time;
  deletionGracePeriodSeconds?: number;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  ownerReferences?: OwnerReference[];
  finalizers?: string[];
  managedFields?: ManagedFieldsEntry[];
  selfLink?: string;
}

/**
 * An object with a name, as all objects from a server have. It is assignable to `T`.
 *
 * @example
 * const memcached: Named<Memcached> = await client.get(Memcached, request);
 * const labels = { app: memcached.metadata.name };
 */
export type Named<T extends KubeObject = KubeObject> = T & { metadata: { name: string } };

/** An owner. An object whose owners no longer exist is garbage-collected. */
export interface OwnerReference {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
  controller?: boolean;
  blockOwnerDeletion?: boolean;
}

/** The fields that a manager has set; maintained by the server. */
export interface ManagedFieldsEntry {
  manager?: string;
  operation?: "Apply" | "Update";
  apiVersion?: string;
  time?: Time;
  fieldsType?: string;
  fieldsV1?: Record<string, unknown>;
  subresource?: string;
}

/** The metadata of a list: its version, and the token of the next page. */
export interface ListMeta {
  resourceVersion?: string;
  continue?: string;
  remainingItemCount?: number;
  selfLink?: string;
}

/** The response to a list request. */
export interface KubeList<T extends KubeObject = KubeObject> {
  apiVersion?: string;
  kind?: string;
  metadata: ListMeta;
  items: T[];
}

/** An event on the wire; the object of a BOOKMARK has only kind, apiVersion and a resourceVersion. */
export type WatchEvent<T extends KubeObject = KubeObject> =
  | { type: "ADDED" | "MODIFIED" | "DELETED"; object: Named<T> }
  | { type: "BOOKMARK"; object: KubeObject };

/** A condition of an object's status, like `metav1.Condition`. */
export interface Condition {
  type: string;
  status: "True" | "False" | "Unknown";
  observedGeneration?: Int64;
  lastTransitionTime: Time;
  reason: string;
  message: string;
}

/** Selects objects by their labels; all requirements must hold. */
export interface LabelSelector {
  matchLabels?: Record<string, string>;
  matchExpressions?: LabelSelectorRequirement[];
}

/** A requirement of a LabelSelector. */
export interface LabelSelectorRequirement {
  key: string;
  operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
  values?: string[];
}

/** Namespace and name; the namespace is absent for cluster-scoped kinds. */
export interface ObjectKey {
  readonly namespace?: string | undefined;
  readonly name: string;
}

/** A key, or the object itself. */
export type ObjectRef = ObjectKey | DeepReadonly<KubeObject>;

/**
 * Returns the key of an object, for `client.get` and requests.
 *
 * @example
 * const fresh = await client.get(Memcached, objectKey(memcached));
 */
export function objectKey(object: ObjectRef): ObjectKey {
  if (!("metadata" in object)) return object;
  const { namespace, name } = object.metadata;
  return namespace ? { namespace, name: name ?? "" } : { name: name ?? "" };
}

// Scalars for API types. The generators recognize them by their import, so each must remain an alias.

/** A 32-bit integer (`format: int32`). */
export type Int32 = number;
/** A 64-bit integer (`format: int64`); exact up to 2^53 in JavaScript. */
export type Int64 = number;
/** A fractional number (`type: number`). The API conventions discourage it; importing it permits it. */
export type Float = number;
/** A resource quantity such as `100m` or `64Mi`. */
export type Quantity = string | number;
/** A number or a string such as `80%`. */
export type IntOrString = number | string;
/** A point in time, RFC 3339 with seconds. */
export type Time = string;
/** A point in time with exactly six fractional digits. */
export type MicroTime = string;
/** A duration in Go's notation, such as `1h30m`. */
export type Duration = string;
/** Base64 text (`format: byte`). */
export type Bytes = string;
/** Any JSON value. */
export type JSONValue = string | number | boolean | null | JSONValue[] | { [key: string]: JSONValue };
/** Any JSON object, stored unchanged. */
export type RawExtension = Record<string, unknown>;
/** A whole Kubernetes object inside another one. */
export type EmbeddedObject = UnstructuredObject;
