import { ApiError, failure, type statusCodes } from "../../../apimachinery/status.ts";

import type { Clock } from "../../../apimachinery/clock.ts";

/** The requests that a fault hits; absent fields match everything. */
interface FaultMatch {
  /** `get`, `list`, `watch`, `create`, `update`, `patch`, `delete`, `deletecollection`. */
  readonly verbs?: readonly string[];
  /** The plural. */
  readonly resource?: string;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name?: string;
  /** The name of the user who sends the request. */
  readonly user?: string;
}

export interface Fault extends FaultMatch {
  /** The number of matching requests that pass first. */
  readonly skip?: number;
  /** The number of requests that are hit; by default all, until the fault is lifted. */
  readonly times?: number;
  /** The reason of a refusal, such as `Conflict`, `TooManyRequests` or `Expired` (which a watch gets as an event). */
  readonly reason?: keyof typeof statusCodes;
  readonly message?: string;
  readonly retryAfterSeconds?: number;
  /** Delays the response. */
  readonly delayMs?: number;
  /** The number of events after which a watch ends. */
  readonly cutAfterEvents?: number;
}

/** A request as faults see it. */
export interface FaultTarget {
  readonly verb: string;
  readonly resource: string;
  readonly subresource: string | undefined;
  readonly namespace: string | undefined;
  readonly name: string;
  readonly user: string;
}

interface Armed {
  readonly fault: Fault;
  seen: number;
  hits: number;
}

/** Injects faults into a healthy server, to test clients. */
export class FaultInjector {
  private readonly armed = new Set<Armed>();
  private readonly clock: Clock;

  constructor(clock: Clock) {
    this.clock = clock;
  }

  /** Injects a fault; the returned function lifts it. */
  inject(fault: Fault): () => void {
    const armed = { fault, seen: 0, hits: 0 };
    this.armed.add(armed);
    return () => void this.armed.delete(armed);
  }

  /** Lifts all faults. */
  clear(): void {
    this.armed.clear();
  }

  /** Delays or refuses a request. Returns the number of events after which a watch ends. */
  async strike(target: FaultTarget): Promise<number | undefined> {
    let cutAfter: number | undefined;
    for (const armed of this.armed) {
      if (!this.hits(armed, target)) continue;
      const { delayMs, reason, cutAfterEvents } = armed.fault;
      if (delayMs !== undefined) await new Promise<void>((resolve) => void this.clock.after(delayMs, resolve));
      if (reason) throw refusal(reason, armed.fault);
      cutAfter = cutAfterEvents ?? cutAfter;
    }
    return cutAfter;
  }

  private hits(armed: Armed, target: FaultTarget): boolean {
    const { fault } = armed;
    if (!matches(fault, target)) return false;
    armed.seen++;
    if (armed.seen <= (fault.skip ?? 0) || armed.hits >= (fault.times ?? Infinity)) return false;
    armed.hits++;
    return true;
  }
}

function matches(fault: FaultMatch, target: FaultTarget): boolean {
  if (fault.verbs && !fault.verbs.includes(target.verb)) return false;
  const fields = ["resource", "subresource", "namespace", "name", "user"] as const;
  return fields.every((field) => fault[field] === undefined || fault[field] === target[field]);
}

function refusal(reason: keyof typeof statusCodes, { message, retryAfterSeconds }: Fault): ApiError {
  const details = retryAfterSeconds === undefined ? undefined : { retryAfterSeconds };
  return new ApiError(failure(reason, message ?? `injected ${reason}`, details));
}
