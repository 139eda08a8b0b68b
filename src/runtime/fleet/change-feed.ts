import type { FleetChange } from "./cluster-provider.ts";

/** Turns calls into an iterable. */
export class ChangeFeed {
  private readonly waiting: FleetChange[] = [];
  private wake = (): void => undefined;

  push(...changes: readonly FleetChange[]): void {
    this.waiting.push(...changes);
    this.wake();
  }

  /** Ends when the signal aborts. */
  async *read(signal: AbortSignal): AsyncGenerator<FleetChange> {
    const stop = (): void => this.wake();
    signal.addEventListener("abort", stop, { once: true });
    while (!signal.aborted) {
      yield* this.waiting.splice(0);
      if (this.waiting.length > 0 || signal.aborted) continue;
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    }
  }
}
