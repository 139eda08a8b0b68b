import type { Clock } from "../api-server.ts";
import type { ResourceRegistry } from "../registry/resource-registry.ts";
import type { Store } from "../storage/store.ts";

/** What the verbs work on. */
export interface ServerCore {
  readonly store: Store;
  readonly registry: ResourceRegistry;
  readonly clock: Clock;
  /** A number in [0, 1). */
  readonly random: () => number;
  readonly uid: () => string;
}

/** A time as objects carry it: RFC 3339 with seconds. */
export function timestamp(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}
