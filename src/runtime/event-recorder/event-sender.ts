import { isAlreadyExists, isApiError } from "../../apimachinery/status.ts";
import type { Clock } from "../../apimachinery/clock.ts";
import { wait } from "../monotonic-clock.ts";
import type { Logger } from "../log/logger.ts";

const maxPending = 1000;
const attempts = 12;
const retryMs = 10_000;

/**
 * Sends events in the background. Events are expendable: too many at once are dropped, and rejected ones are not
 * retried.
 */
export class EventSender {
  private readonly log: Logger;
  private readonly clock: Clock;
  private pending = 0;
  /** The last request of each lane, for which the next one waits; lanes run concurrently. */
  private readonly lanes = new Map<string, Promise<void>>();
  private readonly stopping = new AbortController();

  constructor(log: Logger, clock: Clock) {
    this.log = log;
    this.clock = clock;
  }

  /**
   * Sends the requests of a lane one after the other: a count must not overtake its event. `reason` is the event's, for
   * messages.
   */
  send(lane: string, reason: string, call: () => Promise<unknown>): void {
    if (this.pending >= maxPending) {
      this.log.debug("Dropping an event, too many are waiting", { reason });
      return;
    }
    this.pending++;
    const before = this.lanes.get(lane);
    const done = (before ? before.then(() => this.deliver(reason, call)) : this.deliver(reason, call)).finally(() => {
      this.pending--;
      if (this.lanes.get(lane) === done) this.lanes.delete(lane);
    });
    this.lanes.set(lane, done);
  }

  /** Resolves when all requests have finished, and stops retrying failed ones. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await Promise.all(this.lanes.values());
  }

  private async deliver(reason: string, call: () => Promise<unknown>): Promise<void> {
    const { signal } = this.stopping;
    for (let attempt = 1; ; attempt++) {
      try {
        await call();
        return;
      } catch (error) {
        // An earlier attempt succeeded, but its response was lost.
        if (isAlreadyExists(error)) return;
        if (isApiError(error) || signal.aborted || attempt >= attempts) {
          this.log.error(error, "Server rejected event (will not retry!)", { reason });
          return;
        }
      }
      await wait(this.clock, retryMs * (0.75 + Math.random() * 0.5), signal);
    }
  }
}
