import { isApiError, type Status } from "../../../apimachinery/status.ts";
import { systemClock } from "../../../apimachinery/clock.ts";
import { apiVersionOf } from "../../../apimachinery/kind.ts";
import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import type { StoredEvent } from "../../storage/event-ring.ts";
import { expired, internalError } from "../../refusals.ts";
import type { Answer, EventFormat, Call } from "../request/call.ts";
import { refuseFuture, readWatchOptions, type WatchOptions } from "../request/read-options.ts";
import { setImmediate as nextTurn } from "node:timers/promises";

/** Time between bookmarks, short enough for clients that cut a stream after 30 silent seconds. */
const bookmarkInterval = 20_000;
/** Time between the last bookmark and the end of a watch, so that the client can continue from it. */
const lastBookmarkAhead = 2_000;

/** Watches a collection: the current objects, unless a version is named, then every change. */
export function watch(call: Call, cutAfter?: number): Answer {
  const options = { ...readWatchOptions(call), cutAfter };
  return { type: "watch", stream: (format) => new Watch(call, options, format).open() };
}

class Watch {
  private readonly call: Call;
  private readonly options: WatchOptions & { readonly cutAfter: number | undefined };
  private readonly format: EventFormat;
  private readonly prefix: string;
  private readonly lines = new LineQueue();
  private sent = 0;
  private isFirst = true;
  /** If a webhook converts, later events wait here for earlier ones. */
  private turn: Promise<void> = Promise.resolve();

  constructor(call: Call, options: WatchOptions & { readonly cutAfter: number | undefined }, format: EventFormat) {
    this.call = call;
    this.options = options;
    this.format = format;
    this.prefix = call.namespace ? `${call.namespace}/` : "";
  }

  open(): AsyncIterable<string> {
    const { collection, request } = this.call;
    const missed = this.initial();
    if (!missed) return this.lines;
    for (const event of missed) this.receive(event);
    this.whenReadable([], () => this.lines.limit());
    const stop = collection.listen(
      (event) => this.receive(event),
      () => this.lines.end(),
    );
    const timers = this.startTimers();
    request.signal.addEventListener("abort", () => this.lines.end(), { once: true });
    this.lines.onEnd(() => {
      stop();
      for (const cancel of timers) cancel();
    });
    if (request.signal.aborted) this.lines.end();
    return this.lines;
  }

  /** Returns the events since the requested version; `undefined` after an error has ended the stream. */
  private initial(): StoredEvent[] | undefined {
    const { collection } = this.call;
    const { since, initialEvents, bookmarks } = this.options;
    if (!initialEvents) {
      const missed = collection.history.after(since);
      if (!missed) this.fail(expired(`too old resource version: ${since} (${this.call.core.store.revision})`).status);
      return missed;
    }
    const ahead = aheadOf(this.call, since);
    if (ahead) {
      this.fail(ahead);
      return undefined;
    }
    const present = [...collection.entries(this.prefix)].map(([, stored]) => stored);
    this.whenReadable(present, () => {
      for (const stored of present) {
        const object = this.call.entry.read(stored);
        if (this.options.matches(object)) this.push("ADDED", object);
      }
    });
    if (bookmarks) this.bookmark({ "k8s.io/initial-events-end": "true" });
    return [];
  }

  private receive(event: StoredEvent): void {
    const { object, previous, revision } = event;
    // The client may have named a version of the future.
    if (revision <= this.options.since) return;
    this.whenReadable(previous ? [object, previous] : [object], () => this.deliver(event));
  }

  /** Calls `next` once the objects can be read: at once, or when the webhook has converted them. */
  private whenReadable(stored: readonly UnstructuredObject[], next: () => void): void {
    const { entry } = this.call;
    if (!entry.load) next();
    else
      this.turn = Promise.all([this.turn, entry.load(stored)])
        .then(next)
        .catch((error: unknown) => this.fail(statusOf(error)));
  }

  private deliver(event: StoredEvent): void {
    if (!event.key.startsWith(this.prefix)) return;
    const { entry } = this.call;
    const object = entry.read(event.object);
    const now = event.type !== "DELETED" && this.options.matches(object);
    const before = event.previous !== undefined && this.options.matches(entry.read(event.previous));
    if (!now && !before) return;
    const type = now ? (before ? "MODIFIED" : "ADDED") : "DELETED";
    // An object that no longer matches is sent in its previous state, with the version of the change.
    const shown =
      now || event.type === "DELETED" ? object : this.deselected(entry.read(event.previous!), event.revision);
    this.push(type, shown);
  }

  private deselected(object: UnstructuredObject, revision: number): UnstructuredObject {
    const resourceVersion = String(revision);
    return this.call.core.deselected.get(object, resourceVersion, () =>
      Object.freeze({ ...object, metadata: { ...object.metadata, resourceVersion } }),
    );
  }

  private push(type: string, object: UnstructuredObject): void {
    this.write(type, object);
    if (++this.sent === this.options.cutAfter) this.lines.end();
  }

  private bookmark(annotations?: Record<string, string>): void {
    const { resource } = this.call.entry;
    const { revision } = this.call.core.store;
    if (revision < this.options.since) return;
    const metadata = {
      resourceVersion: String(revision),
      ...(annotations && { annotations }),
    };
    const object = { kind: resource.kind, apiVersion: apiVersionOf(resource), metadata };
    this.whenReadable([], () => this.write("BOOKMARK", object));
  }

  private fail(status: Status): void {
    this.lines.push(this.format.error(status));
    this.lines.end();
  }

  private write(type: string, object: UnstructuredObject): void {
    const line = this.format.event(type, object, this.isFirst);
    if (line === undefined) return this.lines.end();
    this.lines.push(line);
    this.isFirst = false;
  }

  /** Starts the timers of the connection. They follow real time, as its client does, whatever clock the server has. */
  private startTimers(): (() => void)[] {
    const clock = systemClock();
    const { timeout, bookmarks } = this.options;
    let cancelTick = (): void => undefined;
    const tick = (): void => {
      this.bookmark();
      cancelTick = clock.after(bookmarkInterval, tick);
    };
    if (timeout === Infinity) return [];
    const timers = [clock.after(timeout, () => this.lines.end()), () => cancelTick()];
    if (!bookmarks || this.call.core.host.endlessWatches) return timers;
    cancelTick = clock.after(bookmarkInterval, tick);
    if (timeout > lastBookmarkAhead) timers.push(clock.after(timeout - lastBookmarkAhead, () => this.bookmark()));
    return timers;
  }
}

/** Returns the refusal of a state that does not exist yet. */
function aheadOf(call: Call, since: number): Status | undefined {
  try {
    refuseFuture(call, since);
    return undefined;
  } catch (error) {
    return statusOf(error);
  }
}

function statusOf(error: unknown): Status {
  return (isApiError(error) ? error : internalError(String(error))).status;
}

/** The most waiting lines of changes, and the most characters in them. A client that does not read them has to list again. */
const longestBacklog = 20_000;
const largestBacklog = 32 * 1024 * 1024;
/** Lines that are one chunk: the text of all objects may be longer than a string can be. */
const chunkLines = 1_000;

/** A queue of lines from a producer that never waits to one consumer. */
class LineQueue implements AsyncIterable<string> {
  private lines: string[] = [];
  private most = Infinity;
  private size = 0;
  private mostSize = Infinity;
  private ended = false;
  private wake: (() => void) | undefined;
  private cleanUp: (() => void) | undefined;

  push(line: string): void {
    if (this.ended) return;
    this.size += line.length;
    if (this.lines.length >= this.most || this.size > this.mostSize) this.end();
    // A literal is as large as it must be; the first push into an empty array makes room for 16 more.
    else if (this.lines.length === 0) this.lines = [line];
    else this.lines.push(line);
    this.wake?.();
  }

  /** Limits the lines from now on. Those that wait already, the initial state, are sent however many they are. */
  limit(): void {
    this.most = this.lines.length + longestBacklog;
    this.mostSize = this.size + largestBacklog;
  }

  /** Ends the queue after the lines that were pushed before. */
  end(): void {
    if (this.ended) return;
    this.ended = true;
    this.cleanUp?.();
    this.wake?.();
  }

  /** Calls back once when the queue ends. */
  onEnd(cleanUp: () => void): void {
    if (this.ended) cleanUp();
    else this.cleanUp = cleanUp;
  }

  /** Yields the waiting lines, many in a chunk: those of a turn of the event loop are sent together. */
  async *[Symbol.asyncIterator](): AsyncGenerator<string> {
    try {
      for (;;) {
        if (this.lines.length) {
          const { lines } = this;
          this.lines = [];
          this.size = 0;
          if (this.most < Infinity) [this.most, this.mostSize] = [longestBacklog, largestBacklog];
          if (lines.length <= chunkLines) yield lines.length === 1 ? lines[0]! : lines.join("");
          else for (let at = 0; at < lines.length; at += chunkLines) yield lines.slice(at, at + chunkLines).join("");
        } else if (this.ended) return;
        else {
          await new Promise<void>((resolve) => (this.wake = resolve));
          // The response to the request that changed an object is written at the end of its turn, and goes first: its
          // client sends the next request while the watchers get their lines.
          await nextTurn();
          await nextTurn();
        }
      }
    } finally {
      this.end();
    }
  }
}
