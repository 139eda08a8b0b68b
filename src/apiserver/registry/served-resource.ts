import type { CrdColumn } from "../../apimachinery/crd/crd-types.ts";
import type { JsonSchema } from "../../apimachinery/json-schema.ts";
import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import type { User } from "../api-server.ts";
import type { StatusCause } from "../../apimachinery/status.ts";

/** One resource in one version as the server serves it: from the built-in data or from a CRD. */
export interface ServedResource {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly listKind: string;
  readonly plural: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly subresources: readonly ServedSubresource[];
  /** Resolved lazily: most requests need no schema, and the built-in ones are large. */
  readonly schema: () => JsonSchema | undefined;
  /** Set for custom resources only. */
  readonly custom?: CustomResourceVersion;
}

export interface ServedSubresource {
  readonly name: string;
  readonly kind: string;
  /** Set if it differs from the parent's, as for `autoscaling/v1 Scale`. */
  readonly group?: string;
  readonly version?: string;
  readonly verbs: readonly string[];
}

export interface CustomResourceVersion {
  /** The version in which objects are stored. */
  readonly storageVersion: string;
  /** All versions of the kind, those that are not served included. */
  readonly versions: readonly string[];
  readonly columns: readonly CrdColumn[];
  readonly selectableFields: readonly string[];
  readonly scale?: {
    readonly specReplicasPath: string;
    readonly statusReplicasPath: string;
    readonly labelSelectorPath?: string;
  };
  readonly hasStatus: boolean;
}

/** A served resource with everything the verbs need. */
export interface ResourceEntry {
  readonly resource: ServedResource;
  readonly strategy: Strategy;
  /** True if the CRD is being deleted: no object can be created. */
  readonly terminating?: boolean;
  /** The OpenAPI name of the Go type by which bodies are decoded; absent for custom resources, which have a schema. */
  readonly type?: string;
  /** The collection of its objects: `events` of both groups share one. */
  readonly storage: { readonly group: string; readonly plural: string };
  /** Set if a webhook converts: to be awaited before `read` is called for these objects. */
  load?(stored: Iterable<UnstructuredObject>): Promise<void>;
  /** Returns a stored object in this entry's version; shared and frozen like its argument. */
  read(stored: UnstructuredObject): UnstructuredObject;
  /**
   * Returns an object of a request in this entry's version, with fields that its schema does not declare and without
   * its defaults, as it was not read from the storage; absent if all versions have the same fields.
   */
  convert?(object: UnstructuredObject): UnstructuredObject | Promise<UnstructuredObject>;
  /** Returns the stored form of an object; a promise if a webhook converts. May change its argument. */
  write(object: UnstructuredObject): UnstructuredObject | Promise<UnstructuredObject>;
}

/** The behavior of one kind. Hooks change the object that they get, which is the caller's copy. */
export interface Strategy {
  /** Sets defaults that a schema cannot express; runs on every write after those of the schema. */
  applyDefaults?(object: UnstructuredObject): void;
  prepareCreate?(object: UnstructuredObject, context: StrategyContext): void;
  prepareUpdate?(object: UnstructuredObject, old: UnstructuredObject, context: StrategyContext): void;
  prepareStatusUpdate?(object: UnstructuredObject, old: UnstructuredObject, context: StrategyContext): void;
  /**
   * Marks an object whose deletion begins, for a kind with a deletion of its own: its first DELETE never removes the
   * object, even if nothing holds it.
   */
  beginDelete?(object: UnstructuredObject, context: StrategyContext): void;
  /**
   * Returns the errors of an object; a promise if the check loads a library. `subresource` is the part that an update
   * writes.
   */
  validate?(
    object: UnstructuredObject,
    old: UnstructuredObject | undefined,
    subresource: string | undefined,
  ): readonly StatusCause[] | Promise<readonly StatusCause[]>;
  /** Returns the desired state of the object; absent for kinds without `metadata.generation`. */
  generationOf?(object: UnstructuredObject): unknown;
  /** Set if names are DNS labels or path segments instead of DNS subdomains. */
  readonly nameRule?: "label" | "path";
  /** True if a PUT must name the version that it overwrites, as for custom kinds and those of leader elections. */
  readonly requiresVersion?: boolean;
  /** True if PUT creates a missing object. */
  readonly createsOnUpdate?: boolean;
  /** True if DELETE returns the object instead of a Status. */
  readonly returnsDeleted?: boolean;
  /** True if DELETE without a propagation policy orphans dependents. */
  readonly orphansByDefault?: boolean;
  /** A warning for each request, about a version that is deprecated. */
  readonly deprecation?: string;
  /** Returns warnings for the client. */
  warn?(object: UnstructuredObject, old: UnstructuredObject | undefined): readonly string[];
  /** True if the rules of the kind cover the required fields of its schema. */
  readonly ignoresSchema?: boolean;
  /** True if finalizers need no domain. */
  readonly takesAnyFinalizer?: boolean;
  /** Returns the grace period of a deletion in seconds. `wished` is what the request asks for; less than 0 counts as 1. */
  gracePeriod?(object: UnstructuredObject, wished: number | undefined): number;
  /** Reports whether more than finalizers hold the object, as `spec.finalizers` of a namespace does. */
  isHeldBack?(object: UnstructuredObject): boolean;
}

export interface StrategyContext {
  /** The user that creates the object. */
  readonly user?: User;
  readonly now: () => string;
  /** A number in [0, 1). */
  readonly random: () => number;
  /** Lists the stored objects of a resource. */
  readonly list: (resource: { group: string; plural: string }) => Iterable<UnstructuredObject>;
}
