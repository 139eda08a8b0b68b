import type { ObjectMeta, UnstructuredObject } from "../../apimachinery/meta.ts";
import type { User } from "../api-server.ts";
import type { StatusCause } from "../../apimachinery/status.ts";

/** What is special about one kind. Hooks change the object they get, which is the caller's copy. */
export interface Strategy {
  /** Defaults that a schema can't express; run on every write after the schema's. */
  applyDefaults?(object: UnstructuredObject): void;
  prepareCreate?(object: UnstructuredObject, context: StrategyContext): void;
  prepareUpdate?(object: UnstructuredObject, old: UnstructuredObject, context: StrategyContext): void;
  prepareStatusUpdate?(object: UnstructuredObject, old: UnstructuredObject): void;
  /** Changes what a DELETE leaves for the time being. */
  prepareDelete?(object: UnstructuredObject, context: StrategyContext): void;
  /** What is wrong with an object; a promise where that needs what is loaded on demand. */
  validate?(
    object: UnstructuredObject,
    old: UnstructuredObject | undefined,
  ): readonly StatusCause[] | Promise<readonly StatusCause[]>;
  /** Refuses what is right in itself but not beside other objects; what an admission plugin does when all else is checked. */
  admit?(object: UnstructuredObject, old: UnstructuredObject | undefined, context: StrategyContext): void;
  /** What of the object counts as its desired state; absent for kinds without `metadata.generation`. */
  generationOf?(object: UnstructuredObject): unknown;
  /** Names are DNS subdomains, unless the kind allows only labels, or anything that fits into a path. */
  readonly nameRule?: "label" | "path";
  /** PUT without resourceVersion overwrites, as for most built-in kinds. */
  readonly unconditionalUpdate?: boolean;
  /** PUT of what is not there creates it. */
  readonly createsOnUpdate?: boolean;
  /** A new object keeps the status that it comes with. */
  readonly bringsStatus?: boolean;
  /** DELETE answers with the object, not with a Status. */
  readonly returnsDeleted?: boolean;
  /** A DELETE that does not say how leaves what the object owns; the text warns of it, where a server does. */
  readonly orphansByDefault?: string;
  /** What is not refused, but told the client. */
  warn?(object: UnstructuredObject, old: UnstructuredObject | undefined): readonly string[];
  /** What of the metadata `/status` leaves alone. */
  readonly keptByStatus?: readonly (keyof ObjectMeta)[];
  /** Seconds between a DELETE and the end, of which the client may wish how many. */
  gracePeriod?(object: UnstructuredObject, wished: number | undefined): number;
  /** More than finalizers holds the object back, as `spec.finalizers` does a namespace. */
  isHeldBack?(object: UnstructuredObject): boolean;
  /** Refuses a DELETE. */
  checkDelete?(object: UnstructuredObject): void;
}

export interface StrategyContext {
  /** Who creates. */
  readonly user?: User;
  readonly now: () => string;
  /** A number in [0, 1). */
  readonly random: () => number;
  /** Is there an object with this value at a path, such as a service with a cluster IP? */
  readonly list: (resource: { group: string; plural: string }) => Iterable<UnstructuredObject>;
}
