import type { KubeObject, Named } from "../../apimachinery/meta.ts";
import type { Clock } from "../../apimachinery/clock.ts";
import { compareResourceVersions } from "./resource-version.ts";
import { storeKey } from "./object-store.ts";

/** Longer than any live watch is behind; then the store is authoritative. */
const lifeMs = 10_000;

/** An object of a watch, of which only the metadata counts here. */
type Seen = Pick<Named, "metadata">;

interface Pending<T extends KubeObject> {
  readonly object: Named<T>;
  readonly until: number;
}

/**
 * Writes of this program that its own watch has not reported yet. Readers see them, so that no reconcile acts on a
 * state that the program itself has changed. Handlers do not, so that every change still causes an event.
 */
export class PendingWrites<T extends KubeObject> {
  private readonly clock: Clock;
  private readonly namespaces: readonly (string | undefined)[];
  private readonly pending = new Map<string, Pending<T>>();
  /** The time until which deleted objects are hidden from reads, by uid. */
  private readonly gone = new Map<string, number>();
  /** Unreported writes of any age, the oldest first. */
  private readonly unreported = new Map<string, Named<T>>();
  /** The newest version that each watch has reported. */
  private readonly seen = new Map<string | undefined, string>();
  /** The version of the last complete list of each watch. */
  private readonly states = new Map<string | undefined, string>();

  constructor(clock: Clock, namespaces: readonly (string | undefined)[]) {
    this.clock = clock;
    this.namespaces = namespaces;
  }

  /** Adds the server's response to a write, unless the watch has already reported it or never will. */
  add(object: Named<T>): void {
    if (!this.namespaces.includes(this.scopeOf(object)) || this.isReported(object)) return;
    const key = storeKey(object);
    this.pending.set(key, { object, until: this.clock.now() + lifeMs });
    this.unreported.delete(key);
    this.unreported.set(key, object);
  }

  /** Removes the pending write of an object that no watch selects any more. */
  forget(key: string): void {
    this.pending.delete(key);
    this.unreported.delete(key);
  }

  /** Records that a write of this program deleted the object, whose response has no version to compare. */
  addGone(key: string, uid: string | undefined): void {
    if (this.pending.get(key)?.object.metadata.uid === uid) this.pending.delete(key);
    if (uid) this.gone.set(uid, this.clock.now() + lifeMs);
  }

  /** Reports whether the store contains the object only because its watch is behind. */
  isGone({ metadata: { uid = "" } }: Named<T>): boolean {
    if (this.gone.size === 0) return false;
    const now = this.clock.now();
    for (const [each, until] of this.gone) if (until <= now) this.gone.delete(each);
    return this.gone.has(uid);
  }

  /**
   * Ends a pending write whose object a list shows in that state or a later one. The handlers learn of it at once, and
   * no other event follows: they must not read the older state.
   */
  show(object: Seen): void {
    const key = storeKey(object);
    const pending = this.pending.get(key);
    if (!pending) return;
    const order = compareResourceVersions(object.metadata.resourceVersion, pending.object.metadata.resourceVersion);
    if ((order ?? 0) >= 0) this.pending.delete(key);
  }

  /** Records that the watch reported this version. Objects of a list are not reported one by one. */
  report(object: Seen): void {
    const { resourceVersion } = object.metadata;
    if (resourceVersion) this.sawVersion(this.scopeOf(object), resourceVersion);
  }

  /** Returns the writes without an event yet, which the next complete list decides about. */
  awaited(scope: string | undefined): Named<T>[] {
    return [...this.unreported.values()].filter((object) => this.scopeOf(object) === scope && !this.isReported(object));
  }

  /** Records that a watch listed the complete state at this version. */
  replaced(scope: string | undefined, version: string): void {
    this.states.set(scope, version);
    this.sawVersion(scope, version);
  }

  /** Reports whether the last list is at least as new as the object: if it lacked the object, the object is deleted. */
  isBeforeState(object: Named<T>): boolean {
    const { resourceVersion } = object.metadata;
    return (compareResourceVersions(this.states.get(this.scopeOf(object)), resourceVersion) ?? -1) >= 0;
  }

  get isEmpty(): boolean {
    if (this.pending.size > 0) this.clear();
    return this.pending.size === 0;
  }

  get(key: string): Named<T> | undefined {
    return this.pending.get(key)?.object;
  }

  *values(): Generator<Named<T>> {
    for (const { object } of this.pending.values()) yield object;
  }

  private sawVersion(scope: string | undefined, version: string): void {
    const newest = this.seen.get(scope);
    if (newest === undefined || (compareResourceVersions(version, newest) ?? 1) > 0) this.seen.set(scope, version);
    if (this.unreported.size > 0) this.clear();
  }

  private clear(): void {
    const now = this.clock.now();
    for (const [key, object] of this.unreported) {
      if (!this.isReported(object)) break;
      this.unreported.delete(key);
    }
    for (const [key, { object, until }] of this.pending) {
      if (until <= now || this.isReported(object)) this.pending.delete(key);
    }
  }

  private isReported(object: Named<T>): boolean {
    const newest = this.seen.get(this.scopeOf(object));
    // For versions that cannot be compared, the watch is authoritative.
    return newest !== undefined && (compareResourceVersions(newest, object.metadata.resourceVersion) ?? 0) >= 0;
  }

  private scopeOf({ metadata: { namespace } }: Seen): string | undefined {
    const namespaces = this.namespaces;
    return namespaces.includes(namespace) || !namespaces.includes(undefined) ? namespace : undefined;
  }
}
