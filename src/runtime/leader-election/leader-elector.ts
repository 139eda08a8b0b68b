import { equalJson } from "../../apimachinery/equal.ts";
import { isAlreadyExists, isApiError, isConflict } from "../../apimachinery/status.ts";
import { formatMicroTime } from "../../apimachinery/time.ts";
import type { Client } from "../../client/client.ts";
import { retryOnConflict } from "../../client/retry-on-conflict.ts";
import { messageOf } from "../../errors/message-of.ts";
import { TsopError } from "../../errors/tsop-error.ts";
import type { Clock } from "../../apimachinery/clock.ts";
import { linkAbort } from "../linked-abort.ts";
import { monotonicClock, wait } from "../monotonic-clock.ts";
import type { Logger } from "../log/logger.ts";
import type { LeaseTimes } from "./leader-election-options.ts";
import { Lease, type LeaseSpec } from "./lease-object.ts";

export interface LeaderElectorOptions {
  /** It should have connections of its own, so that other requests cannot delay a renewal. */
  readonly client: Client;
  readonly namespace: string;
  readonly name: string;
  /** Unique for each process. */
  readonly identity: string;
  readonly times: LeaseTimes;
  readonly log: Logger;
  readonly releaseOnCancel?: boolean | undefined;
  readonly labels?: Readonly<Record<string, string>> | undefined;
  readonly clock?: Clock;
  readonly random?: () => number;
  /** The code of the error of `hold`, if it differs from the code of a lost leadership. */
  readonly lost?: "TSOP_SHARD_LOST" | undefined;
  /** Called when leadership begins and ends, and once before. */
  readonly onChange?: (leads: boolean) => void;
  /** Resolves when no write of this process is on its way; the lease is not released before. */
  readonly settled?: () => Promise<void>;
}

/**
 * Competes for a Lease as client-go does. The expiry of another's lease is measured by the local clock alone, from the
 * last observed change of its record, so that clock differences between machines do no harm.
 */
export class LeaderElector {
  private readonly options: LeaderElectorOptions;
  private readonly clock: Clock;
  private readonly random: () => number;
  private observed: { lease: Lease; at: number } | undefined;
  private renewedAt: number | undefined;
  /** The time of day of `renewedAt`. */
  private renewedOn = 0;
  private released = false;
  /** The times of this process' writes of the lease since the last known one, which may have arrived unanswered. */
  private readonly written = new Set<string>();

  constructor(options: LeaderElectorOptions) {
    this.options = options;
    this.clock = options.clock ?? monotonicClock;
    this.random = options.random ?? Math.random;
  }

  get holder(): string {
    return this.observed?.lease.spec?.holderIdentity ?? "";
  }

  /**
   * Throws if this process has led and its last renewal is older than the renew deadline, or the lease is released:
   * another process may lead already, even if no timer could fire, or the machine was suspended.
   */
  assertLeading(): void {
    if (this.released) throw new TsopError("TSOP_LEASE_RELEASED", {});
    if (this.renewedAt === undefined) return;
    // The clock of a machine that was suspended, or of a virtual one, may have stood still; the time of day then shows
    // how long. If only the time of day was changed, writes wait for the next renewal.
    const age = Math.max(this.clock.now() - this.renewedAt, Date.now() - this.renewedOn);
    if (age <= this.options.times.renewDeadline) return;
    throw new TsopError("TSOP_NOT_LEADING", { seconds: (age / 1000).toFixed(1) });
  }

  /** Resolves with true once the lease is acquired, with false if the signal aborts. */
  async acquire(signal: AbortSignal): Promise<boolean> {
    const { log, times, onChange, namespace, name, lost } = this.options;
    onChange?.(false);
    log.info(`Attempting to acquire ${lost ? "shard" : "leader"} lease...`, { lease: `${namespace}/${name}` });
    while (!signal.aborted) {
      if (await this.tryOnce(signal)) {
        log.info("Successfully acquired lease", { lease: `${namespace}/${name}` });
        onChange?.(true);
        return true;
      }
      await wait(this.clock, times.retryPeriod * (1 + this.random() * 1.2), signal);
    }
    return false;
  }

  /** Holds the lease until the signal aborts; rejects if it could not be renewed in time. */
  async hold(signal: AbortSignal): Promise<void> {
    const { times, onChange, releaseOnCancel } = this.options;
    try {
      while (!signal.aborted) {
        await wait(this.clock, times.retryPeriod, signal);
        if (!signal.aborted && !(await this.renew(signal))) {
          throw new TsopError(this.options.lost ?? "TSOP_LEADERSHIP_LOST", {});
        }
      }
    } finally {
      onChange?.(false);
    }
    if (releaseOnCancel) await this.release();
  }

  /** Retries until the deadline; returns false if the lease is lost. */
  private async renew(signal: AbortSignal): Promise<boolean> {
    const { renewDeadline, retryPeriod } = this.options.times;
    const deadline = this.renewedAt! + renewDeadline;
    while (!this.mayBeTaken()) {
      if (await this.tryOnce(signal)) return true;
      if (signal.aborted) return true;
      const left = deadline - this.clock.now();
      if (left <= 0 || this.mayBeTaken()) return false;
      await wait(this.clock, Math.min(retryPeriod, left), signal);
    }
    return false;
  }

  /**
   * Reports whether others have had the time to take the lease. They may even have released it again, or the lease may
   * be deleted, so that acquiring it once more would hide that this process works with an old state.
   */
  private mayBeTaken(): boolean {
    return this.clock.now() - this.renewedAt! > this.options.times.leaseDuration;
  }

  private async tryOnce(signal: AbortSignal): Promise<boolean> {
    const started = this.clock.now();
    const startedOn = Date.now();
    const limit = Math.max(this.options.times.renewDeadline / 2, 1000);
    const attempt = linkAbort(signal);
    const cancel = this.clock.after(limit, () => attempt.abort(noResponse(limit)));
    try {
      const acquired = await this.acquireOrRenew(attempt.signal);
      // Counted from the start of the request, the earliest time at which the others' timers can start.
      if (acquired) {
        this.renewedAt = started;
        this.renewedOn = startedOn;
        this.forgetWrites();
      }
      return acquired;
    } catch (error) {
      if (!signal.aborted) this.logFailure(error);
      return false;
    } finally {
      cancel();
      attempt.release();
    }
  }

  private forgetWrites(): void {
    this.written.clear();
    this.written.add(this.observed?.lease.spec?.renewTime ?? "");
  }

  private async acquireOrRenew(signal: AbortSignal): Promise<boolean> {
    const { client, identity, namespace, name, labels } = this.options;
    if (this.holder === identity && this.isValid() && (await this.renewFast(signal))) return true;

    const found = await client.getOrUndefined(Lease, { namespace, name }, { signal });
    if (!found) {
      const metadata = { name, namespace, ...(labels ? { labels: { ...labels } } : {}) };
      this.observe(await client.create(Lease, { metadata, spec: this.record(undefined) }, { signal }));
      return true;
    }
    this.observe(found);
    if (this.hasNamesake(found)) throw this.giveUp();
    if (this.holder !== "" && this.holder !== identity && this.isValid()) return false;
    await this.write(found, signal);
    return true;
  }

  /** Reports whether another process with the same identity has taken the lease that this one holds. */
  private hasNamesake({ spec }: Lease): boolean {
    const ours = this.renewedAt !== undefined && spec?.holderIdentity === this.options.identity;
    return ours && !this.written.has(spec.renewTime ?? "");
  }

  private giveUp(): TsopError {
    this.renewedAt = -Infinity;
    return new TsopError("TSOP_LEASE_NAMESAKE", { identity: this.options.identity });
  }

  /** Renews with the known version, which is nearly always current, since only the holder writes a held lease. */
  private async renewFast(signal: AbortSignal): Promise<boolean> {
    try {
      await this.write(this.observed!.lease, signal);
      return true;
    } catch (error) {
      if (!isApiError(error)) throw error;
      this.options.log
        .v(1)
        .info("Failed to update lease optimistically, falling back to slow path", { error: messageOf(error) });
      return false;
    }
  }

  private async write(lease: Lease, signal: AbortSignal): Promise<void> {
    const { client, labels } = this.options;
    const metadata = labels ? { ...lease.metadata, labels: { ...lease.metadata.labels, ...labels } } : lease.metadata;
    const spec = { ...lease.spec, ...this.record(lease.spec) };
    this.observe(await client.update(Lease, { ...lease, metadata, spec }, { signal }));
  }

  private record(old: LeaseSpec | undefined): LeaseSpec {
    const { identity, times } = this.options;
    const now = formatMicroTime(new Date()).replace(/000Z$/, `${microseconds()}Z`);
    this.written.add(now);
    const ours = old?.holderIdentity === identity;
    return {
      holderIdentity: identity,
      // Rounded down, it could end before the renew deadline.
      leaseDurationSeconds: Math.ceil(times.leaseDuration / 1000),
      acquireTime: ours ? (old.acquireTime ?? now) : now,
      renewTime: now,
      leaseTransitions: (old?.leaseTransitions ?? 0) + (old === undefined || ours ? 0 : 1),
    };
  }

  private observe(lease: Lease): void {
    const changed = !equalJson(lease.spec, this.observed?.lease.spec);
    this.observed = { lease, at: changed || !this.observed ? this.clock.now() : this.observed.at };
  }

  private isValid(): boolean {
    const observed = this.observed;
    const seconds = observed?.lease.spec?.leaseDurationSeconds ?? 0;
    return observed !== undefined && observed.at + seconds * 1000 > this.clock.now();
  }

  private async release(): Promise<void> {
    const { client, identity, log, namespace, name, times } = this.options;
    const lease = `${namespace}/${name}`;
    // Work that outlives the graceful end must not write while the next leader does.
    this.released = true;
    if (!(await this.hasSettled())) {
      log.info("Keeping the lease until it expires, because a write has no answer yet", { lease });
      return;
    }
    const timeout = new AbortController();
    const cancel = this.clock.after(times.renewDeadline, () => timeout.abort(noResponse(times.renewDeadline)));
    const { signal } = timeout;
    try {
      await retryOnConflict(
        async () => {
          const found = await client.getOrUndefined(Lease, { namespace, name }, { signal });
          if (found?.spec?.holderIdentity !== identity) return;
          const now = formatMicroTime(new Date());
          const spec = { ...found.spec, holderIdentity: "", leaseDurationSeconds: 1, renewTime: now, acquireTime: now };
          await client.update(Lease, { ...found, spec }, { signal });
        },
        { signal },
      );
    } catch (error) {
      log.error(error, "Failed to release lease", { lease });
    } finally {
      cancel();
    }
  }

  /** Waits for the answers to writes, up to the renew deadline. */
  private async hasSettled(): Promise<boolean> {
    const { settled, times } = this.options;
    if (!settled) return true;
    return new Promise((resolve) => {
      const cancel = this.clock.after(times.renewDeadline, () => resolve(false));
      void settled().then(() => {
        cancel();
        resolve(true);
      });
    });
  }

  private logFailure(error: unknown): void {
    const { log, namespace, name } = this.options;
    const lease = `${namespace}/${name}`;
    // Candidates detect each other by losing a write.
    if (isConflict(error) || isAlreadyExists(error))
      log.v(1).info("Failed to acquire lease", { lease, error: messageOf(error) });
    else log.error(error, "Error while acquiring or renewing lease", { lease });
  }
}

/** Returns the reason of an abort: without one, the log would name only the abort. */
function noResponse(ms: number): Error {
  return new Error(`no response within ${ms / 1000} s`);
}

/** Returns digits that distinguish two writes in one millisecond, of this process or of two. */
function microseconds(): string {
  return String(Math.floor(performance.now() * 1000) % 1000).padStart(3, "0");
}
