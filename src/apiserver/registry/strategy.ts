import type { ObjectMeta, UnstructuredObject } from "../../apimachinery/meta.ts";
import type { User } from "../api-server.ts";
import type { StatusCause } from "../../apimachinery/status.ts";

/** The behavior of one kind. Hooks change the object that they get, which is the caller's copy. */
export interface Strategy {
  /** Sets defaults that a schema cannot express; runs on every write after the defaults of the schema. */
  applyDefaults?(object: UnstructuredObject): void;
  prepareCreate?(object: UnstructuredObject, context: StrategyContext): void;
  prepareUpdate?(object: UnstructuredObject, old: UnstructuredObject, context: StrategyContext): void;
  prepareStatusUpdate?(object: UnstructuredObject, old: UnstructuredObject, context: StrategyContext): void;
  /**
   * Marks an object whose deletion begins, for a kind with a deletion of its own: its first DELETE never removes the
   * object, even if nothing holds it.
   */
  beginDelete?(object: UnstructuredObject, wish: PropagationWish, context: StrategyContext): void;
  /**
   * Returns the errors of an object; a promise if the check loads a library. `subresource` is the part that an update
   * writes.
   */
  validate?(
    object: UnstructuredObject,
    old: UnstructuredObject | undefined,
    subresource: string | undefined,
  ): readonly StatusCause[] | Promise<readonly StatusCause[]>;
  /** Returns why the writer of a valid object may not make this change: as a reason, or as errors of fields. */
  writerRefusal?(
    object: UnstructuredObject,
    old: UnstructuredObject | undefined,
    access: WriteAccess,
  ): string | readonly StatusCause[] | undefined;
  /** Returns the desired state of the object; absent for kinds without `metadata.generation`. */
  generationOf?(object: UnstructuredObject): unknown;
  /** Set if names are DNS labels, path segments or IP addresses instead of DNS subdomains. */
  readonly nameRule?: "label" | "path" | "address";
  /** True if PUT without resourceVersion overwrites, as for most built-in kinds. */
  readonly unconditionalUpdate?: boolean;
  /** True if PUT creates a missing object. */
  readonly createsOnUpdate?: boolean;
  /** True if a new object keeps its status. */
  readonly bringsStatus?: boolean;
  /** True if DELETE returns the object instead of a Status. */
  readonly returnsDeleted?: boolean;
  /** Set if DELETE without a propagation policy orphans dependents; the text is a warning, which may be empty. */
  readonly orphansByDefault?: string;
  /** True if objects of the kind cannot have dependents: each deletion is one in the background. */
  readonly hasNoDependents?: boolean;
  /** Returns warnings for the client. `subresource` is the part that an update writes. */
  warn?(
    object: UnstructuredObject,
    old: UnstructuredObject | undefined,
    subresource: string | undefined,
  ): readonly string[];
  /** Fields of the metadata that `/status` does not write. */
  readonly keptByStatus?: readonly (keyof ObjectMeta)[];
  /** True if the rules of the kind cover the required fields of its schema. */
  readonly ignoresSchema?: boolean;
  /** True if finalizers need no domain. */
  readonly takesAnyFinalizer?: boolean;
  /** Warning with each response: the kind is deprecated. */
  readonly deprecation?: string;
  /**
   * Returns the grace period of a deletion in seconds; `wished` comes from the request. A negative one counts as one.
   */
  gracePeriod?(object: UnstructuredObject, wished: number | undefined): number;
  /** Reports whether more than finalizers hold the object, as `spec.finalizers` of a namespace does. */
  isHeldBack?(object: UnstructuredObject): boolean;
  /** Throws if the object must not be deleted. */
  checkDelete?(object: UnstructuredObject): void;
}

/** What the client of a deletion wants to happen to the dependents. */
export interface PropagationWish {
  readonly propagationPolicy?: string;
  readonly orphanDependents?: boolean;
}

/** The facts that decide whether a user may write an object. */
export interface WriteAccess {
  readonly user: User;
  readonly verb: string;
  readonly namespace: string | undefined;
  /** The part that an update writes. */
  readonly subresource: string | undefined;
  /** Returns why the user must not do something, for the message of a refused request. */
  readonly refusalOf: (action: ResourceAction) => string | undefined;
  /** Returns the plural of a served kind. */
  readonly pluralOf: (apiVersion: string, kind: string) => string | undefined;
  /** Returns a stored object of the group without a namespace. */
  readonly find: (plural: string, name: string) => UnstructuredObject | undefined;
}

interface ResourceAction {
  readonly verb: string;
  /** By default the kind's. */
  readonly group?: string;
  readonly resource?: string;
  readonly subresource?: string;
  readonly namespace?: string | undefined;
  readonly name?: string;
}

export interface StrategyContext {
  /** The user that creates the object. */
  readonly user?: User;
  /** Adds a warning for the client. */
  readonly warn?: (text: string) => void;
  /** The subresource by which the object is created. */
  readonly subresource?: string | undefined;
  readonly now: () => string;
  /** A number in [0, 1). */
  readonly random: () => number;
  /** Lists the stored objects of a resource. */
  readonly list: (resource: { group: string; plural: string }) => Iterable<UnstructuredObject>;
}
