import { setTimeout as wait } from "node:timers/promises";
import { untilAborted } from "../../client/transport/abortable.ts";
import { TsopError } from "../../errors/tsop-error.ts";
import type { LocalEvent } from "../local-event.ts";
import type { OperatorEnd, OperatorProcess } from "./operator-process.ts";

/** Grace period of the operator. */
const graceMs = 1_500;
/** Delay before the type check of a restarted operator. */
const restMs = 300;

export interface Supervision {
  /** Prepares an operator. Returns false if it is the same as before. */
  readonly prepare: () => Promise<boolean>;
  readonly start: () => Promise<OperatorProcess>;
  /** The names of the operator's replicas, if there are several. */
  readonly replicas?: readonly string[] | undefined;
  /** Checks the types while the operator runs; rejects with the errors. */
  readonly check: (signal: AbortSignal) => Promise<void>;
  /** Called when the operator runs, and after each change. */
  readonly afterStart: () => Promise<void>;
  readonly signal: AbortSignal;
  readonly emit: (event: LocalEvent) => void;
}

/** Runs the operator until the signal. Rejects if it ends without one, or with the findings of the check. */
export async function runOnce({
  prepare,
  start,
  replicas,
  check,
  afterStart,
  signal,
  emit,
}: Supervision): Promise<void> {
  await prepare();
  signal.throwIfAborted();
  const operator = await start();
  const checked = check(signal);
  const failed = checked.then(() => new Promise<never>(() => {}));
  failed.catch(() => {}); // the next await throws it
  try {
    emit({ type: "started", pid: operator.pid, ...(replicas && { replicas }) });
    await Promise.race([afterStart(), failed]);
    const end = await Promise.race([operator.ended, untilAborted(signal), failed]);
    if (!end) return;
    await checked; // says more than the crash that followed from it
    throw new TsopError("TSOP_OPERATOR_ENDED", { reason: reasonOf(end) });
  } finally {
    await operator.stop(graceMs);
  }
}

/**
 * Runs the operator and replaces it after each change that matters, until the signal ends `changes`. Reports a failure
 * and waits for the next change, which also starts an operator that has ended, and repeats failed steps.
 */
export async function runWatched(supervision: Supervision, changes: AsyncIterable<void>): Promise<void> {
  const { prepare, check, afterStart, signal, emit } = supervision;
  const slot = new OperatorSlot(supervision);
  let hasProblem = false;
  const report = (error: unknown): void => {
    hasProblem = true;
    if (!signal.aborted) emit({ type: "problem", error });
  };
  const cycle = async (superseded: AbortSignal): Promise<void> => {
    try {
      const isNew = await prepare();
      if (isNew || !slot.isRunning) await slot.replace();
      await afterStart();
    } catch (error) {
      return report(error);
    }
    void checkLater(superseded).catch(report);
  };
  // The check starts later, as the operator's start comes first; the next change does not wait for it.
  const checkLater = async (superseded: AbortSignal): Promise<void> => {
    await wait(restMs, undefined, { signal: superseded, ref: false }).catch(() => {});
    if (superseded.aborted) return;
    await check(superseded);
    if (superseded.aborted) return;
    if (hasProblem && slot.isRunning) emit({ type: "fixed" });
    hasProblem = false;
  };
  try {
    const iterator = changes[Symbol.asyncIterator]();
    // Wait for the next change before work for the last one begins, so that none is missed.
    for (let isOver = false; !isOver;) {
      const next = iterator.next();
      const superseded = new AbortController();
      await cycle(superseded.signal);
      isOver = (await next).done ?? false;
      superseded.abort();
    }
  } finally {
    await slot.clear();
  }
}

/** The operator that runs. */
class OperatorSlot {
  private readonly supervision: Supervision;
  private current: OperatorProcess | undefined;

  constructor(supervision: Supervision) {
    this.supervision = supervision;
  }

  get isRunning(): boolean {
    return this.current !== undefined;
  }

  async replace(): Promise<void> {
    await this.clear();
    const { start, replicas, signal, emit } = this.supervision;
    if (signal.aborted) return;
    const operator = await start();
    this.current = operator;
    emit({ type: "started", pid: operator.pid, ...(replicas && { replicas }) });
    void operator.ended.then((end) => {
      if (this.current !== operator) return;
      this.current = undefined;
      emit({ type: "ended", reason: reasonOf(end) });
    });
  }

  async clear(): Promise<void> {
    const operator = this.current;
    this.current = undefined;
    await operator?.stop(graceMs);
  }
}

/** Describes how an operator ended. */
export function reasonOf(end: OperatorEnd): string {
  return "code" in end ? `exit code ${end.code}` : `signal ${end.signal}`;
}
