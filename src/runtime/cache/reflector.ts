import { groupKindOf, type Kind } from "../../apimachinery/kind.ts";
import type { KubeList, KubeObject, Named, WatchEvent } from "../../apimachinery/meta.ts";
import { isApiError, isGone, isTooManyRequests } from "../../apimachinery/status.ts";
import type { Client, ListOptions, WatchOptions } from "../../client/client.ts";
import { TextEvent } from "../../client/text-event.ts";
import { systemClock, wait, type Clock } from "../clock.ts";
import type { Logger } from "../log/logger.ts";
import { nextTurn } from "../next-turn.ts";
import { Backoff } from "./backoff.ts";
import { compareResourceVersions } from "./resource-version.ts";
import { stripManagedFields } from "./transforms.ts";

/** Where a reflector puts what it hears. */
export interface ReflectorTarget<T extends KubeObject> {
  /** The whole state; what is not in it is gone. It may take its time: nothing changes before it is done. */
  replace(state: readonly TextEvent<T>[], version: string): void | Promise<void>;
  change(change: Change<T>): void;
}

/** A change, with the object's JSON. */
export type Change<T extends KubeObject> = Readonly<Pick<TextEvent<T>, "type" | "object" | "text">>;

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
    this.clock = options.clock ?? systemClock;
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
        await wait(this.clock, this.backoff.next(), signal);
      }
    }
  }

  /** What a failure says about how to go on. */
  private learn(error: unknown): void {
    const { log, onError, kind } = this.options;
    if (isApiError(error) && !isTooManyRequests(error)) {
      this.current = false;
      if (isGone(error)) this.version = "";
    }
    if (isGone(error)) log.v(2).info("Listing again, the version is too old", { kind: groupKindOf(kind) });
    else log.error(error, "Failed to watch", { kind: groupKindOf(kind) });
    onError?.(error);
  }

  /** Initial state and changes in one stream; a server that can't gets a list instead. */
  private async stream(signal: AbortSignal): Promise<void> {
    const initial: TextEvent<T>[] = [];
    const options = {
      sendInitialEvents: true,
      resourceVersionMatch: "NotOlderThan",
      resourceVersion: this.version,
    } as const;
    try {
      await this.follow(options, signal, (event) => {
        if (this.current) this.apply(event);
        else if (event.type !== "BOOKMARK") initial.push(this.textOf(event));
        else return this.finishInitial(event.object, initial);
      });
    } catch (error) {
      if (this.current || !isUnsupported(error)) throw error;
      this.streaming = false;
    }
  }

  private async finishInitial(bookmark: KubeObject, initial: TextEvent<T>[]): Promise<void> {
    if (bookmark.metadata.annotations?.[initialEventsEnd] !== "true") return;
    this.version = bookmark.metadata.resourceVersion ?? "";
    await this.options.target.replace(initial, this.version);
    initial.length = 0;
    this.current = true;
  }

  private async list(signal: AbortSignal): Promise<void> {
    const { client, kind, target } = this.options;
    const state: TextEvent<T>[] = [];
    const query: ListOptions = { ...this.selection(), limit: pageSize, signal };
    let page = await client.list(kind, query);
    for (;;) {
      for (const object of page.items) state.push(this.textOf({ type: "ADDED", object }));
      const next = page.metadata.continue;
      if (!next) break;
      page = await this.nextPage({ ...query, continue: next }, state);
    }
    this.version = page.metadata.resourceVersion ?? "";
    await target.replace(state, this.version);
    this.current = true;
  }

  /** A token that has expired on the way means starting over, in one piece. */
  private async nextPage(query: ListOptions, state: TextEvent<T>[]): Promise<KubeList<Named<T>>> {
    const { client, kind } = this.options;
    try {
      return await client.list(kind, query);
    } catch (error) {
      if (!isGone(error)) throw error;
      state.length = 0;
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
      this.current = false;
      this.version = "";
      throw new Error(`the server went back to version ${version}`);
    }
    this.version = version;
  }

  private apply(event: WatchEvent<T>): void {
    if (event.type === "BOOKMARK") {
      this.moveTo(event.object.metadata.resourceVersion ?? this.version);
      return;
    }
    const { type, text, object } = this.textOf(event);
    this.version = object.metadata.resourceVersion ?? this.version;
    this.options.target.change({ type, text, object });
  }

  /** Events come as text from our own client, and mostly so; whatever else comes is made the same. */
  private textOf(event: Exclude<WatchEvent<T>, { type: "BOOKMARK" }>): TextEvent<T> {
    if (event instanceof TextEvent) return event;
    const { kind, stripManagedFields: strip } = this.options;
    const object = strip ? stripManagedFields(event.object) : event.object;
    return new TextEvent(kind, event.type, JSON.stringify(object));
  }

  /** One watch from its opening to its end, guarded against a connection that died without a word. */
  private async follow(
    query: WatchOptions,
    signal: AbortSignal,
    each: (event: WatchEvent<T>) => void | Promise<void>,
  ): Promise<void> {
    const { client, kind, stripManagedFields: strip } = this.options;
    const asText = strip ? "without managedFields" : "whole";
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
        asText,
        signal: dead.signal,
      } as const;
      for await (const event of client.watch(kind, options)) {
        await each(event);
        await nextTurn();
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

/** Servers before 1.32, or with the feature off, refuse sendInitialEvents as invalid. */
function isUnsupported(error: unknown): boolean {
  return isApiError(error) && [400, 405, 415, 422].includes(error.code);
}
