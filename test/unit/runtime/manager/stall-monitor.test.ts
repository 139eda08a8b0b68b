import { describe, expect, it } from "vitest";
import type { Clock } from "../../../../src/apimachinery/clock.ts";
import { zapLogger } from "../../../../src/runtime/log/zap-logger.ts";
import { StallMonitor } from "../../../../src/runtime/manager/stall-monitor.ts";
import { settle } from "../../../../src/testing/manual-clock.ts";

/** A clock whose timers fire late, as in a busy event loop. */
class LateClock implements Clock {
  private time = 0;
  private callback: (() => void) | undefined;
  private due = 0;

  now(): number {
    return this.time;
  }

  after(ms: number, callback: () => void): () => void {
    this.callback = callback;
    this.due = this.time + ms;
    return () => (this.callback = undefined);
  }

  async goOff(late: number): Promise<void> {
    this.time = this.due + late;
    this.callback?.();
    await settle();
  }
}

describe("the monitor of the event loop", () => {
  it("reports stalls of more than a second, and no shorter ones", async () => {
    const clock = new LateClock();
    const lines: string[] = [];
    const stalls: number[] = [];
    const stop = new AbortController();
    const log = zapLogger({ write: (line) => lines.push(line) });
    const done = new StallMonitor({ clock, log, onStall: (seconds) => stalls.push(seconds) }).start(stop.signal);
    for (const late of [0, 900, 1500, 10]) await clock.goOff(late);
    stop.abort();
    await done;
    expect(stalls).toEqual([1.5]);
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0]!)).toMatchObject({ msg: "The event loop was blocked", seconds: 1.5 });
  });
});
