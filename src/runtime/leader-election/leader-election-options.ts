import type { ClientConfig } from "../../client/config/config.ts";
import { TsopError } from "../../errors/tsop-error.ts";

/** Options of the election of the replica that works. */
export interface LeaderElectionOptions {
  /** False to start at once, without a lease. */
  readonly enabled?: boolean | undefined;
  /** The name of the Lease, common to all replicas and unique to them. */
  readonly id?: string | undefined;
  /** The cluster of the Lease, if it is not the manager's. */
  readonly config?: ClientConfig | undefined;
  /** The namespace of the Lease; by default the namespace of the pod or of the kubeconfig's context. */
  readonly namespace?: string | undefined;
  /** The time after which a silent leader is replaced; the default is 15000 ms. */
  readonly leaseDuration?: number;
  /** The time after which a leader that cannot renew gives up; the default is 10000 ms. */
  readonly renewDeadline?: number;
  /** The time between attempts; the default is 2000 ms. */
  readonly retryPeriod?: number;
  /**
   * Releases the lease at a normal end, so that another replica need not wait. Only safe if the process exits at once.
   */
  readonly releaseOnCancel?: boolean;
  readonly labels?: Readonly<Record<string, string>>;
}

export interface LeaseTimes {
  readonly leaseDuration: number;
  readonly renewDeadline: number;
  readonly retryPeriod: number;
}

/** An attempt can be late by this factor, and must still precede the deadline. */
const jitter = 1.2;

/** Adds the defaults, and rejects times that would allow two leaders. */
export function leaseTimes(options: LeaderElectionOptions): LeaseTimes {
  const { leaseDuration = 15_000, renewDeadline = 10_000, retryPeriod = 2_000 } = options;
  const refuse = (reason: string): never => {
    throw new TsopError("TSOP_LEADER_ELECTION_DURATIONS", { reason });
  };
  if (leaseDuration <= renewDeadline) refuse("leaseDuration must be longer than renewDeadline");
  if (renewDeadline <= retryPeriod * jitter) refuse(`renewDeadline must be longer than retryPeriod × ${jitter}`);
  if (leaseDuration < 1000) refuse("leaseDuration must be at least a second");
  if (retryPeriod <= 0) refuse("retryPeriod must be positive");
  return { leaseDuration, renewDeadline, retryPeriod };
}
