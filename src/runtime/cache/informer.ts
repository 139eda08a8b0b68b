import { cloneJson } from "../../apimachinery/clone.ts";
import { freezeJson } from "../../apimachinery/freeze.ts";
import { groupKindOf, type Kind } from "../../apimachinery/kind.ts";
import type { KubeObject, Named } from "../../apimachinery/meta.ts";
import { parseLabelSelector } from "../../apimachinery/selectors.ts";
import { isStatus } from "../../apimachinery/status.ts";
import type { Client, Deletion } from "../../client/client.ts";
import { alreadyParsed, readObject, type LazyObject } from "../../client/calls/lazy-object.ts";
import type { Clock } from "../../apimachinery/clock.ts";
import { Latch } from "../latch.ts";
import type { Logger } from "../log/logger.ts";
import { Turns } from "../turns.ts";
import { PendingWrites } from "./pending-writes.ts";
import { Reflector, type Change, type ReflectorTarget } from "./reflector.ts";
import { Store, storeKey } from "./object-store.ts";
import type { WatchObserver } from "./watch-observer.ts";
import type { WatchScope } from "./watch-scopes.ts";

/** Handles changes that are already in the store. It must not block and must not change the objects. */
export interface InformerHandler<T extends KubeObject> {
  add(object: Named<T>, isInInitialList: boolean): void;
  update(old: Named<T>, object: Named<T>): void;
  /** `stateUnknown` is true if the deletion was missed; the object is the last known state. */
  delete(object: Named<T>, stateUnknown: boolean): void;
}

/** An InformerHandler that parses an object only if it reads more than its metadata. */
export interface LazyHandler<T extends KubeObject> {
  add(object: LazyObject<T>, isInInitialList: boolean): void;
  update(old: Named<T>, object: LazyObject<T>): void;
  delete(object: LazyObject<T>, stateUnknown: boolean): void;
}

/** Returns the object to store; it may change its argument. */
export type Transform<T extends KubeObject = KubeObject> = (object: Named<T>) => Named<T>;

export interface InformerOptions<T extends KubeObject> {
  readonly client: Client;
  readonly kind: Kind<T>;
  /** One watch for each. */
  readonly scopes: readonly WatchScope[];
  /** Removes `metadata.managedFields`. */
  readonly stripManagedFields?: boolean;
  /** Freezes shared objects. */
  readonly freezeShared?: boolean;
  /** Transforms every object before it is stored. */
  readonly transform?: Transform<T> | undefined;
  readonly log: Logger;
  readonly clock: Clock;
  /** The time of loops, if others share it. */
  readonly turns?: Turns;
  /** The interval of replaying the store to all handlers; 0 for never. */
  readonly resyncMs: number;
  /** Called for every failure of a watch. */
  readonly onError?: (error: unknown) => void;
  readonly observer?: WatchObserver | undefined;
}

interface Registration<T extends KubeObject> {
  readonly handler: LazyHandler<T>;
  /** The keys that it has not received yet. */
  readonly unseen: Set<string>;
}

/** The mirror of a kind: a store, the watches that fill it, and the handlers of its changes. */
export class Informer<T extends KubeObject> {
  readonly kind: Kind<T>;
  /** @internal */
  readonly store: Store<T>;
  /** @internal Writes that readers see before the store has them. */
  readonly writes: PendingWrites<T>;
  /** @internal True if all that need the kind work without it, as long as the server does not serve it. */
  isOptional = false;
  private readonly options: InformerOptions<T>;
  private readonly handlers = new Map<InformerHandler<T> | LazyHandler<T>, Registration<T>>();
  private readonly unsynced: Set<string | undefined>;
  private readonly sync = new Latch();
  private readonly turns: Turns;
  private failure: unknown;

  constructor(options: InformerOptions<T>) {
    this.options = options;
    this.kind = options.kind;
    this.turns = options.turns ?? new Turns();
    this.store = new Store<T>((text) => readObject(options.kind, text), options.freezeShared);
    const namespaces = options.scopes.map(({ namespace }) => namespace);
    this.writes = new PendingWrites<T>(options.clock, namespaces);
    this.unsynced = new Set(namespaces);
  }

  /** @internal False if no handler and no index needs it, at most readers. */
  get isUsed(): boolean {
    return this.handlers.size > 0 || this.store.hasIndexes;
  }

  get hasSynced(): boolean {
    return this.sync.isOpen;
  }

  /** The last failure of a watch, to explain why the informer is not in sync. */
  get lastError(): unknown {
    return this.failure;
  }

  /** Adds a handler. It receives the stored objects as the initial list; resolves when it has received all. */
  addHandler(handler: InformerHandler<T>): Promise<void> {
    return this.register(handler, {
      add: (object, isInInitialList) => handler.add(object.whole, isInInitialList),
      update: (old, object) => handler.update(old, object.whole),
      delete: (object, stateUnknown) => handler.delete(object.whole, stateUnknown),
    });
  }

  /** @internal `addHandler` until the signal aborts, for a handler that often needs only metadata. */
  addLazyHandler(handler: LazyHandler<T>, signal: AbortSignal): Promise<void> {
    signal.addEventListener("abort", () => this.handlers.delete(handler), { once: true });
    return this.register(handler, handler);
  }

  private async register(key: InformerHandler<T> | LazyHandler<T>, handler: LazyHandler<T>): Promise<void> {
    const unseen = new Set(this.store.keys());
    this.handlers.set(key, { handler, unseen });
    for (const stored of unseen) {
      if (!this.handlers.has(key)) return;
      unseen.delete(stored);
      const object = alreadyParsed(this.shared(this.store.get(stored)!));
      this.tell(() => handler.add(object, true));
      await this.turns.next();
    }
  }

  removeHandler(handler: InformerHandler<T>): void {
    this.handlers.delete(handler);
  }

  /** Resolves with true once the initial state is stored, with false if the signal aborts before. */
  waitForSync(signal: AbortSignal): Promise<boolean> {
    return this.sync.wait(signal);
  }

  /** Adds the server's response to a write of this program. */
  remember(written: Named<T>): void {
    const strip = this.options.stripManagedFields;
    if (!this.selects(written)) return this.writes.forget(storeKey(written));
    if (hasLetGo(this.kind, written)) return this.writes.addGone(storeKey(written), written.metadata.uid);
    const { managedFields: _unused, ...metadata } = written.metadata;
    const copy = cloneJson(strip ? { ...written, metadata } : written);
    const object = this.prepared(alreadyParsed(copy)).whole;
    if (this.isLost(object)) this.tellLost(object);
    else this.writes.add(object);
  }

  /** Reports whether a watch selects the object. Only the server can match a new object with a field selector. */
  private selects(object: Named<T>): boolean {
    const { scopes } = this.options;
    const { namespace, labels = {} } = object.metadata;
    const scope = scopes.find((each) => each.namespace === namespace) ?? scopes.find((each) => !each.namespace);
    if (!scope || (scope.labels && !parseLabelSelector(scope.labels).matches(labels))) return false;
    return !scope.fields || this.store.has(storeKey(object));
  }

  /** @internal Adds the server's response to a deletion by this program. */
  rememberDeletion(key: string, answer: Deletion<T>): void {
    if (isStatus(answer)) return this.writes.addGone(key, answer.details?.uid);
    // With a deletion timestamp it exists until its finalizers and grace period are over.
    if (answer.metadata.deletionTimestamp) this.remember(answer);
    else this.writes.addGone(key, answer.metadata.uid);
  }

  async run(signal: AbortSignal): Promise<void> {
    const stopResync = this.resyncLater();
    try {
      await Promise.all(this.options.scopes.map((scope) => this.reflect(scope, signal)));
    } finally {
      stopResync();
      this.options.observer?.stored(-this.store.size);
    }
  }

  /** @internal Removes its metrics, after it was removed from its cache. */
  forget(): void {
    this.options.observer?.forget();
  }

  private reflect({ namespace, labels, fields }: WatchScope, signal: AbortSignal): Promise<void> {
    const { client, kind, stripManagedFields, log, clock, observer } = this.options;
    const target = this.targetOf(namespace);
    const onError = (error: unknown): void => {
      this.failure = error;
      this.options.onError?.(error);
    };
    const isOptional = (): boolean => this.isOptional;
    const selection = { namespace, labels, fields, stripManagedFields: stripManagedFields ?? false };
    const { turns } = this;
    const parts = { client, kind, ...selection, log, clock, turns, target, onError, observer, isOptional };
    return new Reflector(parts).run(signal);
  }

  private targetOf(namespace: string | undefined): ReflectorTarget<T> {
    /** During a complete state: stored objects that it has not contained so far. */
    let missing: Set<string> | undefined;
    return {
      begin: () => {
        missing = this.keysOf(namespace);
      },
      change: (change) => {
        if (missing) this.writes.show(change.object);
        else this.writes.report(change.object);
        const key = storeKey(change.object);
        if (change.type === "DELETED") return this.drop(key, false, change.object);
        missing?.delete(key);
        this.put(key, change, this.unsynced.has(namespace));
      },
      complete: (version) => {
        for (const key of missing ?? []) this.drop(key, true);
        missing = undefined;
        const awaited = this.writes.awaited(namespace);
        this.writes.replaced(namespace, version);
        for (const object of awaited) if (this.isLost(object)) this.tellLost(object);
        this.failure = undefined;
        this.unsynced.delete(namespace);
        if (this.unsynced.size === 0) this.sync.open();
      },
    };
  }

  /** Returns the keys of the objects of one watch. */
  private keysOf(namespace: string | undefined): Set<string> {
    const keys = new Set(this.store.keys(namespace));
    if (namespace !== undefined) return keys;
    for (const { namespace: other } of this.options.scopes) {
      if (other !== undefined) for (const key of this.store.keys(other)) keys.delete(key);
    }
    return keys;
  }

  /** Returns the object as the store and the handlers receive it. */
  private prepared(received: LazyObject<T>): LazyObject<T> {
    const { transform, freezeShared } = this.options;
    const object = transform ? alreadyParsed(transform(received.whole)) : received;
    if (freezeShared) freezeJson(object.whole);
    return object;
  }

  private put(key: string, change: Change<T>, initial: boolean): void {
    const object = this.prepared(change.object);
    const old = this.store.set(key, object);
    if (old) this.shared(old);
    else this.options.observer?.stored(1);
    for (const { handler, unseen } of this.handlers.values()) {
      if (!old || unseen.delete(key)) this.tell(() => handler.add(object, initial || old !== undefined));
      // A list repeats known objects; only a resync reports them again.
      else if (old.metadata.resourceVersion !== object.metadata.resourceVersion) {
        this.tell(() => handler.update(old, object));
      }
    }
  }

  private drop(key: string, stateUnknown: boolean, last?: LazyObject<T>): void {
    const old = this.store.delete(key);
    if (!old) return;
    this.options.observer?.stored(-1);
    const object = last ? this.prepared(last) : alreadyParsed(this.shared(old));
    for (const { handler, unseen } of this.handlers.values()) {
      if (!unseen.delete(key)) this.tell(() => handler.delete(object, stateUnknown));
    }
  }

  /** Reports whether this program created the object and it was deleted before a watch reported it. */
  private isLost(object: Named<T>): boolean {
    return !this.store.has(storeKey(object)) && this.writes.isBeforeState(object);
  }

  /** Reports the deletion to the handlers: the controller that created the object must see it. */
  private tellLost(object: Named<T>): void {
    const lost = alreadyParsed(object);
    for (const { handler } of this.handlers.values()) this.tell(() => handler.delete(lost, true));
  }

  private resyncLater(): () => void {
    const { resyncMs, clock } = this.options;
    if (resyncMs <= 0) return () => undefined;
    let stopped = false;
    const resync = async (): Promise<void> => {
      for (const key of this.store.keys()) {
        const object = this.shared(this.store.get(key));
        const unchanged = object && alreadyParsed(object);
        for (const { handler, unseen } of this.handlers.values()) {
          if (unchanged && !unseen.has(key)) this.tell(() => handler.update(object, unchanged));
        }
        await this.turns.next();
        if (stopped) return;
      }
      again();
    };
    let cancel = (): void => undefined;
    const again = (): void => {
      cancel = clock.after(resyncMs, () => void resync());
    };
    again();
    return () => {
      stopped = true;
      cancel();
    };
  }

  private shared<Value>(object: Value): Value {
    return this.options.freezeShared ? freezeJson(object) : object;
  }

  /** Calls a handler. Its failure must not stop the watch or hide the change from others. */
  private tell(deliver: () => void): void {
    try {
      deliver();
    } catch (error) {
      this.options.log.error(error, "An event handler failed");
    }
  }
}

/**
 * Reports whether a write removed the last finalizer of a deleted object: the server then returns the sent object with
 * its old version, and the object no longer exists. Namespaces have other finalizers, and pods can have a grace period.
 */
function hasLetGo(kind: Kind, { metadata }: Named): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds, finalizers } = metadata;
  if (!deletionTimestamp || deletionGracePeriodSeconds || finalizers?.length) return false;
  return groupKindOf(kind) !== "Namespace";
}
