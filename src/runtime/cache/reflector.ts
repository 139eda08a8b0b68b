import { groupKindOf, type Kind } from "../../apimachinery/kind.ts";
import type { KubeList, KubeObject, Named } from "../../apimachinery/meta.ts";
import { isApiError, isGone, isTooManyRequests } from "../../apimachinery/status.ts";
import { isKindNotServed, maxRetryAfterSeconds } from "../../client/calls/api-caller.ts";
import { isSimulated } from "../../client/connections/open-pool.ts";
import { isConnectionReset, isUnreachable } from "../../client/transport/connection-error.ts";
import { alreadyParsed } from "../../client/calls/lazy-object.ts";
import type { Client, LazyEvent, ListOptions, WatchOptions } from "../../client/client.ts";
import type { Clock } from "../../apimachinery/clock.ts";
import { linkAbort } from "../linked-abort.ts";
import { monotonicClock, wait } from "../monotonic-clock.ts";
import type { Logger } from "../log/logger.ts";
import { Turns } from "../turns.ts";
import { Backoff } from "./backoff.ts";
import { compareResourceVersions } from "./resource-version.ts";
import { Silence } from "./silence.ts";
import type { RelistReason, WatchObserver } from "./watch-observer.ts";

/** The receiver of a reflector's state and changes. */
export interface ReflectorTarget<T extends KubeObject> {
  /** Starts a complete state, which ends with `complete`. If it is interrupted, it starts again. */
  begin(): void;
  /** Adds a change. The object belongs to the target. */
  change(change: Change<T>): void;
  /** Ends a complete state at this version: objects that it lacks are deleted. */
  complete(version: string): void;
}

/** A change of an object. */
export type Change<T extends KubeObject> = Exclude<LazyEvent<T>, { type: "BOOKMARK" }>;

export interface ReflectorOptions<T extends KubeObject> {
  readonly client: Client;
  readonly kind: Kind<T>;
  readonly namespace?: string | undefined;
  readonly labels?: string | undefined;
  readonly fields?: string | undefined;
  /** Removes `metadata.managedFields`. */
  readonly stripManagedFields?: boolean;
  readonly target: ReflectorTarget<T>;
  readonly log: Logger;
  /** The time of waits between attempts. */
  readonly clock?: Clock;
  /** Measures how long connections last or are silent; real time by default, even if `clock` is manual. */
  readonly connectionClock?: Clock;
  /** The time of loops, if others share it. */
  readonly turns?: Turns;
  readonly random?: () => number;
  /** Called for every failure before a retry. */
  readonly onError?: (error: unknown) => void;
  readonly observer?: WatchObserver | undefined;
  /** True if the server may lack the kind, so that its absence is not an error. */
  readonly isOptional?: () => boolean;
}

const initialEventsEnd = "k8s.io/initial-events-end";
const pageSize = 500;
/** A server ends a watch after 5 to 10 minutes, at random, so that watches do not reconnect together. */
const watchSeconds = { least: 300, spread: 300 };
/** The time by which a watch can exceed its limit before its connection counts as dead. */
const graceMs = 5_000;
/**
 * A watch that lasts as long has worked, so that its end is a first failure. Load balancers close a connection on which
 * nothing comes for 35 or 60 seconds, again and again.
 */
const steadyMs = 20_000;
/**
 * The longest waits, before the jitter, if the server is not reached, or does not know the kind: the attempt costs it
 * nothing, or little, and the cache is to be current soon after the server is back, or the kind is installed. The jitter
 * spreads the watches of many operators over the same time.
 */
const [unreachableMaxMs, notServedMaxMs] = [4_000, 10_000];
/** The time after which the log repeats such a failure. */
const repeatMs = 30_000;
/**
 * The time without a byte after which a connection counts as dead. Servers send a bookmark about once a minute. Nothing
 * else reveals a proxy that has lost the server but still answers TCP keep-alives. Quiet watches that began together do
 * not restart together.
 */
const silentSeconds = { least: 150, spread: 75 };

/** The connections of a simulation last. */
const endlessClock: Clock = { now: () => performance.now(), after: () => () => undefined };

/** A watch that ended within a second: a proxy closes connections, or the definition of a custom resource has changed. */
export class ShortWatch extends Error {
  constructor() {
    super("the watch ended at once");
  }
}

/**
 * Mirrors a kind of a server: first the complete state, as a stream or in pages, then every change. It survives
 * restarts, broken connections and expired versions, and ends only with its signal.
 */
export class Reflector<T extends KubeObject> {
  private readonly options: ReflectorOptions<T>;
  private readonly clock: Clock;
  private readonly connectionClock: Clock;
  private readonly random: () => number;
  private readonly turns: Turns;
  private readonly backoff: Backoff;
  private streaming = true;
  /** The last version seen; "" requests the newest state. */
  private version = "";
  /** True if the state is complete up to `version`, so that a watch can continue there. */
  private current = false;
  /** True if the server could not be reached since, so that it may have been restored. */
  private doubted = false;
  /** The failure that the log does not repeat until then. */
  private said = { reason: "", until: 0 };

  constructor(options: ReflectorOptions<T>) {
    this.options = options;
    this.clock = options.clock ?? monotonicClock;
    this.connectionClock = options.connectionClock ?? (isSimulated() ? endlessClock : monotonicClock);
    this.turns = options.turns ?? new Turns();
    this.random = options.random ?? Math.random;
    this.backoff = new Backoff(this.clock, { random: this.random });
  }

  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const started = this.connectionClock.now();
      try {
        if (this.current) await this.watch(signal);
        else if (this.streaming) await this.stream(signal);
        else await this.list(signal);
      } catch (error) {
        if (signal.aborted) return;
        const lasted = this.connectionClock.now() - started;
        const wasCut = this.current && lasted >= steadyMs && isConnectionReset(error);
        // A restored server answers, so that its state can be read at once.
        if (wasCut || isAhead(error)) this.backoff.restart();
        this.learn(error, wasCut);
        const next = this.backoff.next(longestWaitMs(error));
        await wait(this.clock, Math.max(next, retryAfterMs(error)), signal);
      }
    }
  }

  /** Decides how to continue after a failure. `wasCut` is true for a connection that has worked. */
  private learn(error: unknown, wasCut: boolean): void {
    const { log, onError, kind, observer, isOptional } = this.options;
    const reason = reasonOf(error);
    const isOften = longestWaitMs(error) !== undefined;
    const isAwaited = isKindNotServed(error) && isOptional?.() === true;
    const isSaid = isOften && this.doubted && reason === this.said.reason && this.clock.now() < this.said.until;
    if (!isSaid) this.said = { reason, until: isAwaited ? Infinity : isOften ? this.clock.now() + repeatMs : 0 };
    if ((isApiError(error) && !isTooManyRequests(error)) || isKindNotServed(error)) {
      this.listAgain(isGone(error) ? "expired" : isAhead(error) ? "restored" : "refused");
      if (isGone(error) || isAhead(error)) this.version = "";
    }
    if (!wasCut && !isApiError(error)) this.doubted = true;
    observer?.failed(reason);
    const usual = isGone(error)
      ? "Listing again, the version is too old"
      : isTooManyRequests(error) && "Waiting, as the server is busy";
    if (usual) log.v(2).info(usual, { kind: groupKindOf(kind) });
    else if (wasCut) log.info("Watching again, as the connection broke", { kind: groupKindOf(kind), error });
    else if (isSaid) log.v(1).info("Failed to watch", { kind: groupKindOf(kind), error });
    else if (isAwaited) log.info("Waiting until the server serves an optional kind", { kind: groupKindOf(kind) });
    else log.error(error, "Failed to watch", { kind: groupKindOf(kind) });
    onError?.(error);
  }

  private listAgain(reason: RelistReason): void {
    if (this.current) this.options.observer?.relisting(reason);
    this.current = false;
  }

  /** Receives initial state and changes in one stream; falls back to a list if the server does not support it. */
  private async stream(signal: AbortSignal): Promise<void> {
    const { target } = this.options;
    const options = {
      sendInitialEvents: true,
      resourceVersionMatch: "NotOlderThan",
      resourceVersion: this.version,
    } as const;
    target.begin();
    try {
      await this.follow(options, signal, (event) => {
        if (this.current) this.apply(event);
        else if (event.type !== "BOOKMARK") target.change(event);
        else if (event.object.metadata.annotations?.[initialEventsEnd] === "true") {
          this.complete(event.object.metadata.resourceVersion);
        }
      });
    } catch (error) {
      if (this.current || !isUnsupported(error)) throw error;
      this.streaming = false;
      return;
    }
    if (!this.current) throw new Error("the initial state ended before all of it had come");
  }

  private complete(version = ""): void {
    const { target, observer } = this.options;
    target.complete(version);
    observer?.listed();
    this.version = version;
    this.current = true;
    this.doubted = false;
  }

  private async list(signal: AbortSignal): Promise<void> {
    const { client, kind, target, stripManagedFields: strip } = this.options;
    const query: ListOptions = { ...this.selection(), limit: pageSize, signal };
    target.begin();
    let page = await client.list(kind, query);
    for (;;) {
      for (const object of page.items) {
        if (strip) delete object.metadata.managedFields;
        target.change({ type: "ADDED", object: alreadyParsed(object) });
        await this.turns.next();
      }
      const next = page.metadata.continue;
      if (!next) break;
      page = await this.nextPage({ ...query, continue: next });
    }
    this.complete(page.metadata.resourceVersion);
  }

  /** Requests a page; an expired token restarts the list, without pages. */
  private async nextPage(query: ListOptions): Promise<KubeList<Named<T>>> {
    const { client, kind, target } = this.options;
    try {
      return await client.list(kind, query);
    } catch (error) {
      if (!isGone(error)) throw error;
      target.begin();
      const { limit: _limit, continue: _token, ...whole } = query;
      return client.list(kind, whole);
    }
  }

  private async watch(signal: AbortSignal): Promise<void> {
    if (this.doubted) await this.checkVersion(signal);
    const started = this.connectionClock.now();
    await this.follow({ resourceVersion: this.version }, signal, (event) => this.apply(event));
    // A server or proxy that closes each connection at once would be called in a tight loop.
    if (this.connectionClock.now() - started < 1000) throw new ShortWatch();
  }

  /**
   * Throws if the server has not reached the version, since it was restored from a backup: a watch would be silent until
   * it has, and never report what was lost.
   */
  private async checkVersion(signal: AbortSignal): Promise<void> {
    const { client, kind } = this.options;
    const { version: resourceVersion } = this;
    const query = { limit: 1, resourceVersion, resourceVersionMatch: "NotOlderThan", signal } as const;
    try {
      await client.list(kind, { ...this.selection(), ...query });
      this.doubted = false;
    } catch (error) {
      // A server can refuse to list and permit to watch.
      if (!isApiError(error) || isAhead(error)) throw error;
    }
  }

  /**
   * Records a version. A lower one comes from a restored server, and no watch would report the objects that it lost.
   */
  private moveTo(version: string): void {
    if ((compareResourceVersions(version, this.version) ?? 0) < 0) {
      this.listAgain("restored");
      this.version = "";
      throw new Error(`the server went back to version ${version}`);
    }
    this.version = version;
  }

  private apply(event: LazyEvent<T>): void {
    if (event.type === "BOOKMARK") {
      this.moveTo(event.object.metadata.resourceVersion ?? this.version);
      return;
    }
    this.options.target.change(event);
    this.version = event.object.metadata.resourceVersion ?? this.version;
  }

  /** Follows a watch from start to end, and detects a dead connection. */
  private async follow(query: WatchOptions, signal: AbortSignal, each: (event: LazyEvent<T>) => void): Promise<void> {
    const { client, kind, stripManagedFields = false, observer, log } = this.options;
    const isEndless = this.connectionClock === endlessClock;
    const timeoutSeconds = this.anyOf(watchSeconds);
    const seconds = this.anyOf(silentSeconds);
    const dead = linkAbort(signal);
    const cancel = this.connectionClock.after(timeoutSeconds * 1000 + graceMs, () => dead.abort());
    const silence = new Silence(this.connectionClock, seconds * 1000, () => {
      log.v(1).info("Watching again, as the watch was silent", { kind: groupKindOf(kind), seconds });
      dead.abort();
    });
    try {
      const options = {
        ...this.selection(),
        ...query,
        ...(!isEndless && { timeoutSeconds }),
        allowBookmarks: true,
        stripManagedFields,
        signal: dead.signal,
      } as const;
      observer?.watching();
      for await (const events of client.watchBatches(kind, options)) {
        silence.heard();
        let bytes = 0;
        for (const event of events) {
          if (observer && event.type !== "BOOKMARK") bytes += Buffer.byteLength(event.object.text);
          each(event);
          const turn = this.turns.next();
          if (turn) await turn;
        }
        observer?.received(bytes);
      }
    } catch (error) {
      // The watchdog ends a watch normally: the next one continues at the last version.
      if (!dead.signal.aborted || signal.aborted) throw error;
    } finally {
      cancel();
      silence.stop();
      dead.release();
    }
  }

  private anyOf({ least, spread }: { readonly least: number; readonly spread: number }): number {
    return least + Math.floor(this.random() * spread);
  }

  private selection(): ListOptions {
    const { namespace, labels, fields } = this.options;
    return { namespace, ...(labels ? { labels } : {}), ...(fields ? { fields } : {}) };
  }
}

/** Returns the limit of the wait after a failure that is cheap to repeat. */
function longestWaitMs(error: unknown): number | undefined {
  if (isUnreachable(error)) return unreachableMaxMs;
  return isKindNotServed(error) ? notServedMaxMs : undefined;
}

/** Returns the wait that a busy server requests, within limits. */
function retryAfterMs(error: unknown): number {
  const seconds = isApiError(error) ? (error.status.details?.retryAfterSeconds ?? 0) : 0;
  return Math.min(seconds, maxRetryAfterSeconds) * 1000;
}

/** Reports whether the server has not reached the requested version: it was restored, or lags behind another one. */
function isAhead(error: unknown): boolean {
  return (
    isApiError(error) && !!error.status.details?.causes?.some(({ reason }) => reason === "ResourceVersionTooLarge")
  );
}

function reasonOf(error: unknown): string {
  if (isApiError(error)) return error.reason;
  return isKindNotServed(error) ? "NotServed" : "Connection";
}

/** Reports whether the server rejects sendInitialEvents: versions before 1.32, or with the feature disabled. */
function isUnsupported(error: unknown): boolean {
  return isApiError(error) && [400, 405, 415, 422].includes(error.code);
}
