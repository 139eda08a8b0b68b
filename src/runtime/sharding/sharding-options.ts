import type { LeaderElectionOptions } from "../leader-election/leader-election-options.ts";

/**
 * Options of a replica that works on a share of the objects: a shard. A sharder in the cluster
 * (https://github.com/timebertt/kubernetes-controller-sharding) assigns each object to one of them.
 *
 * A shard reconciles the objects that are assigned to it, and a deleted one once more, so that its outside resources can
 * be removed; for that it asks the server whether the object is gone. It does not reconcile an object that another shard
 * has now, whatever requests it: an event, a timer or a retry. The deletion of an object that no shard has, or whose
 * shard is dead, is not seen, as that of any object while an operator is down: use a finalizer if it must not be missed.
 *
 * @example
 * const sharding: ShardingOptions = { ring: "memcached" };
 * const manager = await createManager(await loadConfig(), { sharding });
 */
export interface ShardingOptions extends Pick<
  LeaderElectionOptions,
  "config" | "namespace" | "leaseDuration" | "renewDeadline" | "retryPeriod"
> {
  /** The name of the ControllerRing, which lists the kinds that are shared out; absent or empty for no sharding. */
  readonly ring?: string | undefined;
  /**
   * The name of this shard and of its Lease, unique in the ring; the default is the host's name, which in a cluster is
   * the name of the pod.
   */
  readonly shard?: string | undefined;
}
