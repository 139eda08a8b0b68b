import { isApiError } from "../apimachinery/status.ts";
import { wait, type Clock } from "./clock.ts";
import type { Logger } from "./log/logger.ts";

const maxPending = 1000;
const attempts = 12;
const retryMs = 10_000;

/** Sends events in the background. They are worth little: too many at once are dropped, and refusals are final. */
export class EventSender {
  private readonly log: Logger;
  private readonly clock: Clock;
  private readonly pending = new Set<Promise<void>>();
  private readonly stopping = new AbortController();

  constructor(log: Logger, clock: Clock) {
    this.log = log;
    this.clock = clock;
  }

  /** `reason` is the event's, for messages. */
  send(reason: string, call: () => Promise<unknown>): void {
    if (this.pending.size >= maxPending) {
      this.log.debug("Dropping an event, too many are waiting", { reason });
      return;
    }
    const done = this.deliver(reason, call).finally(() => this.pending.delete(done));
    this.pending.add(done);
  }

  /** Resolves when all have been sent; those that fail from now on are not tried again. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await Promise.all(this.pending);
  }

  private async deliver(reason: string, call: () => Promise<unknown>): Promise<void> {
    const { signal } = this.stopping;
    for (let attempt = 1; ; attempt++) {
      try {
        await call();
        return;
      } catch (error) {
        if (isApiError(error) || signal.aborted || attempt >= attempts) {
          this.log.error(error, "Server rejected event (will not retry!)", { reason });
          return;
        }
      }
      await wait(this.clock, retryMs * (0.75 + Math.random() * 0.5), signal);
    }
  }
}
