import { hostname } from "node:os";
import { defineKind, type Kind } from "../apimachinery/kind.ts";
import { formatMicroTime as microTime } from "./micro-time.ts";
import type { KubeObject, MicroTime } from "../apimachinery/meta.ts";
import { isApiError, isNotFound } from "../apimachinery/status.ts";
import type { Client } from "../client/client.ts";
import { systemClock, wait, type Clock } from "./clock.ts";
import type { Logger } from "./log/logger.ts";
import type { Runnable } from "./runnable.ts";

/** Tells users what an operator did to an object: `kubectl describe` and `kubectl events` show it. */
export interface EventRecorder {
  /**
   * Returns at once; the event is sent in the background. `reason` is a short CamelCase word why, `action` one for what
   * was done, `note` a sentence. The same event again within minutes is counted, not repeated.
   */
  event(
    regarding: KubeObject,
    type: "Normal" | "Warning",
    ...what: [reason: string, action: string, note: string]
  ): void;
}

interface EventObject extends KubeObject {
  eventTime: MicroTime;
  reportingController: string;
  reportingInstance: string;
  action: string;
  reason: string;
  regarding: ObjectReference;
  note: string;
  type: string;
  series?: { count: number; lastObservedTime: MicroTime };
}

interface ObjectReference {
  apiVersion?: string;
  kind?: string;
  namespace?: string;
  name?: string;
  uid?: string;
  resourceVersion?: string;
}

interface Series {
  readonly event: EventObject;
  count: number;
  lastSeen: number;
}

const Event: Kind<EventObject> = defineKind<EventObject>({
  group: "events.k8s.io",
  version: "v1",
  kind: "Event",
  plural: "events",
});
const seriesIdleMs = 6 * 60_000;
const maxPending = 1000;
const attempts = 12;
const retryMs = 10_000;
const noteLimit = 1024;

/** Sends events to the server; one for all recorders of a manager. */
export class EventBroadcaster implements Runnable {
  readonly needLeaderElection = false;
  private readonly client: Client;
  private readonly log: Logger;
  private readonly clock: Clock;
  private readonly series = new Map<string, Series>();
  private readonly pending = new Set<Promise<void>>();
  private signal: AbortSignal | undefined;

  constructor(client: Client, log: Logger, clock: Clock = systemClock) {
    this.client = client;
    this.log = log;
    this.clock = clock;
  }

  /** A recorder whose events say that `name` reports them. */
  recorder(name: string): EventRecorder {
    return {
      event: (regarding, type, ...[reason, action, note]) => {
        this.record(makeEvent(name, regarding, { type, reason, action, note }));
      },
    };
  }

  async start(signal: AbortSignal): Promise<void> {
    this.signal = signal;
    while (!signal.aborted) {
      await wait(this.clock, seriesIdleMs, signal);
      this.forgetIdle();
    }
    await Promise.all(this.pending);
  }

  private record(event: EventObject): void {
    const { action, reason, type, note } = event;
    const { apiVersion, kind, name, namespace } = event.regarding;
    this.log.debug("Event occurred", { object: { name, namespace }, apiVersion, kind, type, reason, action, note });
    const key = JSON.stringify([type, action, reason, event.reportingController, event.regarding.uid, event.regarding.name, event.regarding.namespace]); // prettier-ignore
    const known = this.series.get(key);
    if (!known) {
      this.series.set(key, { event, count: 1, lastSeen: this.clock.now() });
      this.send(event, (one) => this.client.create(Event, one));
      return;
    }
    known.count++;
    known.lastSeen = this.clock.now();
    // The second one makes the series; later ones only count until the series ends.
    if (known.count === 2) this.sendSeries(known);
  }

  private sendSeries(series: Series): void {
    const body = { series: { count: series.count, lastObservedTime: microTime(new Date()) } };
    this.send(series.event, async (event) => {
      const { name = "", namespace } = event.metadata;
      const patch = { type: "application/merge-patch+json", body } as const;
      try {
        return await this.client.patch(Event, { name, namespace }, patch);
      } catch (error) {
        if (!isNotFound(error)) throw error;
        return this.client.create(Event, { ...event, ...body });
      }
    });
  }

  private forgetIdle(): void {
    const now = this.clock.now();
    for (const [key, series] of this.series) {
      if (now - series.lastSeen < seriesIdleMs) continue;
      this.series.delete(key);
      if (series.count > 2) this.sendSeries(series);
    }
  }

  /** Events are worth little and must never hold up work: too many at once are dropped, and refusals are final. */
  private send(event: EventObject, call: (event: EventObject) => Promise<EventObject>): void {
    if (this.pending.size >= maxPending) {
      this.log.debug("Dropping an event, too many are waiting", { reason: event.reason });
      return;
    }
    const done = this.deliver(event, call).finally(() => this.pending.delete(done));
    this.pending.add(done);
  }

  private async deliver(event: EventObject, call: (event: EventObject) => Promise<EventObject>): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        await call(event);
        return;
      } catch (error) {
        const stopped = this.signal?.aborted ?? false;
        if (isApiError(error) || stopped || attempt >= attempts) {
          this.log.error(error, "Server rejected event (will not retry!)", { reason: event.reason });
          return;
        }
      }
      await wait(this.clock, retryMs * (0.75 + Math.random() * 0.5), this.signal ?? new AbortController().signal);
    }
  }
}

let lastStamp = 0n;

function makeEvent(
  reporter: string,
  regarding: KubeObject,
  what: { type: string; reason: string; action: string; note: string },
): EventObject {
  const { name = "", namespace, uid, resourceVersion } = regarding.metadata;
  // Two events of one object in the same nanosecond would have the same name.
  const now = BigInt(Date.now()) * 1_000_000n;
  lastStamp = now > lastStamp ? now : lastStamp + 1n;
  return {
    metadata: { name: `${name}.${lastStamp.toString(16)}`, namespace: namespace ?? "default" },
    eventTime: microTime(new Date()),
    reportingController: reporter,
    reportingInstance: `${reporter}-${hostname()}`.slice(0, 128),
    action: what.action,
    reason: what.reason,
    regarding: {
      ...(regarding.apiVersion && { apiVersion: regarding.apiVersion }),
      ...(regarding.kind && { kind: regarding.kind }),
      ...(namespace && { namespace }),
      name,
      ...(uid && { uid }),
      ...(resourceVersion && { resourceVersion }),
    },
    note: what.note.length > noteLimit ? `${what.note.slice(0, noteLimit - 1)}…` : what.note,
    type: what.type,
  };
}
