import { TsopError } from "../errors/tsop-error.ts";
import type { LocalEvent } from "./local-event.ts";
import type { OperatorEnd, OperatorProcess } from "./operator-process.ts";

/** How long the operator may take to stop. */
const graceMs = 1_500;

export interface Supervision {
  /** Makes an operator ready to start; false when it is the same as before. */
  readonly prepare: () => Promise<boolean>;
  readonly start: () => Promise<OperatorProcess>;
  /** When the operator runs for the first time; again after a change if it fails. */
  readonly afterStart: () => Promise<void>;
  readonly signal: AbortSignal;
  readonly emit: (event: LocalEvent) => void;
}

/** Runs the operator until the signal. That it ends by itself is an error. */
export async function runOnce({ prepare, start, afterStart, signal, emit }: Supervision): Promise<void> {
  await prepare();
  signal.throwIfAborted();
  const operator = await start();
  try {
    emit({ type: "started", pid: operator.pid });
    await afterStart();
    const end = await Promise.race([operator.ended, aborted(signal)]);
    if (end) throw new TsopError("TSOP_OPERATOR_ENDED", { reason: reasonOf(end) });
  } finally {
    await operator.stop(graceMs);
  }
}

/**
 * Runs the operator and replaces it after each change that matters, until the signal ends `changes`. What goes wrong is
 * told, and the next change awaited; that change starts an operator that has ended, too, and does what is left to do.
 */
export async function runWatched(supervision: Supervision, changes: AsyncIterable<void>): Promise<void> {
  const { prepare, afterStart, signal, emit } = supervision;
  const slot = new OperatorSlot(supervision);
  let [hasProblem, isFirst] = [false, true];
  const cycle = async (): Promise<void> => {
    try {
      const isNew = await prepare();
      if (isNew || !slot.isRunning) await slot.replace();
      else if (hasProblem) emit({ type: "mended" });
      if (isFirst) await afterStart();
      [hasProblem, isFirst] = [false, false];
    } catch (error) {
      hasProblem = true;
      if (!signal.aborted) emit({ type: "problem", error });
    }
  };
  try {
    const iterator = changes[Symbol.asyncIterator]();
    // The next change is waited for before the work for the last one begins, so that none is missed.
    for (let isOver = false; !isOver;) {
      const next = iterator.next();
      await cycle();
      isOver = (await next).done ?? false;
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
