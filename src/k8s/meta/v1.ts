// Kubernetes 1.36.3, written by test/record/kubernetes-data/write-types.mjs; do not edit.
import type { ListMeta } from "../../apimachinery/meta.ts";

/**
 * CauseType is a machine readable value providing more detail about what
 * occurred in a status response. An operation may have multiple causes for a
 * status (whether Failure or Success).
 */
export type CauseType = string;

export type ConditionStatus = string;

/** DeleteOptions may be provided when deleting an API object. */
export interface DeleteOptions {
  /**
   * APIVersion defines the versioned schema of this representation of an object.
   * Servers should convert recognized schemas to the latest internal value, and
   * may reject unrecognized values.
   * More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#resources
   */
  apiVersion?: string;
  /**
   * Kind is a string value representing the REST resource this object represents.
   * Servers may infer this from the endpoint the client submits requests to.
   * Cannot be updated.
   * In CamelCase.
   * More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#types-kinds
   */
  kind?: string;
  /**
   * When present, indicates that modifications should not be
   * persisted. An invalid or unrecognized dryRun directive will
   * result in an error response and no further processing of the
   * request. Valid values are:
   * - All: all dry run stages will be processed
   */
  dryRun?: string[];
  /**
   * The duration in seconds before the object should be deleted. Value must be non-negative integer.
   * The value zero indicates delete immediately. If this value is nil, the default grace period for the
   * specified type will be used.
   * Defaults to a per object value if not specified. zero means delete immediately.
   */
  gracePeriodSeconds?: number;
  /**
   * if set to true, it will trigger an unsafe deletion of the resource in
   * case the normal deletion flow fails with a corrupt object error.
   * A resource is considered corrupt if it can not be retrieved from
   * the underlying storage successfully because of a) its data can
   * not be transformed e.g. decryption failure, or b) it fails
   * to decode into an object.
   * NOTE: unsafe deletion ignores finalizer constraints, skips
   * precondition checks, and removes the object from the storage.
   * WARNING: This may potentially break the cluster if the workload
   * associated with the resource being unsafe-deleted relies on normal
   * deletion flow. Use only if you REALLY know what you are doing.
   * The default value is false, and the user must opt in to enable it
   */
  ignoreStoreReadErrorWithClusterBreakingPotential?: boolean;
  /**
   * Deprecated: please use the PropagationPolicy, this field will be deprecated in 1.7.
   * Should the dependent objects be orphaned. If true/false, the "orphan"
   * finalizer will be added to/removed from the object's finalizers list.
   * Either this field or PropagationPolicy may be set, but not both.
   */
  orphanDependents?: boolean;
  /**
   * Must be fulfilled before a deletion is carried out. If not possible, a 409 Conflict status will be
   * returned.
   */
  preconditions?: Preconditions;
  /**
   * Whether and how garbage collection will be performed.
   * Either this field or OrphanDependents may be set, but not both.
   * The default policy is decided by the existing finalizer set in the
   * metadata.finalizers and the resource-specific default policy.
   * Acceptable values are: 'Orphan' - orphan the dependents; 'Background' -
   * allow the garbage collector to delete the dependents in the background;
   * 'Foreground' - a cascading policy that deletes all dependents in the
   * foreground.
   */
  propagationPolicy?: string;
}

/**
 * DeletionPropagation decides if a deletion will propagate to the dependents of
 * the object, and how the garbage collector will handle the propagation.
 */
export type DeletionPropagation = string;

/** A field selector operator is the set of operators that can be used in a selector requirement. */
export type FieldSelectorOperator = string;

/**
 * FieldSelectorRequirement is a selector that contains values, a key, and an operator that
 * relates the key and values.
 */
export interface FieldSelectorRequirement {
  /** key is the field selector key that the requirement applies to. */
  key: string;
  /**
   * operator represents a key's relationship to a set of values.
   * Valid operators are In, NotIn, Exists, DoesNotExist.
   * The list of operators may grow in the future.
   */
  operator: string;
  /**
   * values is an array of string values.
   * If the operator is In or NotIn, the values array must be non-empty.
   * If the operator is Exists or DoesNotExist, the values array must be empty.
   */
  values?: string[];
}

/** A label selector operator is the set of operators that can be used in a selector requirement. */
export type LabelSelectorOperator = string;

/** Preconditions must be fulfilled before an operation (update, delete, etc.) is carried out. */
export interface Preconditions {
  /** Specifies the target ResourceVersion */
  resourceVersion?: string;
  /** Specifies the target UID. */
  uid?: string;
}

/**
 * ShardInfo describes the shard selector that was applied to produce a list response.
 * Its presence on a list response indicates the list is a filtered subset.
 */
export interface ShardInfo {
  /**
   * selector is the shard selector string from the request, echoed back so clients
   * can verify which shard they received and merge responses from multiple shards.
   */
  selector: string;
}

/** Status is a return value for calls that don't return other objects. */
export interface Status {
  /**
   * APIVersion defines the versioned schema of this representation of an object.
   * Servers should convert recognized schemas to the latest internal value, and
   * may reject unrecognized values.
   * More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#resources
   */
  apiVersion?: string;
  /**
   * Kind is a string value representing the REST resource this object represents.
   * Servers may infer this from the endpoint the client submits requests to.
   * Cannot be updated.
   * In CamelCase.
   * More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#types-kinds
   */
  kind?: string;
  /**
   * Standard list metadata.
   * More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#types-kinds
   */
  metadata?: ListMeta;
  /**
   * Status of the operation.
   * One of: "Success" or "Failure".
   * More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#spec-and-status
   */
  status?: string;
  /** Suggested HTTP return code for this status, 0 if not set. */
  code?: number;
  /**
   * Extended data associated with the reason.  Each reason may define its
   * own extended details. This field is optional and the data returned
   * is not guaranteed to conform to any schema except that defined by
   * the reason type.
   */
  details?: StatusDetails;
  /** A human-readable description of the status of this operation. */
  message?: string;
  /**
   * A machine-readable description of why this operation is in the
   * "Failure" status. If this value is empty there
   * is no information available. A Reason clarifies an HTTP status
   * code but does not override it.
   */
  reason?: string;
}

/**
 * StatusCause provides more information about an api.Status failure, including
 * cases when multiple errors are encountered.
 */
export interface StatusCause {
  /**
   * The field of the resource that has caused this error, as named by its JSON
   * serialization. May include dot and postfix notation for nested attributes.
   * Arrays are zero-indexed.  Fields may appear more than once in an array of
   * causes due to fields having multiple errors.
   * Optional.
   *
   * Examples:
   *   "name" - the field "name" on the current resource
   *   "items[0].name" - the field "name" on the first array entry in "items"
   */
  field?: string;
  /**
   * A human-readable description of the cause of the error.  This field may be
   * presented as-is to a reader.
   */
  message?: string;
  /**
   * A machine-readable description of the cause of the error. If this value is
   * empty there is no information available.
   */
  reason?: string;
}

/**
 * StatusDetails is a set of additional properties that MAY be set by the
 * server to provide additional information about a response. The Reason
 * field of a Status object defines what attributes will be set. Clients
 * must ignore fields that do not match the defined type of each attribute,
 * and should assume that any attribute may be empty, invalid, or under
 * defined.
 */
export interface StatusDetails {
  /**
   * The kind attribute of the resource associated with the status StatusReason.
   * On some operations may differ from the requested resource Kind.
   * More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#types-kinds
   */
  kind?: string;
  /**
   * The Causes array includes more details associated with the StatusReason
   * failure. Not all StatusReasons may provide detailed causes.
   */
  causes?: StatusCause[];
  /** The group attribute of the resource associated with the status StatusReason. */
  group?: string;
  /**
   * The name attribute of the resource associated with the status StatusReason
   * (when there is a single name which can be described).
   */
  name?: string;
  /**
   * If specified, the time in seconds before the operation should be retried. Some errors may indicate
   * the client must take an alternate action - for those errors this field may indicate how long to wait
   * before taking the alternate action.
   */
  retryAfterSeconds?: number;
  /**
   * UID of the resource.
   * (when there is a single resource which can be described).
   * More info: https://kubernetes.io/docs/concepts/overview/working-with-objects/names#uids
   */
  uid?: string;
}

/**
 * StatusReason is an enumeration of possible failure causes.  Each StatusReason
 * must map to a single HTTP status code, but multiple reasons may map
 * to the same HTTP status code.
 */
export type StatusReason = string;

/**
 * TypeMeta describes an individual object in an API response or request
 * with strings representing the type of the object and its API schema version.
 * Structures that are versioned or persisted should inline TypeMeta.
 */
export interface TypeMeta {
  /**
   * APIVersion defines the versioned schema of this representation of an object.
   * Servers should convert recognized schemas to the latest internal value, and
   * may reject unrecognized values.
   * More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#resources
   */
  apiVersion?: string;
  /**
   * Kind is a string value representing the REST resource this object represents.
   * Servers may infer this from the endpoint the client submits requests to.
   * Cannot be updated.
   * In CamelCase.
   * More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#types-kinds
   */
  kind?: string;
}

export type ObjectTyper = unknown;

/** Pair of strings. We keed the name of fields and the doc */
export type Pair = Record<string, unknown>;

export type Serializer = unknown;

/**
 * TypeMeta is shared by all top level objects. The proper way to use it is to inline it in your type,
 * like this:
 *
 * 	type MyAwesomeAPIObject struct {
 * 	     runtime.TypeMeta    `json:",inline"`
 * 	     ... // other fields
 * 	}
 *
 * func (obj *MyAwesomeAPIObject) SetGroupVersionKind(gvk *metav1.GroupVersionKind) { metav1.UpdateTypeMeta(obj,gvk) }; GroupVersionKind() *GroupVersionKind
 *
 * TypeMeta is provided here for convenience. You may use it directly from this package or define
 * your own with the same fields.
 */
export interface TypeMeta {
  apiVersion?: string;
  kind?: string;
}

/**
 * UID is a type that holds unique ID values, including UUIDs.  Because we
 * don't ONLY use UUIDs, this is an alias to string.  Being a type captures
 * intent and helps make sure that UIDs and names do not get conflated.
 */
export type UID = string;
