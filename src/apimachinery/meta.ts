/** Kubernetes objects as they are on the wire: plain JSON, times as strings, unknown fields kept. */
export interface KubeObject {
  apiVersion?: string;
  kind?: string;
  metadata: ObjectMeta;
}

/** All that is known of an object of which only the metadata is read. */
export type PartialObjectMetadata = KubeObject;

/** The same type for reading only, down to the leaves. */
export type DeepReadonly<T> = T extends readonly (infer Item)[]
  ? readonly DeepReadonly<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> }
    : T;

/** An object whose fields beyond the metadata are not known to the compiler. */
export interface UnstructuredObject extends KubeObject {
  [field: string]: unknown;
}

/** The metadata of an object, as every kind has it. */
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
 * An object that has a name, as all do that a server gives. It fits wherever a `T` does.
 *
 * @example
 * const memcached: Named<Memcached> = await client.get(Memcached, request);
 * const labels = { app: memcached.metadata.name };
 */
export type Named<T extends KubeObject = KubeObject> = T & { metadata: { name: string } };

/** Names an owner: without owners that exist, an object is collected as garbage. */
export interface OwnerReference {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
  controller?: boolean;
  blockOwnerDeletion?: boolean;
}

/** Which fields one manager has set, and how; kept by the server. */
export interface ManagedFieldsEntry {
  manager?: string;
  operation?: "Apply" | "Update";
  apiVersion?: string;
  time?: Time;
  fieldsType?: string;
  fieldsV1?: Record<string, unknown>;
  subresource?: string;
}

/** What a server says about a list: its version, and the token of the next page. */
export interface ListMeta {
  resourceVersion?: string;
  continue?: string;
  remainingItemCount?: number;
  selfLink?: string;
}

/** What a list request answers: the objects, and where the list goes on. */
export interface KubeList<T extends KubeObject = KubeObject> {
  apiVersion?: string;
  kind?: string;
  metadata: ListMeta;
  items: T[];
}

/** The words of the wire; a BOOKMARK's object has only kind, apiVersion and a resourceVersion. */
export type WatchEvent<T extends KubeObject = KubeObject> =
  { type: "ADDED" | "MODIFIED" | "DELETED"; object: Named<T> } | { type: "BOOKMARK"; object: KubeObject };

/** A condition of an object's status, as `metav1.Condition`. */
export interface Condition {
  type: string;
  status: "True" | "False" | "Unknown";
  observedGeneration?: Int64;
  lastTransitionTime: Time;
  reason: string;
  message: string;
}

/** Chooses objects by their labels; all of its conditions must hold. */
export interface LabelSelector {
  matchLabels?: Record<string, string>;
  matchExpressions?: LabelSelectorRequirement[];
}

/** One condition of a LabelSelector. */
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

/** Which object is meant: its key, or the object itself. */
export type ObjectRef = ObjectKey | DeepReadonly<KubeObject>;

/**
 * The key of an object, for `client.get` and requests.
 *
 * @example
 * const fresh = await client.get(Memcached, objectKey(memcached));
 */
export function objectKey(object: ObjectRef): ObjectKey {
  if (!("metadata" in object)) return object;
  const { namespace, name } = object.metadata;
  return namespace ? { namespace, name: name ?? "" } : { name: name ?? "" };
}

// Scalars that API types import. The generators recognise them by where the import leads, so each must stay an alias.

/** A 32-bit integer (`format: int32`). */
export type Int32 = number;
/** A 64-bit integer (`format: int64`); exact up to 2^53 in JavaScript. */
export type Int64 = number;
/** A fractional number (`type: number`). The API conventions discourage it; importing it is the permission. */
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
/** Any JSON object, kept as it is. */
export type RawExtension = Record<string, unknown>;
/** A whole Kubernetes object inside another one. */
export type EmbeddedObject = UnstructuredObject;
