import type { Clock } from "../../apimachinery/clock.ts";
import { wait } from "../monotonic-clock.ts";
import type { Logger } from "../log/logger.ts";
import type { Runnable } from "../runnable.ts";

const lookEveryMs = 500;
const stallMs = 1000;

export interface StallMonitorParts {
  readonly clock: Clock;
  readonly log: Logger;
  readonly onStall: (seconds: number) => void;
}

/**
 * Reports when the event loop was blocked for more than a second. Leases are not renewed and probes not answered
 * meanwhile; the usual cause is long synchronous work in a reconciler.
 */
export class StallMonitor implements Runnable {
  readonly needLeaderElection = false;
  private readonly parts: StallMonitorParts;

  constructor(parts: StallMonitorParts) {
    this.parts = parts;
  }

  async start(signal: AbortSignal): Promise<void> {
    const { clock, log, onStall } = this.parts;
    while (!signal.aborted) {
      const due = clock.now() + lookEveryMs;
      await wait(clock, lookEveryMs, signal);
      const late = clock.now() - due;
      if (late <= stallMs) continue;
      log.info("The event loop was blocked", { seconds: late / 1000 });
      onStall(late / 1000);
    }
  }
}
