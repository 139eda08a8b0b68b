import { cloneJson } from "../../apimachinery/clone.ts";
import type { Kind } from "../../apimachinery/kind.ts";
import type { KubeObject, WatchEvent } from "../../apimachinery/meta.ts";
import type { Client } from "../../client/client.ts";
import type { Clock } from "../clock.ts";
import type { Logger } from "../log/logger.ts";
import { PendingWrites } from "./pending-writes.ts";
import { Reflector } from "./reflector.ts";
import { Store, storeKey } from "./store.ts";

/** Hears of changes after the store has them. It must not block and must not change the objects. */
export interface InformerHandler<T extends KubeObject> {
  add(object: T, isInInitialList: boolean): void;
  update(old: T, object: T): void;
  /** `stateUnknown`: the deletion itself was missed, and this is the last state that was seen. */
  delete(object: T, stateUnknown: boolean): void;
}

export type Transform<T extends KubeObject = KubeObject> = (object: T) => T;

export interface InformerOptions<T extends KubeObject> {
  readonly client: Client;
  readonly kind: Kind<T>;
  /** One watch for each; `undefined` is all namespaces. */
  readonly namespaces: readonly (string | undefined)[];
  readonly labels?: string | undefined;
  readonly fields?: string | undefined;
  /** Runs on every object before it is stored. */
  readonly transform: Transform<T>;
  readonly log: Logger;
  readonly clock: Clock;
  /** Replays the store to all handlers this often; 0 is never. */
  readonly resyncMs: number;
}

/** The mirror of one kind: a store, the watches that fill it, and the handlers that hear of changes. */
export class Informer<T extends KubeObject> {
  readonly kind: Kind<T>;
  readonly store: Store<T> = new Store<T>();
  /** What readers should see although the store does not have it yet. */
  readonly writes: PendingWrites<T>;
  private readonly options: InformerOptions<T>;
  private readonly handlers = new Set<InformerHandler<T>>();
  private readonly unsynced: Set<string | undefined>;
  private readonly syncWaiters = new Set<() => void>();
  private failure: unknown;

  constructor(options: InformerOptions<T>) {
    this.options = options;
    this.kind = options.kind;
    this.writes = new PendingWrites<T>(options.clock, options.namespaces);
    this.unsynced = new Set(options.namespaces);
  }

  get hasSynced(): boolean {
    return this.unsynced.size === 0;
  }

  /** The last failure of a watch; kept to say why the informer is not in sync. */
  get lastError(): unknown {
    return this.failure;
  }

  /** What is in the store already comes as additions of the initial list. */
  addHandler(handler: InformerHandler<T>): void {
    for (const object of this.store.values()) handler.add(object, true);
    this.handlers.add(handler);
  }

  removeHandler(handler: InformerHandler<T>): void {
    this.handlers.delete(handler);
  }

  /** Resolves with true once the initial state is in the store, with false when the signal aborts before. */
  waitForSync(signal: AbortSignal): Promise<boolean> {
    if (this.hasSynced || signal.aborted) return Promise.resolve(this.hasSynced);
    return new Promise((resolve) => {
      const finish = (): void => {
        this.syncWaiters.delete(finish);
        signal.removeEventListener("abort", finish);
        resolve(this.hasSynced);
      };
      this.syncWaiters.add(finish);
      signal.addEventListener("abort", finish);
    });
  }

  /** Takes the server's answer to a write of this program. */
  remember(written: T): void {
    const { labels, fields, transform } = this.options;
    // With a selection only the server knows whether a new object belongs to it.
    const selected = (!labels && !fields) || this.store.get(storeKey(written)) !== undefined;
    if (this.hasSynced && selected) this.writes.add(transform(cloneJson(written)));
  }

  async run(signal: AbortSignal): Promise<void> {
    const stopResync = this.resyncLater();
    try {
      await Promise.all(this.options.namespaces.map((namespace) => this.reflect(namespace, signal)));
    } finally {
      stopResync();
    }
  }

  private reflect(namespace: string | undefined, signal: AbortSignal): Promise<void> {
    const { client, kind, labels, fields, log, clock } = this.options;
    const target = {
      replace: (objects: readonly T[]) => this.replace(namespace, objects),
      change: (event: Exclude<WatchEvent<T>, { type: "BOOKMARK" }>) => this.change(event),
    };
    const onError = (error: unknown): void => {
      this.failure = error;
    };
    return new Reflector({ client, kind, namespace, labels, fields, log, clock, target, onError }).run(signal);
  }

  private replace(namespace: string | undefined, objects: readonly T[]): void {
    const initial = this.unsynced.has(namespace);
    const gone = new Set<string>();
    for (const object of namespace === undefined ? this.store.values() : this.store.inNamespace(namespace)) {
      gone.add(storeKey(object));
    }
    for (const object of objects) {
      gone.delete(storeKey(object));
      this.put(object, initial);
    }
    for (const key of gone) this.drop(key, true);
    this.failure = undefined;
    this.unsynced.delete(namespace);
    if (this.hasSynced) for (const finish of this.syncWaiters) finish();
  }

  private change(event: Exclude<WatchEvent<T>, { type: "BOOKMARK" }>): void {
    if (event.type === "DELETED") this.drop(storeKey(event.object), false, event.object);
    else this.put(event.object, false);
  }

  private put(received: T, initial: boolean): void {
    const object = this.options.transform(received);
    const old = this.store.set(object);
    this.writes.report(object);
    for (const handler of this.handlers) {
      if (!old) this.tell(() => handler.add(object, initial));
      // A relist repeats what is known already; only a resync tells that again.
      else if (old.metadata.resourceVersion !== object.metadata.resourceVersion) {
        this.tell(() => handler.update(old, object));
      }
    }
  }

  private drop(key: string, stateUnknown: boolean, last?: T): void {
    if (last) this.writes.report(last);
    const old = this.store.delete(key);
    if (!old) return;
    const object = last ? this.options.transform(last) : old;
    for (const handler of this.handlers) this.tell(() => handler.delete(object, stateUnknown));
  }

  private resyncLater(): () => void {
    const { resyncMs, clock } = this.options;
    if (resyncMs <= 0) return () => undefined;
    const resync = (): void => {
      for (const object of this.store.values()) {
        for (const handler of this.handlers) this.tell(() => handler.update(object, object));
      }
      cancel = clock.after(resyncMs, resync);
    };
    let cancel = clock.after(resyncMs, resync);
    return () => cancel();
  }

  /** One handler's failure must not stop the watch, or hide the change from the others. */
  private tell(deliver: () => void): void {
    try {
      deliver();
    } catch (error) {
      this.options.log.error(error, "An event handler failed");
    }
  }
}
