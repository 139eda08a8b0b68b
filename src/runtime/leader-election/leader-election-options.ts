import type { ClientConfig } from "../../client/config/config.ts";
import { TsopError } from "../../errors/tsop-error.ts";

/** How replicas agree on the one that works. */
export interface LeaderElectionOptions {
  /** False works at once, without a lease. */
  readonly enabled?: boolean | undefined;
  /** The name of the Lease; the same for all replicas and for nobody else. */
  readonly id?: string | undefined;
  /** Another cluster than the manager's, if the Lease lives there. */
  readonly config?: ClientConfig | undefined;
  /** Where the Lease lives; the namespace of the pod or of the kubeconfig's context. */
  readonly namespace?: string | undefined;
  /** How long others wait for a leader that is silent; 15000 ms. */
  readonly leaseDuration?: number;
  /** How long a leader tries to renew before it gives up; 10000 ms. */
  readonly renewDeadline?: number;
  /** How long to wait between tries; 2000 ms. */
  readonly retryPeriod?: number;
  /** Gives the lease up on a normal end, so that another replica needn't wait. Only if the process ends at once then. */
  readonly releaseOnCancel?: boolean;
  readonly labels?: Readonly<Record<string, string>>;
}

export interface LeaseTimes {
  readonly leaseDuration: number;
  readonly renewDeadline: number;
  readonly retryPeriod: number;
}

/** A try may come late by this factor, and must still come before the deadline. */
const jitter = 1.2;

/** Fills in the defaults, and refuses times with which two leaders would be possible. */
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
