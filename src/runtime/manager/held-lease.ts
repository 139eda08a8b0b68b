import type { LeaderElector } from "../leader-election/leader-elector.ts";

/** A lease that some runnables of a manager need; without an elector they need none. */
export class HeldLease {
  private readonly elector: LeaderElector | undefined;
  /** Aborts to release the lease; `holding` settles after the release. */
  private readonly released = new AbortController();
  private holding: Promise<void> | undefined;

  constructor(elector: LeaderElector | undefined) {
    this.elector = elector;
  }

  get isNeeded(): boolean {
    return this.elector !== undefined;
  }

  /** Throws if the lease was acquired and may be another process' by now. */
  assertHeld(): void {
    this.elector?.assertLeading();
  }

  /** Acquires the lease and calls `begin`, unless the signal aborts before. `fail` receives the loss of the lease. */
  async acquire(signal: AbortSignal, begin: () => void, fail: (error: unknown) => void): Promise<void> {
    if (this.elector && !(await this.elector.acquire(signal))) return;
    begin();
    this.holding = this.elector?.hold(this.released.signal).catch(fail);
  }

  async release(): Promise<void> {
    this.released.abort();
    await this.holding;
  }
}
