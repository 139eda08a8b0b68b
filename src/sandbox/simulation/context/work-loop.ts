import type { Clock } from "../../../apimachinery/clock.ts";
import { isConflict, isNotFound } from "../../../apimachinery/status.ts";

export interface WorkLoopOptions {
  readonly clock: Clock;
  /** How long after a change it is looked at. */
  readonly delay: () => number;
  /** Looks at one object; a number asks for another look after so many milliseconds. */
  readonly step: (key: string) => Promise<number | void>;
  /** Hears of failures that the next look does not explain by itself. */
  readonly onError: (error: unknown) => void;
}

/** Looks at each changed object, one at a time, until nothing is left to do; failed looks are repeated ever slower. */
export class WorkLoop {
  readonly #options: WorkLoopOptions;
  readonly #due = new Map<string, { at: number; cancel: () => void }>();
  readonly #ready: string[] = [];
  readonly #failures = new Map<string, number>();
  #wake: () => void = () => {};

  constructor(options: WorkLoopOptions) {
    this.#options = options;
  }

  /** Asks for a look at the object; several requests before it happens are one, at the earliest of their times. */
  add(key: string, afterMs: number = this.#options.delay()): void {
    const at = this.#options.clock.now() + afterMs;
    const waiting = this.#due.get(key);
    if (this.#ready.includes(key) || (waiting && waiting.at <= at)) return;
    waiting?.cancel();
    const cancel = this.#options.clock.after(afterMs, () => {
      this.#due.delete(key);
      this.#ready.push(key);
      this.#wake();
    });
    this.#due.set(key, { at, cancel });
  }

  /** Works until the signal aborts; settles after the look under way. */
  async start(signal: AbortSignal): Promise<void> {
    const stop = () => this.#wake();
    signal.addEventListener("abort", stop, { once: true });
    while (!signal.aborted) {
      const key = this.#ready.shift();
      if (key === undefined) await new Promise<void>((resolve) => (this.#wake = resolve));
      else await this.#look(key, signal);
    }
    signal.removeEventListener("abort", stop);
    for (const { cancel } of this.#due.values()) cancel();
  }

  async #look(key: string, signal: AbortSignal): Promise<void> {
    try {
      const again = await this.#options.step(key);
      this.#failures.delete(key);
      if (typeof again === "number") this.add(key, again);
    } catch (error) {
      if (signal.aborted) return;
      if (!isConflict(error) && !isNotFound(error)) this.#options.onError(error);
      const failures = (this.#failures.get(key) ?? 0) + 1;
      this.#failures.set(key, failures);
      this.add(key, Math.min(20 * 2 ** failures, 5_000));
    }
  }
}
