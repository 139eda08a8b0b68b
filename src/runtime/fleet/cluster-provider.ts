import type { ClientConfig } from "../../client/config/config.ts";

/** Provides the clusters of a fleet. */
export interface ClusterProvider {
  /**
   * Yields the clusters that exist, then `listed`, then every change until the signal aborts. If it throws, the fleet
   * keeps its clusters and calls it again after a while.
   *
   * @example
   * const two: ClusterProvider = {
   *   async *watch() {
   *     yield { type: "cluster", name: "east", config: await loadConfig({ context: "east" }) };
   *     yield { type: "cluster", name: "west", config: await loadConfig({ context: "west" }) };
   *     yield { type: "listed" };
   *   },
   * };
   */
  watch(signal: AbortSignal): AsyncIterable<FleetChange>;
}

/** A change of the clusters that exist. Names are unique: a second configuration for a name replaces the first. */
export type FleetChange =
  /** A cluster exists, or has another configuration. */
  | { readonly type: "cluster"; readonly name: string; readonly config: ClientConfig }
  | { readonly type: "removed"; readonly name: string }
  /** A configuration cannot be used. The clusters that it configured before stay as they are. */
  | { readonly type: "invalid"; readonly source: string; readonly error: unknown }
  /** All existing clusters have been yielded. Others that the fleet still has are gone. */
  | { readonly type: "listed" };
