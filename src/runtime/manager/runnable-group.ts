import { setMaxListeners } from "node:events";
import { isEndedBy, type Runnable } from "../runnable.ts";

/** Runnables that start and stop together. */
export class RunnableGroup {
  readonly name: string;
  private readonly onError: (error: unknown) => void;
  private readonly waiting: Runnable[] = [];
  private readonly running = new Set<Promise<void>>();
  private readonly stopping = new AbortController();
  private started = false;

  /** `onError` receives the error of a runnable that failed before the group was stopped. */
  constructor(name: string, onError: (error: unknown) => void) {
    this.name = name;
    this.onError = onError;
    // Each runnable listens; Node takes more than ten listeners for a leak.
    setMaxListeners(0, this.stopping.signal);
  }

  get isEmpty(): boolean {
    return this.waiting.length === 0 && !this.isRunning;
  }

  get isRunning(): boolean {
    return this.running.size > 0;
  }

  /** Adds a runnable; it starts with the group, or at once if the group has started. */
  add(runnable: Runnable): void {
    if (this.started) this.run(runnable);
    else this.waiting.push(runnable);
  }

  start(): void {
    this.started = true;
    for (const runnable of this.waiting.splice(0)) this.run(runnable);
  }

  /** Stops all runnables; resolves when they have stopped. */
  async stop(): Promise<void> {
    this.stopping.abort();
    this.started = true;
    await Promise.all(this.running);
  }

  private run(runnable: Runnable): void {
    const { signal } = this.stopping;
    if (signal.aborted) return;
    const done = this.outcome(runnable, signal).finally(() => this.running.delete(done));
    this.running.add(done);
  }

  private async outcome(runnable: Runnable, signal: AbortSignal): Promise<void> {
    try {
      await runnable.start(signal);
    } catch (error) {
      if (!isEndedBy(signal, error)) this.onError(error);
    }
  }
}
