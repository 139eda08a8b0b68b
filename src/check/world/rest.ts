import { setTimeout as wait } from "node:timers/promises";
import type { LogWatch } from "./log-watch.ts";
import type { ObjectState } from "./object-state.ts";
import { mostRequests, type Traffic } from "./traffic.ts";

/** The time without a change after which the operator is believed to rest. */
export interface Patience {
  readonly quietMs: number;
  /** The time in which it must come to rest, and reach the expected state. */
  readonly limitMs: number;
  /** The time without a change, a request and an error after which it is not expected to do anything more. */
  readonly idleMs?: number | undefined;
  /** The time after an error in which the operator is expected to try again: shorter than this it does not rest. */
  readonly retryMs?: number;
  /** The time without a change after which errors are believed to go on for ever. */
  readonly retriesMs?: number;
  /** The writes of the operator after which it is not believed to come to rest any more. */
  readonly mostWrites?: number;
}

/** What shows whether an operator rests. */
interface Watched {
  readonly traffic: Traffic;
  readonly log: LogWatch;
  /** Milliseconds since the start of the run. */
  now(): number;
  state(): ObjectState;
}

/**
 * Waits until nothing changes any more, no request of the operator is under way, and the state is right. Returns false if
 * that takes too long.
 */
export async function untilRest(
  watched: Watched,
  { quietMs, limitMs, idleMs = limitMs, retryMs = 0, retriesMs = limitMs, mostWrites = 1_000 }: Patience,
  reached: (state: ObjectState) => boolean,
): Promise<boolean> {
  const { traffic, log } = watched;
  const from = watched.now();
  let [counted, written] = [traffic.requests.length, 0];
  let judged: { readonly state: ObjectState; readonly requests: number; readonly isRight: boolean } | undefined;
  const isRight = (): boolean => {
    const state = watched.state();
    const { length: requests } = traffic.requests;
    if (judged?.state !== state || judged.requests !== requests) judged = { state, requests, isRight: reached(state) };
    return judged.isRight;
  };
  for (;;) {
    for (; counted < traffic.requests.length; counted++) if (traffic.requests[counted]!.by === "operator") written++;
    if (written > mostWrites || counted >= mostRequests) return false;
    const now = watched.now();
    const since = now - Math.max(traffic.lastChange, from);
    const retries = since < retriesMs && log.lastError > from && now - log.lastError < retryMs;
    const isQuiet = since >= quietMs && traffic.pending === 0 && !retries;
    if (isQuiet && isRight()) return true;
    const idleSince = Math.max(from, traffic.lastChange, traffic.lastRequest, log.lastError);
    if (now > from + limitMs || (isQuiet && now - idleSince >= idleMs)) return false;
    await wait(Math.max(5, Math.min(50, quietMs - since)));
  }
}
