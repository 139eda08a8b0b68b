import { setTimeout as wait } from "node:timers/promises";
import type { Transport } from "../../client/transport.ts";

/** The time in which an operator that a fault has killed must serve its webhooks again. */
const restartLimitMs = 20_000;

/** The times in which a fault holds the operator down. */
export class Downtime {
  private count = 0;
  private back: Promise<boolean> | undefined;
  private resolve: (isServing: Promise<boolean>) => void = () => {};

  /** Notes that the operator is about to be killed. */
  begin(): void {
    this.count++;
    this.back = new Promise((resolve) => (this.resolve = resolve));
  }

  /** Notes that the operator has been started again; `isServing` reports whether it serves its webhooks. */
  end(isServing: () => Promise<boolean>): void {
    const { back } = this;
    if (!back) return;
    this.resolve(isServing());
    void back.finally(() => {
      if (this.back === back) this.back = undefined;
    });
  }

  /** Returns a mark for `hasPassed`. */
  get mark(): number {
    return this.back ? this.count - 1 : this.count;
  }

  /** Waits until the operator serves again. Returns false if it was not held down since the mark, or does not serve. */
  async hasPassed(mark: number): Promise<boolean> {
    if (mark === this.count) return false;
    return !this.back || Promise.race([this.back, wait(restartLimitMs, false, { ref: false })]);
  }
}

/**
 * Returns a transport for users of the cluster. It repeats a request that is refused because a webhook of the operator
 * could not be reached, if a fault held the operator down at that time.
 */
export function outlastRestarts(transport: Transport, downtime: Downtime): Transport {
  return {
    ...transport,
    async request(request) {
      for (;;) {
        const { mark } = downtime;
        const response = await transport.request(request);
        const isRefused = response.status === 500 && isUnreachedWebhook(await response.text());
        if (!isRefused || !(await downtime.hasPassed(mark))) return response;
      }
    },
  };
}

/** Reports whether a Status is about a webhook that could not be reached, or whose connection broke. */
function isUnreachedWebhook(status: string): boolean {
  const { message = "" } = JSON.parse(status) as { message?: string };
  const isOfWebhook = /^(Internal error occurred: failed calling webhook|conversion webhook for) /.test(message);
  return isOfWebhook && /(: connect: connection refused|: EOF|EPIPE)$/.test(message);
}
