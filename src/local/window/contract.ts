/** The messages of the window's server to its page, as JSON. Times are milliseconds since 1970. */

export type Tone = "good" | "busy" | "bad" | "none";

/** An object as a line of the tree. */
export interface ObjectRow {
  /** `apps/deployments default/memcached` */
  readonly id: string;
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** Empty for objects of the cluster. */
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  /** The uids of the owners, the controlling one first. */
  readonly owners: readonly string[];
  readonly created: number;
  readonly status: { readonly text: string; readonly tone: Tone };
  readonly conditions: readonly Pick<ConditionRow, "type" | "status">[];
  readonly labels: Readonly<Record<string, string>>;
  /** True for objects that every cluster has, and for heartbeats and events. */
  readonly system: boolean;
  readonly resourceVersion: string;
  readonly deleted?: number;
}

/** A revision of an object. */
export interface RevisionRow {
  readonly n: number;
  readonly at: number;
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  readonly resourceVersion: string;
  /** Unknown for objects that existed before, and for changes by the server itself. */
  readonly by?: Writer;
}

/** The writer of a revision. */
export interface Writer {
  readonly user: string;
  /** The field manager. */
  readonly manager: string;
  /** The request. */
  readonly request?: number;
  readonly reconcile?: string;
}

/** An object with all that is known about it. */
export interface ObjectDetail {
  readonly row: ObjectRow;
  readonly revisions: readonly RevisionRow[];
  /** Revisions that were dropped to bound the memory. */
  readonly dropped: number;
  readonly yaml: string;
  readonly conditions: readonly ConditionRow[];
  readonly events: readonly EventRow[];
  /** Present if the object can be scaled. */
  readonly replicas?: number;
}

export interface ConditionRow {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
  readonly since: number;
}

export interface EventRow {
  readonly id: string;
  readonly type: string;
  readonly reason: string;
  readonly message: string;
  readonly count: number;
  readonly last: number;
}

/** A line of a difference. */
export interface DiffLine {
  readonly mark: " " | "-" | "+" | "@";
  readonly text: string;
}

export type Requester = "operator" | "people" | "cluster" | "window";

export interface RequestRow {
  readonly n: number;
  readonly at: number;
  readonly took: number;
  readonly verb: string;
  /** `deployments.apps/scale`, or a path. */
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
  readonly user: string;
  /** The program, such as `kubectl`. */
  readonly client: string;
  readonly by: Requester;
  readonly status: number;
  /** Characters of the body; 0 for streams. */
  readonly size: number;
  readonly writes: number;
  readonly webhooks: number;
  readonly reconcile?: string;
  readonly flag?: "no-op" | "conflict" | "refused" | "failed";
}

/** A write of a request. */
export interface WriteRow {
  readonly object: string;
  readonly kind: string;
  readonly key: string;
  readonly from?: number;
  readonly to?: number;
}

export interface RequestDetail {
  readonly row: RequestRow;
  readonly url: string;
  readonly message?: string;
  /** The marker that would have allowed the request. */
  readonly marker?: string;
  readonly sent: string;
  readonly writes: readonly WriteRow[];
  readonly webhooks: readonly WebhookRow[];
  /** The reconciles that the writes have caused. */
  readonly caused: readonly ReconcileRow[];
}

export interface WebhookRow {
  readonly webhook: string;
  readonly mutating: boolean;
  readonly took: number;
  readonly request: string;
  readonly response: string;
  readonly patch?: string;
  readonly error?: string;
}

/** The event that has put a request into a queue. */
export interface CauseRow {
  readonly type: "create" | "update" | "delete" | "retry" | "requeue" | "other";
  readonly kind?: string;
  readonly key?: string;
  readonly resourceVersion?: string;
}

export interface ReconcileRow {
  readonly id: string;
  readonly controller: string;
  /** `namespace/name`, or another request as JSON. */
  readonly request: string;
  readonly started: number;
  readonly attempt: number;
  /** Requests that waited when it started. */
  readonly depth: number;
  readonly causes: readonly CauseRow[];
  readonly outcome: "running" | "success" | "requeue" | "requeue_after" | "error";
  readonly took?: number;
  readonly requeueAfter?: number;
  readonly error?: string;
  readonly requests: number;
  readonly writes: number;
  /** True if the same object was reconciled again and again in a short time. */
  readonly hot: boolean;
}

export interface ReconcileDetail {
  readonly row: ReconcileRow;
  readonly stack?: string;
  readonly logs: readonly string[];
  readonly requests: readonly RequestRow[];
  /** For each cause, the request that wrote the object, if it is known. */
  readonly causedBy: readonly (RequestRow | undefined)[];
}

/** The first message of a stream. */
export interface Hello {
  /** The embedded server, or the name of the cluster. */
  readonly source: string;
  /** False for a cluster, whose requests are not seen. */
  readonly audits: boolean;
  /**
   * `none` if no operator is run, `silent` until one has reported something; an operator in another language never
   * does.
   */
  readonly operator: "none" | "silent" | "reports";
  readonly readOnly: boolean;
  readonly started: number;
  readonly now: number;
}

/** The numbers of records that were dropped to bound the memory. */
export interface Dropped {
  readonly revisions: number;
  /** Nothing is complete before this time. */
  readonly before: number;
  readonly requests: number;
  readonly reconciles: number;
}

/** Rows that are new or have changed, each in its latest state. */
export interface Batch {
  readonly objects?: readonly ObjectRow[];
  readonly requests?: readonly RequestRow[];
  readonly reconciles?: readonly ReconcileRow[];
  readonly dropped?: Dropped;
  readonly operator?: Hello["operator"];
  /** True in the last batch of the initial state. */
  readonly ready?: true;
}

/** The objects at an earlier time. */
export interface PastState {
  readonly at: number;
  /** False if revisions of that time were dropped. */
  readonly complete: boolean;
  readonly objects: readonly ObjectRow[];
}

/** The result of an edit; with `problems`, nothing was written. */
export interface EditResult {
  readonly diff: readonly DiffLine[];
  readonly problems: readonly EditProblem[];
  /** The object that was written. */
  readonly object?: string;
}

export interface EditProblem {
  readonly message: string;
  /** The line of the text, from 1; 0 if it concerns the whole. */
  readonly line: number;
}
