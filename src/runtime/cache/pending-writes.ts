import type { KubeObject, Named } from "../../apimachinery/meta.ts";
import type { Clock } from "../../apimachinery/clock.ts";
import { compareResourceVersions } from "./resource-version.ts";
import { storeKey } from "./store.ts";

/** Long enough for any watch that is alive; then the store is right, whatever the server answered. */
const lifeMs = 10_000;

interface Pending<T extends KubeObject> {
  readonly object: Named<T>;
  readonly until: number;
}

/**
 * What this program has written and its own watch has not reported yet. Readers see it, so that nobody acts on a state
 * that he has just changed himself; handlers don't, so that every change still comes as an event.
 */
export class PendingWrites<T extends KubeObject> {
  private readonly clock: Clock;
  private readonly namespaces: readonly (string | undefined)[];
  private readonly pending = new Map<string, Pending<T>>();
  /** Until when objects are left out of reads, by uid: this program has let go of them. */
  private readonly gone = new Map<string, number>();
  /** The same, however old, the oldest first. */
  private readonly unreported = new Map<string, Named<T>>();
  /** The newest version that each watch has reported. */
  private readonly seen = new Map<string | undefined, string>();
  /** The version of the last whole state of each watch. */
  private readonly states = new Map<string | undefined, string>();

  constructor(clock: Clock, namespaces: readonly (string | undefined)[]) {
    this.clock = clock;
    this.namespaces = namespaces;
  }

  /** Takes the server's answer to a write; what the watch has reported already, or will never report, is left out. */
  add(object: Named<T>): void {
    if (!this.namespaces.includes(this.scopeOf(object)) || this.isReported(object)) return;
    const key = storeKey(object);
    this.pending.set(key, { object, until: this.clock.now() + lifeMs });
    this.unreported.delete(key);
    this.unreported.set(key, object);
  }

  /** The object is no more since a write of this program, whose answer has no version to tell that by. */
  addGone(key: string, uid: string | undefined): void {
    if (this.pending.get(key)?.object.metadata.uid === uid) this.pending.delete(key);
    if (uid) this.gone.set(uid, this.clock.now() + lifeMs);
  }

  /** True for an object that the store has only because its watch is behind. */
  isGone({ metadata: { uid = "" } }: Named<T>): boolean {
    if (this.gone.size === 0) return false;
    const now = this.clock.now();
    for (const [each, until] of this.gone) if (until <= now) this.gone.delete(each);
    return this.gone.has(uid);
  }

  /** The watch has reported this version. What belongs to a whole state is not reported one by one. */
  report(object: Named<T>): void {
    const { resourceVersion } = object.metadata;
    if (resourceVersion) this.sawVersion(this.scopeOf(object), resourceVersion);
  }

  /** Writes that no event of a watch has told of, which its next whole state decides about. */
  awaited(scope: string | undefined): Named<T>[] {
    return [...this.unreported.values()].filter((object) => this.scopeOf(object) === scope && !this.isReported(object));
  }

  /** A watch has taken the whole state as it was at this version. */
  replaced(scope: string | undefined, version: string): void {
    this.states.set(scope, version);
    this.sawVersion(scope, version);
  }

  /** True if the last whole state is at least as new as the object: if it wasn't there, it was gone. */
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
    // Versions that can't be compared say nothing: then the watch is believed.
    return newest !== undefined && (compareResourceVersions(newest, object.metadata.resourceVersion) ?? 0) >= 0;
  }

  private scopeOf({ metadata: { namespace } }: Named<T>): string | undefined {
    const { namespaces } = this;
    return namespaces.includes(namespace) || !namespaces.includes(undefined) ? namespace : undefined;
  }
}
