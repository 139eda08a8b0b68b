import { groupKindOf, type Kind } from "../../apimachinery/kind.ts";
import type { KubeList, KubeObject, Named } from "../../apimachinery/meta.ts";
import { isApiError, isGone, isTooManyRequests } from "../../apimachinery/status.ts";
import { isKindNotServed } from "../../client/calls/api-caller.ts";
import type { Client, ListOptions, TextEvent, WatchOptions } from "../../client/client.ts";
import type { Clock } from "../../apimachinery/clock.ts";
import { monotonicClock, wait } from "../clock.ts";
import type { Logger } from "../log/logger.ts";
import { nextTurn } from "../next-turn.ts";
import { Backoff } from "./backoff.ts";
import { compareResourceVersions } from "./resource-version.ts";
import { stripManagedFields } from "./transforms.ts";
import type { RelistReason, WatchObserver } from "./watch-observer.ts";

/** Where a reflector puts what it hears. */
export interface ReflectorTarget<T extends KubeObject> {
  /** What comes until `complete` is the whole state; if it breaks off, it begins anew. */
  begin(): void;
  /** The object is the target's own. */
  change(change: Change<T>): void;
  /** The state is whole, as of this version: what has not come is gone. */
  complete(version: string): void;
}

/** An event with its object's JSON, if that is there. */
export type Change<T extends KubeObject> = Exclude<TextEvent<T>, { type: "BOOKMARK" }>;

export interface ReflectorOptions<T extends KubeObject> {
  readonly client: Client;
  readonly kind: Kind<T>;
  readonly namespace?: string | undefined;
  readonly labels?: string | undefined;
  readonly fields?: string | undefined;
  /** Leaves `metadata.managedFields` out. */
  readonly stripManagedFields?: boolean;
  readonly target: ReflectorTarget<T>;
  readonly log: Logger;
  readonly clock?: Clock;
  readonly random?: () => number;
  /** Hears of every failure that is retried. */
  readonly onError?: (error: unknown) => void;
  readonly observer?: WatchObserver | undefined;
}

const initialEventsEnd = "k8s.io/initial-events-end";
const pageSize = 500;
/** A server ends a watch after 5 to 10 minutes, differently for each, so that they don't all come back at once. */
const watchSeconds = { least: 300, spread: 300 };
/** How much longer than agreed a watch may be silent before its connection counts as dead. */
const graceMs = 5_000;

/**
 * Mirrors one kind of one server: first the whole state, as a stream or in pages, then every change. It survives
 * restarts, broken connections and expired versions, and ends only with its signal.
 */
export class Reflector<T extends KubeObject> {
  private readonly options: ReflectorOptions<T>;
  private readonly clock: Clock;
  private readonly random: () => number;
  private readonly backoff: Backoff;
  private streaming = true;
  /** The last version seen; "" asks for the newest state. */
  private version = "";
  /** The state is known up to `version`, so that a watch can go on from there. */
  private current = false;

  constructor(options: ReflectorOptions<T>) {
    this.options = options;
    this.clock = options.clock ?? monotonicClock;
    this.random = options.random ?? Math.random;
    this.backoff = new Backoff(this.clock, { random: this.random });
  }

  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        if (this.current) await this.watch(signal);
        else if (this.streaming) await this.stream(signal);
        else await this.list(signal);
      } catch (error) {
        if (signal.aborted) return;
        this.learn(error);
        await wait(this.clock, Math.max(this.backoff.next(), retryAfterMs(error)), signal);
      }
    }
  }

  /** What a failure says about how to go on. */
  private learn(error: unknown): void {
    const { log, onError, kind, observer } = this.options;
    if ((isApiError(error) && !isTooManyRequests(error)) || isKindNotServed(error)) {
      this.listAgain(isGone(error) ? "expired" : "refused");
      if (isGone(error)) this.version = "";
    }
    observer?.failed(reasonOf(error));
    if (isGone(error)) log.v(2).info("Listing again, the version is too old", { kind: groupKindOf(kind) });
    else log.error(error, "Failed to watch", { kind: groupKindOf(kind) });
    onError?.(error);
  }

  private listAgain(reason: RelistReason): void {
    if (this.current) this.options.observer?.relisting(reason);
    this.current = false;
  }

  /** Initial state and changes in one stream; a server that can't gets a list instead. */
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
        else if (event.type !== "BOOKMARK") this.tell(event);
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
  }

  private async list(signal: AbortSignal): Promise<void> {
    const { client, kind, target } = this.options;
    const query: ListOptions = { ...this.selection(), limit: pageSize, signal };
    target.begin();
    let page = await client.list(kind, query);
    for (;;) {
      for (const object of page.items) {
        this.tell({ type: "ADDED", object });
        await nextTurn();
      }
      const next = page.metadata.continue;
      if (!next) break;
      page = await this.nextPage({ ...query, continue: next });
    }
    this.complete(page.metadata.resourceVersion);
  }

  /** A token that has expired on the way means starting over, in one piece. */
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
    const started = this.clock.now();
    let events = 0;
    await this.follow({ resourceVersion: this.version }, signal, (event) => {
      events++;
      this.apply(event);
    });
    // A server or proxy that hangs up at once would be asked again in a tight loop.
    if (events === 0 && this.clock.now() - started < 1000) throw new Error("the watch ended at once, without an event");
  }

  /** Versions that go back are those of a server that was restored: what it has forgotten, no watch would ever tell. */
  private moveTo(version: string): void {
    if ((compareResourceVersions(version, this.version) ?? 0) < 0) {
      this.listAgain("restored");
      this.version = "";
      throw new Error(`the server went back to version ${version}`);
    }
    this.version = version;
  }

  private apply(event: TextEvent<T>): void {
    if (event.type === "BOOKMARK") {
      this.moveTo(event.object.metadata.resourceVersion ?? this.version);
      return;
    }
    this.tell(event);
    this.version = event.object.metadata.resourceVersion ?? this.version;
  }

  private tell(change: Change<T>): void {
    const { stripManagedFields: strip, target } = this.options;
    if (strip) stripManagedFields(change.object);
    target.change(change);
  }

  /** One watch from its opening to its end, guarded against a connection that died without a word. */
  private async follow(query: WatchOptions, signal: AbortSignal, each: (event: TextEvent<T>) => void): Promise<void> {
    const { client, kind, stripManagedFields = false, observer } = this.options;
    const timeoutSeconds = watchSeconds.least + Math.floor(this.random() * watchSeconds.spread);
    const dead = new AbortController();
    const stop = (): void => dead.abort(signal.reason);
    const cancel = this.clock.after(timeoutSeconds * 1000 + graceMs, stop);
    signal.addEventListener("abort", stop);
    try {
      const options = {
        ...this.selection(),
        ...query,
        timeoutSeconds,
        allowBookmarks: true,
        stripManagedFields,
        signal: dead.signal,
      } as const;
      observer?.watching();
      for await (const events of client.watchBatches(kind, options)) {
        let bytes = 0;
        for (const event of events) {
          if (event.text && observer) bytes += Buffer.byteLength(event.text);
          each(event);
          const turn = nextTurn();
          if (turn) await turn;
        }
        observer?.received(bytes);
      }
    } catch (error) {
      // The watchdog's end is like any end of a watch: the next one goes on from the last version.
      if (!dead.signal.aborted || signal.aborted) throw error;
    } finally {
      cancel();
      signal.removeEventListener("abort", stop);
    }
  }

  private selection(): ListOptions {
    const { namespace, labels, fields } = this.options;
    return { namespace, ...(labels ? { labels } : {}), ...(fields ? { fields } : {}) };
  }
}

/** What a server says that is busy. */
function retryAfterMs(error: unknown): number {
  return isApiError(error) ? (error.status.details?.retryAfterSeconds ?? 0) * 1000 : 0;
}

function reasonOf(error: unknown): string {
  if (isApiError(error)) return error.reason;
  return isKindNotServed(error) ? "NotServed" : "Connection";
}

/** Servers before 1.32, or with the feature off, refuse sendInitialEvents as invalid. */
function isUnsupported(error: unknown): boolean {
  return isApiError(error) && [400, 405, 415, 422].includes(error.code);
}
