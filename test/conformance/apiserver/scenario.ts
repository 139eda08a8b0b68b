/** A sequence of requests. Every answer is compared with the one that a real server gave to the same sequence. */
export interface Scenario {
  /** Also the name of its recording, and of the namespace that it may use as `{ns}`. */
  readonly name: string;
  readonly steps: readonly Step[];
  /** Compare `metadata.managedFields` too; elsewhere they would be most of the recording. */
  readonly managedFields?: boolean;
  /** Needs the cluster's controllers and a node: what they make of the objects is waited for, and compared. */
  readonly controllers?: boolean;
  /** The first release of Kubernetes that has what the scenario is about. */
  readonly since?: string;
  /** Depends on a moment that a real control plane chooses: it was recorded, and is not run there again. */
  readonly byChance?: boolean;
}

/** Scenarios by their names; with the steps alone, or with what else a scenario needs. */
export type Scenarios = Readonly<Record<string, readonly Step[] | Omit<Scenario, "name">>>;

/** `{word}` in a request or a body is replaced by what an earlier step has saved. */
export type Step = RequestStep | TogetherStep | OpenStep | ReadStep | AdvanceStep | ForgetStep;

export interface RequestStep {
  /** Method and path: `GET /api/v1/namespaces/{ns}/pods`. */
  readonly request: string;
  /** JSON, or the text itself. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Words for later steps: paths into the answer, such as `metadata.resourceVersion`, or `headers.etag`. */
  readonly save?: Readonly<Record<string, string>>;
  /** Asks again until the answer is so; for what a server does a moment later. */
  readonly until?: (body: any, status: number, warnings: readonly string[]) => boolean;
  /** The part of the answer that is compared, where the whole is large. */
  readonly pick?: (body: any) => unknown;
  /** The body is compared as text, and not as what it says. */
  readonly raw?: true;
  /** Names of the answer's headers that are compared, too. */
  readonly shows?: readonly string[];
  /** Sends it so many times at once; only the statuses are compared. */
  readonly parallel?: number;
  /** The answer is of no interest, or differs between servers for good reason. */
  readonly unrecorded?: boolean;
}

/** Sends all of them at once, as watches that end after a second. */
interface TogetherStep {
  readonly together: readonly RequestStep[];
}

/** Opens a watch and goes on. */
export interface OpenStep {
  readonly open: string;
  readonly request: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Takes events of an open watch, or of its end: so many, or all until the first that `isLast` accepts, without it. */
export interface ReadStep {
  readonly read: string;
  readonly count?: number;
  readonly isLast?: (event: any) => boolean;
}

/** Lets so many seconds pass: at once where the clock can be turned; elsewhere the next step waits as long as it takes. */
interface AdvanceStep {
  readonly advance: number;
}

/** The server's history goes: what was, it can't tell any more. */
interface ForgetStep {
  readonly forget: true;
}

export const merge: Record<string, string> = { "content-type": "application/merge-patch+json" };
export const jsonPatch: Record<string, string> = { "content-type": "application/json-patch+json" };
export const strategic: Record<string, string> = { "content-type": "application/strategic-merge-patch+json" };
export const apply: Record<string, string> = { "content-type": "application/apply-patch+yaml" };
