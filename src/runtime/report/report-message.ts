/**
 * The messages of an operator under `tsop run --local --ui` to the tool, a line of JSON each. Times come from
 * `Date.now`.
 */
export type ReportMessage =
  | { readonly type: "hello"; readonly pid: number }
  | {
      readonly type: "start";
      readonly id: string;
      readonly controller: string;
      /** `namespace/name`, or another request as JSON. */
      readonly request: string;
      readonly at: number;
      readonly attempt: number;
      /** Requests that wait. */
      readonly depth: number;
      readonly causes: readonly ReportedCause[];
    }
  | {
      readonly type: "end";
      readonly id: string;
      readonly took: number;
      readonly outcome: "success" | "requeue" | "requeue_after" | "error";
      readonly requeueAfter?: number | undefined;
      readonly error?: string;
      readonly stack?: string | undefined;
    }
  /** Messages that the tool was too slow to read. */
  | { readonly type: "dropped"; readonly count: number };

/** Why a request was in the queue. */
export interface ReportedCause {
  readonly type: "create" | "update" | "delete" | "retry" | "requeue" | "other";
  readonly kind?: string;
  readonly key?: string;
  readonly resourceVersion?: string;
}
