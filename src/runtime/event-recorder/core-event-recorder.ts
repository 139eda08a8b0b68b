import { defineKind, type Kind } from "../../apimachinery/kind.ts";
import type { DeepReadonly, KubeObject, Time, ObjectMeta } from "../../apimachinery/meta.ts";
import { isNotFound } from "../../apimachinery/status.ts";
import { timestamp } from "../../apimachinery/time.ts";
import type { Client } from "../../client/client.ts";
import { mergePatch } from "../../client/patches.ts";
import type { Clock } from "../../apimachinery/clock.ts";
import { EventCorrelator, Recent, type Correlation } from "./event-correlator.ts";
import { objectReference, type ObjectReference } from "../../apimachinery/object-reference.ts";
import type { EventSender } from "./event-sender.ts";
import type { Logger } from "../log/logger.ts";

/**
 * Reports the actions of an operator to users, as events of the older core/v1 API, which have no action and no related
 * object. `Manager.eventRecorder` is for the newer one.
 */
export interface CoreEventRecorder {
  /** Returns at once; the event is sent in the background. The same one again is counted, very many are dropped. */
  event(object: DeepReadonly<KubeObject>, type: "Normal" | "Warning", ...what: [reason: string, message: string]): void;
}

interface CoreEvent extends KubeObject {
  involvedObject: ObjectReference;
  reason: string;
  message: string;
  source: { component: string };
  firstTimestamp: Time;
  lastTimestamp: Time;
  count: number;
  type: string;
  reportingComponent: string;
  reportingInstance: string;
}

const Event: Kind<CoreEvent> = defineKind<CoreEvent>({ group: "", version: "v1", kind: "Event", plural: "events" });

export interface CoreEventParts {
  readonly client: Client;
  readonly sender: EventSender;
  readonly log: Logger;
  readonly clock: Clock;
  readonly names: EventNames;
  /** The time of day that events show; the system's by default. */
  readonly now?: () => number;
}

/** Sends events of core/v1; one for all recorders of a manager. */
export class CoreEvents {
  private readonly parts: CoreEventParts;
  private readonly correlator: EventCorrelator;
  /** The event that was made for a key of the correlator, to count on. */
  private readonly made = new Recent<CoreEvent>();

  constructor(parts: CoreEventParts) {
    this.parts = parts;
    this.correlator = new EventCorrelator(parts.clock);
  }

  /** A recorder whose events say that `component` reports them. */
  recorder(component: string): CoreEventRecorder {
    return {
      event: (object, type, ...[reason, message]) => this.record({ component, object, type, reason, message }),
    };
  }

  private record(event: Reported): void {
    const { component, object, type, reason, message } = event;
    const involved = objectReference(object);
    this.parts.log.v(1).info(message, { type, object: involved, reason });
    const { resourceVersion: _version, ...lasting } = involved;
    const verdict = this.correlator.correlate({ component, type, reason, message, object: JSON.stringify(lasting) });
    if (verdict.action === "drop") return;
    this.parts.sender.send(`core ${verdict.key}`, reason, () => this.write(event, verdict));
  }

  private now(): Time {
    return timestamp(this.parts.now?.() ?? Date.now());
  }

  private async write(event: Reported, verdict: Exclude<Correlation, { action: "drop" }>): Promise<void> {
    const { client } = this.parts;
    const { key, message } = verdict;
    const known = verdict.action === "count" && this.made.get(key);
    if (known) {
      const { name = "", namespace } = known.metadata;
      const { count } = verdict;
      try {
        const change = { count, lastTimestamp: this.now(), message };
        await client.patch(Event, { name, namespace }, mergePatch(change));
        return;
      } catch (error) {
        if (!isNotFound(error)) throw error;
      }
    }
    // A count whose first event was never made, or is gone, begins a new one.
    this.made.set(key, await client.create(Event, this.coreEvent(event, verdict)));
  }

  private coreEvent(
    { component, object, type, reason, message }: Reported,
    verdict: { readonly message: string; readonly count?: number },
  ): CoreEvent {
    const now = this.now();
    return {
      metadata: this.parts.names.next(object),
      involvedObject: objectReference(object),
      reason,
      message: verdict.message,
      source: { component },
      firstTimestamp: now,
      lastTimestamp: now,
      count: verdict.count ?? 1,
      type,
      // Go's recorder leaves it out of an event that stands for several.
      reportingComponent: verdict.message === message ? component : "",
      reportingInstance: "",
    };
  }
}

interface Reported {
  readonly component: string;
  readonly object: DeepReadonly<KubeObject>;
  readonly type: string;
  readonly reason: string;
  readonly message: string;
}

/** The names of a manager's events: two events of an object in the same nanosecond would have the same one. */
export class EventNames {
  private lastStamp = 0n;

  /** Returns the name and namespace of a new event about an object. */
  next({ metadata }: DeepReadonly<KubeObject>): ObjectMeta {
    const now = BigInt(Date.now()) * 1_000_000n;
    this.lastStamp = now > this.lastStamp ? now : this.lastStamp + 1n;
    return {
      name: `${metadata.name ?? ""}.${this.lastStamp.toString(16)}`,
      namespace: metadata.namespace ?? "default",
    };
  }
}
