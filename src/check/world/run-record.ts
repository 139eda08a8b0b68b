import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import type { Use } from "../../apiserver/audit/use-log.ts";
import type { ObjectState } from "./object-state.ts";

/** A change of a stored object. */
export interface Change {
  /** `apps/deployments default/memcached` */
  readonly id: string;
  readonly before: UnstructuredObject | undefined;
  readonly after: UnstructuredObject | undefined;
}

/** A request of the operator, or of somebody else that changed something. */
export interface RecordedRequest {
  /** Milliseconds since the start of the run. */
  readonly at: number;
  readonly step: string;
  /** `neighbour` is another operator that runs next to the one under test. */
  readonly by: "operator" | "neighbour" | "user" | "cluster";
  readonly verb: string;
  /** `create apps/deployments default/memcached`, with the ordinal of the write in `occurrence`. */
  readonly signature: string;
  readonly occurrence: number;
  readonly status: number;
  readonly message?: string;
  /** Empty if a write changed nothing. */
  readonly changes: readonly Change[];
  /** The effect of the fault on it. */
  readonly fault?: string;
  /** Explains how the server has undone an update that changed nothing. */
  readonly undone?: string;
}

/** A run after a step. */
export interface StepRecord {
  readonly name: string;
  /** The state at its end. */
  readonly state: ObjectState;
  /** False if the operator did not come to rest in time. */
  readonly quiet: boolean;
  /** True if the operator came to rest in the right state, and left it again. */
  readonly left?: boolean;
  /** Milliseconds since the start of the run. */
  readonly ended: number;
}

/** An unrequested end of the operator's process, or a panic in its log. */
export interface Breakdown {
  readonly at: number;
  readonly step: string;
  readonly how: string;
  readonly lines: readonly string[];
}

/** All that happened in a run. */
export interface RunRecord {
  readonly steps: readonly StepRecord[];
  readonly requests: readonly RecordedRequest[];
  readonly breakdowns: readonly Breakdown[];
  /** The messages of errors in the operator's log, with their number, by step. */
  readonly errors: readonly LoggedError[];
  /** The steps in which the operator could not reach a program, such as one in its pods: no programs run here. */
  readonly unreached: ReadonlyMap<string, string>;
  /** The paths that the operator has watched, such as `apps/v1/deployments`. */
  readonly watched: ReadonlySet<string>;
  /** What the operator asked for. */
  readonly uses: readonly Use[];
  /** True if the operator elects a leader. */
  readonly leases: boolean;
  /** Messages about requests for something that the server does not simulate. */
  readonly unsupported: readonly string[];
  /** The pods that waited, at the end of a step without faults, for an object that does not exist, with its name. */
  readonly waiting: readonly string[];
  /** The most milliseconds that a step took to come to rest. */
  readonly slowestMs: number;
  /** For each fault of the plan, whether it had an occasion. */
  readonly struck: readonly boolean[];
  /** The answer of the server to the manifests of the other version, if it refuses them. */
  readonly refusal?: string | undefined;
}

export interface LoggedError {
  readonly step: string;
  readonly message: string;
  readonly count: number;
  /** The time of the last one. */
  readonly last: number;
}
