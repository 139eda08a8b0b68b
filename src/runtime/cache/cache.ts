import { cloneJson } from "../../apimachinery/clone.ts";
import { apiVersionOf, groupKindOf, type Kind } from "../../apimachinery/kind.ts";
import type { DeepReadonly, KubeList, KubeObject, ListMeta, ObjectKey, Named } from "../../apimachinery/meta.ts";
import { ApiError, failure } from "../../apimachinery/status.ts";
import type { CallOptions, Client, Deletion, ListOptions, ReadonlyListOptions, Reader } from "../../client/client.ts";
import { TsopError } from "../../errors/tsop-error.ts";
import type { Clock } from "../../apimachinery/clock.ts";
import { linkAbort, type LinkedAbort } from "../linked-abort.ts";
import { monotonicClock } from "../monotonic-clock.ts";
import type { Logger } from "../log/logger.ts";
import { Turns } from "../turns.ts";
import { untilAborted } from "../../client/transport/abortable.ts";
import type { Runnable } from "../runnable.ts";
import { Informer, type Transform } from "./informer.ts";
import { selectFrom } from "./select.ts";
import type { IndexFunction } from "./object-store.ts";
import type { WatchObserver } from "./watch-observer.ts";
import { namesOf, watchScopes, type Namespaces, type WatchScope } from "./watch-scopes.ts";

/** The objects of a kind to cache. */
export interface CacheSelection {
  /**
   * Restricts the cache to namespaces, with a watch for each: a list, or a mapping to selections of their own, in which
   * `""` stands for all other namespaces.
   */
  readonly namespaces?: Namespaces;
  readonly labels?: ListOptions["labels"];
  readonly fields?: ListOptions["fields"];
  /** Transforms objects before they are stored. */
  readonly transform?: Transform;
  /** The interval of replaying every object to the controllers; the default is 10 hours, 0 for never. */
  readonly syncPeriod?: number;
  /**
   * Removes `metadata.managedFields`, which is half of an object's size, and which only `extractApplied` reads; the default
   * is true.
   */
  readonly stripManagedFields?: boolean;
}

/** The objects to cache, for all kinds and by kind. */
export interface CacheOptions extends CacheSelection {
  /** Selections for single kinds, as a list of pairs or a map; absent settings are taken from above. */
  readonly byKind?: readonly (readonly [Kind, CacheSelection])[] | ReadonlyMap<Kind, CacheSelection>;
  /** Makes reading an unwatched kind an error instead of starting a watch. */
  readonly failOnMissingInformer?: boolean;
  /**
   * Makes reads return this program's own writes and deletions at once, even if the watch is behind; the default is
   * true.
   */
  readonly readYourWrites?: boolean;
  /**
   * Freezes objects that events and read-only lists share, so that a write to them throws. The default is true if
   * NODE_ENV is `test` or `development`, as in vitest and `tsop run --local`.
   */
  readonly freezeShared?: boolean;
  /** Called for every failure to list or watch a kind, which is also logged and retried. */
  readonly onWatchError?: (kind: Kind, error: unknown) => void;
  /** @internal Observes the watches of a kind such as `Deployment.apps`. */
  readonly observe?: ((kind: string) => WatchObserver) | undefined;
  /** @internal Returns labels that are selected in addition to the selections. */
  readonly labelsOf?: ((kind: Kind) => string | undefined) | undefined;
  /** @internal The time of loops, if others share it. */
  readonly turns?: Turns | undefined;
  /** The time that a read waits for the initial state of a kind; the default is 2 minutes. */
  readonly syncTimeout?: number;
}

const tenHours = 36_000_000;

/** Reports whether objects of a kind are many and large in most clusters. */
function isHeavy({ group, plural, projection }: Kind): boolean {
  return group === "" && (plural === "secrets" || plural === "configmaps") && projection === "full";
}

function isUnlimited({ namespace, labels, fields }: WatchScope): boolean {
  return !namespace && !labels && !fields;
}

/** The running watches of an informer. */
interface Run {
  readonly running: LinkedAbort;
  readonly done: Promise<void>;
}

/** Reads from memory, which watches keep up to date. The first read of a kind starts its watch. */
export class Cache implements Reader, Runnable {
  private readonly client: Client;
  private readonly options: CacheOptions;
  private readonly log: Logger;
  private readonly clock: Clock;
  private readonly turns: Turns;
  private readonly informers = new Map<string, Informer<KubeObject>>();
  /** Synced informers by the identity of their Kind, which most reads use. */
  private known = new WeakMap<Kind, Informer<KubeObject>>();
  private readonly running = new Map<Informer<KubeObject>, Run>();
  private signal: AbortSignal | undefined;

  constructor(client: Client, log: Logger, options: CacheOptions = {}, clock: Clock = monotonicClock) {
    this.client = client;
    this.log = log;
    this.options = options;
    this.clock = clock;
    this.turns = options.turns ?? new Turns();
  }

  async start(signal: AbortSignal): Promise<void> {
    this.signal = signal;
    for (const informer of this.informers.values()) this.run(informer, signal);
    await untilAborted(signal);
    await Promise.all([...this.running.values()].map(({ done }) => done));
  }

  /** Returns the mirror of a kind; creates it if needed. It runs with the cache; use its `waitForSync`. */
  informer<T extends KubeObject>(kind: Kind<T>): Informer<T> {
    const key = informerKey(kind);
    const known = this.informers.get(key);
    // The key contains group, version and kind, so its informer has the Kind's type.
    if (known) return known as unknown as Informer<T>;
    const informer = this.makeInformer(kind);
    const erased = informer as unknown as Informer<KubeObject>;
    this.informers.set(key, erased);
    if (this.signal) this.run(erased, this.signal);
    return informer;
  }

  /** Stops the watch of a kind and removes its objects. The next read or controller of the kind starts it again. */
  async removeInformer(kind: Kind): Promise<void> {
    const key = informerKey(kind);
    const informer = this.informers.get(key);
    if (!informer) return;
    this.informers.delete(key);
    this.known = new WeakMap();
    const run = this.running.get(informer);
    run?.running.abort();
    await run?.done;
    informer.forget();
  }

  /** @internal Removes the informer of a kind that has no handler and no index. */
  async releaseInformer(kind: Kind): Promise<void> {
    if (this.informers.get(informerKey(kind))?.isUsed === false) await this.removeInformer(kind);
  }

  /** Makes `list(kind, { fields: { [field]: value } })` find objects by the values that the function returns. */
  indexField<T extends KubeObject>(kind: Kind<T>, field: string, valuesOf: IndexFunction<T>): void {
    const { store } = this.informer(kind);
    if (store.hasIndex(`field:${field}`)) throw new TsopError("TSOP_INDEX_EXISTS", { kind: kind.kind, field });
    store.addIndex(`field:${field}`, valuesOf);
  }

  /** Resolves when every watched kind has its initial state, or when the signal aborts. */
  async waitForSync(signal: AbortSignal): Promise<boolean> {
    const synced = await Promise.all([...this.informers.values()].map((informer) => informer.waitForSync(signal)));
    return synced.every(Boolean);
  }

  /** @internal Finds a watched kind by its resource. */
  kindOf({ group, resource }: { readonly group: string; readonly resource: string }): Kind | undefined {
    return [...this.informers.values()].find(({ kind }) => kind.group === group && kind.plural === resource)?.kind;
  }

  /** The watched kinds without their initial state, such as `Deployment.apps`. */
  get unsynced(): readonly string[] {
    return [...this.informers.values()].filter(({ hasSynced }) => !hasSynced).map(({ kind }) => groupKindOf(kind));
  }

  get hasStarted(): boolean {
    return this.signal !== undefined;
  }

  async get<T extends KubeObject>(kind: Kind<T>, key: ObjectKey, options?: CallOptions): Promise<Named<T>> {
    const found = await this.getOrUndefined(kind, key, options);
    if (found) return found;
    const details = { name: key.name, group: kind.group, kind: kind.plural };
    throw new ApiError(failure("NotFound", `${resourceName(kind)} "${key.name}" not found`, details));
  }

  async getOrUndefined<T extends KubeObject>(
    kind: Kind<T>,
    key: ObjectKey,
    options: CallOptions = {},
  ): Promise<Named<T> | undefined> {
    const { store, writes } = this.knownInformer(kind) ?? (await this.synced(kind, options.signal));
    const id = storeKeyOf(kind, key);
    const fresh = writes.isEmpty ? undefined : writes.get(id);
    if (fresh) return cloneJson(fresh);
    const found = store.get(id);
    return found && !writes.isGone(found) ? found : undefined;
  }

  list<T extends KubeObject>(kind: Kind<T>, options: ReadonlyListOptions): Promise<DeepReadonly<KubeList<Named<T>>>>;
  list<T extends KubeObject>(kind: Kind<T>, options?: ListOptions): Promise<KubeList<Named<T>>>;
  async list<T extends KubeObject>(
    kind: Kind<T>,
    options: ListOptions | ReadonlyListOptions = {},
  ): Promise<KubeList<Named<T>>> {
    if (options.continue) throw new TsopError("TSOP_CACHE_CONTINUE", {});
    const informer = await this.synced(kind, options.signal);
    const items: Named<T>[] = [];
    const metadata: ListMeta = {};
    for (const object of selectFrom(informer, options)) {
      if (options.limit && items.length >= options.limit) {
        metadata.continue = "continue-not-supported";
        break;
      }
      items.push(object);
      const turn = this.turns.next();
      if (turn) await turn;
    }
    return { apiVersion: apiVersionOf(kind), kind: kind.listKind, metadata, items };
  }

  /**
   * Makes reads return an object that this program has just written, before its watch reports it. Does nothing for
   * kinds that are not cached, or only as metadata.
   */
  remember<T extends KubeObject>(kind: Kind<T>, written: Named<T>): void {
    this.writtenInformer(kind)?.remember(written);
  }

  /** @internal Hides an object from reads that this program has just deleted. */
  rememberDeletion<T extends KubeObject>(kind: Kind<T>, key: ObjectKey, answer: Deletion<T>): void {
    this.writtenInformer(kind)?.rememberDeletion(storeKeyOf(kind, key), answer);
  }

  private writtenInformer<T extends KubeObject>(kind: Kind<T>): Informer<T> | undefined {
    if (!(this.options.readYourWrites ?? true)) return undefined;
    return this.knownInformer(kind) ?? (this.informers.get(informerKey(kind)) as unknown as Informer<T> | undefined);
  }

  private run(informer: Informer<KubeObject>, signal: AbortSignal): void {
    const running = linkAbort(signal);
    const done = informer.run(running.signal).finally(() => this.running.delete(informer));
    this.running.set(informer, { running, done });
  }

  private knownInformer<T extends KubeObject>(kind: Kind<T>): Informer<T> | undefined {
    // An informer has the type of its Kind.
    return this.known.get(kind) as unknown as Informer<T> | undefined;
  }

  private async synced<T extends KubeObject>(kind: Kind<T>, signal: AbortSignal | undefined): Promise<Informer<T>> {
    if (!this.signal) throw new TsopError("TSOP_CACHE_NOT_STARTED", { kind: kind.kind });
    if (this.options.failOnMissingInformer && !this.informers.has(informerKey(kind))) {
      throw new TsopError("TSOP_KIND_NOT_CACHED", { kind: kind.kind });
    }
    const informer = this.informer(kind);
    if (!informer.hasSynced) {
      const until = signal ?? this.signal;
      await waitForSync(informer, this.options.syncTimeout ?? 120_000, until, this.clock);
      until.throwIfAborted();
    }
    // Unless it has been removed meanwhile.
    if (this.informers.get(informerKey(kind)) === (informer as unknown)) {
      this.known.set(kind, informer as unknown as Informer<KubeObject>);
    }
    return informer;
  }

  private makeInformer<T extends KubeObject>(kind: Kind<T>): Informer<T> {
    const options = this.options;
    const own = this.selectionOf(kind);
    if (namesOf(own?.namespaces).length > 0 && kind.scope === "Cluster") {
      throw new TsopError("TSOP_CACHE_NAMESPACES", { kind: kind.kind });
    }
    const selection = { ...options, ...own };
    const { transform, syncPeriod = tenHours } = selection;
    const scopes = watchScopes(kind, selection, options.labelsOf?.(kind));
    if (!own && !transform && isHeavy(kind) && scopes.some(isUnlimited))
      this.log.info("The cache holds all objects of a kind that may be large", {
        kind: groupKindOf(kind),
        hint: "read it from the server (client.cache.disableFor), or select some by labels, fields or namespaces (cache.byKind)",
      });
    return new Informer<T>({
      client: this.client,
      kind,
      scopes,
      stripManagedFields: selection.stripManagedFields ?? true,
      freezeShared: options.freezeShared ?? false,
      transform: transform as Transform<T> | undefined,
      log: this.log,
      clock: this.clock,
      turns: this.turns,
      // At random, so that the kinds do not resync together.
      resyncMs: syncPeriod * (0.9 + Math.random() * 0.2),
      onError: (error) => options.onWatchError?.(kind, error),
      observer: options.observe?.(groupKindOf(kind)),
    });
  }

  private selectionOf(kind: Kind): CacheSelection | undefined {
    for (const [candidate, selection] of this.options.byKind ?? []) {
      if (groupKindOf(candidate) === groupKindOf(kind)) return selection;
    }
    return undefined;
  }
}

type AnyInformer = Pick<Informer<KubeObject>, "kind" | "hasSynced" | "lastError" | "waitForSync">;

/** Waits for the initial state. Throws an error after the time limit; the caller handles an abort. */
export async function waitForSync(
  informer: AnyInformer,
  limitMs: number,
  signal: AbortSignal,
  clock: Clock,
): Promise<void> {
  const waiting = linkAbort(signal);
  const cancel = clock.after(limitMs, () => waiting.abort());
  const synced = await informer.waitForSync(waiting.signal);
  cancel();
  waiting.release();
  if (!synced && !signal.aborted) throw notSynced(informer, limitMs);
}

/** Creates the error for a kind without an initial state; it includes the last failure. */
function notSynced({ kind, lastError: cause }: AnyInformer, limitMs: number): TsopError {
  const reason = cause instanceof Error ? cause.message : "the server has not answered";
  const params = { kinds: groupKindOf(kind), seconds: limitMs / 1000, reason };
  return new TsopError("TSOP_CACHE_NOT_SYNCED", params, { cause });
}

function storeKeyOf(kind: Kind, { namespace, name }: ObjectKey): string {
  return kind.scope === "Namespaced" && namespace ? `${namespace}/${name}` : name;
}

function informerKey(kind: Kind): string {
  return `${kind.projection}/${kind.version}/${groupKindOf(kind)}`;
}

function resourceName(kind: Kind): string {
  return kind.group ? `${kind.plural}.${kind.group}` : kind.plural;
}
