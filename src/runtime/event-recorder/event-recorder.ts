import { hostname } from "node:os";
import { defineKind, type Kind } from "../../apimachinery/kind.ts";
import type { DeepReadonly, KubeObject, MicroTime, ObjectMeta } from "../../apimachinery/meta.ts";
import { isNotFound } from "../../apimachinery/status.ts";
import { formatMicroTime } from "../../apimachinery/time.ts";
import type { Client } from "../../client/client.ts";
import { mergePatch } from "../../client/patches.ts";
import type { Clock } from "../../apimachinery/clock.ts";
import { monotonicClock, wait } from "../monotonic-clock.ts";
import { CoreEvents, EventNames, type CoreEventRecorder } from "./core-event-recorder.ts";
import { objectReference, type ObjectReference } from "../../apimachinery/object-reference.ts";
import { EventSender } from "./event-sender.ts";
import type { Logger } from "../log/logger.ts";
import type { Runnable } from "../runnable.ts";

/** Records events about objects for users: `kubectl describe` and `kubectl events` show them. */
export interface EventRecorder {
  /**
   * Returns at once; the event is sent in the background. `reason` is a short CamelCase word for the cause, `action`
   * one for the action, `note` a sentence, `related` another object involved. A repetition within minutes is counted.
   */
  event(
    regarding: DeepReadonly<KubeObject>,
    type: "Normal" | "Warning",
    ...what: [reason: string, action: string, note: string, related?: DeepReadonly<KubeObject> | undefined]
  ): void;
}

/** The recorder of a manager. A test that replaces it needs only what the code under test calls. */
export interface AnnotatedEventRecorder extends EventRecorder {
  /**
   * Records an event that has these annotations, for programs that read events. A repetition is counted on the first
   * event, whose annotations stay.
   */
  annotatedEvent(annotations: Readonly<Record<string, string>>, ...event: Parameters<EventRecorder["event"]>): void;
}

interface EventObject extends KubeObject {
  eventTime: MicroTime;
  reportingController: string;
  reportingInstance: string;
  action: string;
  reason: string;
  regarding: ObjectReference;
  related?: ObjectReference;
  note: string;
  type: string;
  series?: { count: number; lastObservedTime: MicroTime };
}

interface Series {
  readonly event: EventObject;
  count: number;
  lastSeen: number;
  /** The count on the server. */
  toldCount: number;
  toldAt: number;
}

const Event: Kind<EventObject> = defineKind<EventObject>({
  group: "events.k8s.io",
  version: "v1",
  kind: "Event",
  plural: "events",
});
const seriesIdleMs = 6 * 60_000;
const refreshMs = 30 * 60_000;
const noteLimit = 1024;
const ellipsis = "…";

/** Sends events to the server; one for all recorders of a manager. */
export class EventBroadcaster implements Runnable {
  readonly needLeaderElection = false;
  private readonly client: Client;
  private readonly log: Logger;
  private readonly clock: Clock;
  private readonly sender: EventSender;
  private readonly core: CoreEvents;
  private readonly names = new EventNames();
  private readonly series = new Map<string, Series>();

  constructor(client: Client, log: Logger, clock: Clock = monotonicClock) {
    this.client = client;
    this.log = log;
    this.clock = clock;
    this.sender = new EventSender(log, clock);
    this.core = new CoreEvents({ client, sender: this.sender, log, clock, names: this.names });
  }

  /** Creates a recorder with `name` as the reporting controller. */
  recorder(name: string): AnnotatedEventRecorder {
    const annotatedEvent: AnnotatedEventRecorder["annotatedEvent"] = (annotations, regarding, type, ...what) => {
      const [reason, action, note, related] = what;
      const metadata = { ...this.names.next(regarding), ...(Object.keys(annotations).length > 0 && { annotations }) };
      this.record(makeEvent(name, metadata, regarding, { type, reason, action, note, related }));
    };
    return { annotatedEvent, event: (...event) => annotatedEvent({}, ...event) };
  }

  /** Creates a recorder for the older API. */
  coreRecorder(component: string): CoreEventRecorder {
    return this.core.recorder(component);
  }

  async start(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await wait(this.clock, seriesIdleMs, signal);
      this.tellSeries();
    }
    await this.sender.stop();
  }

  private record(event: EventObject): void {
    const { action, reason, type, note } = event;
    const { apiVersion, kind, name, namespace } = event.regarding;
    this.log.debug("Event occurred", { object: { name, namespace }, apiVersion, kind, type, reason, action, note });
    const { regarding, related } = event;
    const objects = [regarding, related].map((each) => [each?.kind, each?.uid, each?.name, each?.namespace]);
    const key = JSON.stringify([type, action, reason, event.reportingController, ...objects]);
    const known = this.series.get(key);
    const now = this.clock.now();
    if (!known) {
      this.series.set(key, { event, count: 1, lastSeen: now, toldCount: 1, toldAt: now });
      this.sender.send(laneOf(event), reason, () => this.client.create(Event, event));
      return;
    }
    known.count++;
    known.lastSeen = now;
    // The second event starts a series; later ones are only counted until the next update.
    if (known.count === 2) this.sendSeries(known);
  }

  private sendSeries(series: Series): void {
    const { event } = series;
    series.toldCount = series.count;
    series.toldAt = this.clock.now();
    const change = { series: { count: series.count, lastObservedTime: formatMicroTime(new Date()) } };
    this.sender.send(laneOf(event), event.reason, async () => {
      const { name = "", namespace } = event.metadata;
      try {
        return await this.client.patch(Event, { name, namespace }, mergePatch(change));
      } catch (error) {
        if (!isNotFound(error)) throw error;
        return this.client.create(Event, { ...event, ...change });
      }
    });
  }

  /** Updates the counts of ended series, and occasionally of running ones. */
  private tellSeries(): void {
    const now = this.clock.now();
    for (const [key, series] of this.series) {
      const ended = now - series.lastSeen >= seriesIdleMs;
      if (ended) this.series.delete(key);
      if (series.count > series.toldCount && (ended || now - series.toldAt >= refreshMs)) this.sendSeries(series);
    }
  }
}

function laneOf({ metadata }: EventObject): string {
  return `${metadata.namespace}/${metadata.name}`;
}

function makeEvent(
  reporter: string,
  metadata: ObjectMeta,
  regarding: DeepReadonly<KubeObject>,
  what: { type: string; reason: string; action: string; note: string; related: DeepReadonly<KubeObject> | undefined },
): EventObject {
  const { type, reason, action, note, related } = what;
  return {
    metadata,
    eventTime: formatMicroTime(new Date()),
    reportingController: reporter,
    reportingInstance: `${reporter}-${hostname()}`.slice(0, 128),
    action,
    reason,
    regarding: objectReference(regarding),
    ...(related && { related: objectReference(related) }),
    note: shorten(note),
    type,
  };
}

/** Cuts a note to the number of bytes that a server accepts. */
function shorten(note: string): string {
  const bytes = Buffer.from(note);
  if (bytes.length <= noteLimit) return note;
  const cut = bytes.subarray(0, noteLimit - Buffer.byteLength(ellipsis)).toString();
  // A character that was cut in two has become U+FFFD.
  return cut.replace(/\uFFFD$/, "") + ellipsis;
}
