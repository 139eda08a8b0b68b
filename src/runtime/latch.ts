/** A state that work can wait for. Unlike a promise, it keeps nothing of work that has stopped waiting. */
export class Latch {
  private readonly waiting = new Set<() => void>();
  private opened = false;

  get isOpen(): boolean {
    return this.opened;
  }

  open(): void {
    this.opened = true;
    for (const resume of this.waiting) resume();
  }

  close(): void {
    this.opened = false;
  }

  /** Resolves with true once the latch is open, with false if the signal aborts before. */
  wait(signal: AbortSignal | undefined): Promise<boolean> {
    if (this.opened || signal?.aborted) return Promise.resolve(this.opened);
    return new Promise((resolve) => {
      const resume = (): void => {
        this.waiting.delete(resume);
        signal?.removeEventListener("abort", resume);
        resolve(this.opened);
      };
      this.waiting.add(resume);
      signal?.addEventListener("abort", resume);
    });
  }
}
