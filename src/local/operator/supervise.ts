import { setTimeout as wait } from "node:timers/promises";
import { TsopError } from "../../errors/tsop-error.ts";
import type { LocalEvent } from "../local-event.ts";
import type { OperatorEnd, OperatorProcess } from "./operator-process.ts";

/** How long the operator may take to stop. */
const graceMs = 1_500;
/** How long a restarted operator has the machine for itself. */
const restMs = 300;

export interface Supervision {
  /** Makes an operator ready to start; false when it is the same as before. */
  readonly prepare: () => Promise<boolean>;
  readonly start: () => Promise<OperatorProcess>;
  /** Looks, while the operator runs already, for what is wrong with it; rejects if anything is. */
  readonly check: (signal: AbortSignal) => Promise<void>;
  /** When the operator runs for the first time; again after a change if it fails. */
  readonly afterStart: () => Promise<void>;
  readonly signal: AbortSignal;
  readonly emit: (event: LocalEvent) => void;
}

/** Runs the operator until the signal. That it ends by itself is an error, and so is what the check finds. */
export async function runOnce({ prepare, start, check, afterStart, signal, emit }: Supervision): Promise<void> {
  await prepare();
  signal.throwIfAborted();
  const operator = await start();
  const checked = check(signal);
  const failed = checked.then(() => new Promise<never>(() => {}));
  failed.catch(() => {}); // thrown below, by whoever waits at that time
  try {
    emit({ type: "started", pid: operator.pid });
    await Promise.race([afterStart(), failed]);
    const end = await Promise.race([operator.ended, aborted(signal), failed]);
    if (!end) return;
    await checked; // says more than the crash that followed from it
    throw new TsopError("TSOP_OPERATOR_ENDED", { reason: reasonOf(end) });
  } finally {
    await operator.stop(graceMs);
  }
}

/**
 * Runs the operator and replaces it after each change that matters, until the signal ends `changes`. What goes wrong is
 * told, and the next change awaited; that change starts an operator that has ended, too, and does what is left to do.
 */
export async function runWatched(supervision: Supervision, changes: AsyncIterable<void>): Promise<void> {
  const { prepare, check, afterStart, signal, emit } = supervision;
  const slot = new OperatorSlot(supervision);
  let [hasProblem, isFirst] = [false, true];
  const tell = (error: unknown): void => {
    hasProblem = true;
    if (!signal.aborted) emit({ type: "problem", error });
  };
  const cycle = async (superseded: AbortSignal): Promise<void> => {
    try {
      const isNew = await prepare();
      if (isNew || !slot.isRunning) await slot.replace();
      if (isFirst) await afterStart();
      isFirst = false;
    } catch (error) {
      return tell(error);
    }
    void lookLater(superseded).catch(tell);
  };
  // Later, since the operator's start comes first; the next change does not wait for it.
  const lookLater = async (superseded: AbortSignal): Promise<void> => {
    await wait(restMs, undefined, { signal: superseded, ref: false }).catch(() => {});
    if (superseded.aborted) return;
    await check(superseded);
    if (superseded.aborted) return;
    if (hasProblem) emit({ type: "mended" });
    hasProblem = false;
  };
  try {
    const iterator = changes[Symbol.asyncIterator]();
    // The next change is waited for before the work for the last one begins, so that none is missed.
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

/** Holds the one operator that runs at a time. */
class OperatorSlot {
  readonly #supervision: Supervision;
  #current: OperatorProcess | undefined;

  constructor(supervision: Supervision) {
    this.#supervision = supervision;
  }

  get isRunning(): boolean {
    return this.#current !== undefined;
  }

  async replace(): Promise<void> {
    await this.clear();
    const { start, signal, emit } = this.#supervision;
    if (signal.aborted) return;
    const operator = await start();
    this.#current = operator;
    emit({ type: "started", pid: operator.pid });
    void operator.ended.then((end) => {
      if (this.#current !== operator) return;
      this.#current = undefined;
      emit({ type: "ended", reason: reasonOf(end) });
    });
  }

  async clear(): Promise<void> {
    const operator = this.#current;
    this.#current = undefined;
    await operator?.stop(graceMs);
  }
}

function aborted(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(undefined);
    else signal.addEventListener("abort", () => resolve(undefined), { once: true });
  });
}

function reasonOf(end: OperatorEnd): string {
  return "code" in end ? `exit code ${end.code}` : `signal ${end.signal}`;
}
