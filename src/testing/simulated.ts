import type { Kind } from "../apimachinery/kind.ts";
import type { UnstructuredObject } from "../apimachinery/meta.ts";
import type { Client } from "../client/client.ts";
import type { Manager, ManagerOptions } from "../runtime/manager/manager.ts";
import type { SandboxFault } from "../sandbox/start-sandbox.ts";

/** The cluster and the operator of a simulation. */
export interface SimulateOptions {
  /** Adds controllers to the manager of each instance of the operator. */
  readonly setup: (mgr: Manager) => Promise<void> | void;
  /** Files or folders with CRDs, and kustomize patches of them, relative to the working directory: `config/crd`. */
  readonly crdPaths?: readonly string[];
  readonly crds?: readonly UnstructuredObject[];
  /** Simulates controllers and a node. False by default, as in a TestEnvironment. */
  readonly simulate?: boolean;
  /** The options of the manager; by default it logs nothing and has no servers. */
  readonly manager?: ManagerOptions;
  /** The time of day at which it begins; by default the first moment of 2026, so that each run is the same. */
  readonly start?: Date;
  /** Decides the order of what happens at the same time, and all random numbers; 1 by default. */
  readonly seed?: number;
  /**
   * The limit in milliseconds of real time, as long as no other program has the processor; 4,000 by default, less than the
   * timeout of a test in vitest. A simulation in which the operator never rests ends with an error there.
   */
  readonly limitMs?: number;
  /** Ends the simulation when it aborts, such as the `signal` of a test's context at its timeout. */
  readonly signal?: AbortSignal;
}

/**
 * A cluster with an operator, in virtual time. Requests take no time, and time stands still while code runs: it passes
 * while the test waits for it, with `advance`, `settle` or a timer.
 */
export interface Simulated {
  /** An administrator's client, without a cache. Like the client of a TestEnvironment, it refuses to write unknown fields. */
  readonly client: Client;
  /** The time of day, which `new Date()` is as well. */
  now(): Date;
  /** Lets time pass. Timers that come due run in order, and what they begin runs to its end before it resolves. */
  advance(ms: number): Promise<void>;
  /**
   * Lets time pass until nothing has changed for two seconds, and the time of a lag. Returns false if that is not so after `limitMs`, by default
   * a minute. An operator that waits longer before it goes on needs `advance`.
   */
  settle(limitMs?: number): Promise<boolean>;
  /** Ends the operator at once, as a node that fails does. The cluster stays. */
  kill(): void;
  /** Starts a new instance of the operator, with `setup`; ends the running one. Resolves when it works. */
  restart(): Promise<void>;
  /** Shows changes of a kind to the operator's watches this much later. */
  lag(kind: Kind, ms: number): void;
  /** Injects a fault into the operator's requests; the returned function removes it. */
  inject(fault: SandboxFault): () => void;
  /**
   * Ends the operator at its n-th write from now, 1 for the next one, and starts a new instance. The server has stored the
   * write; the operator does not learn of it.
   */
  crashAtWrite(n: number): void;
  /** All requests of the operator so far, such as `get apps/v1/namespaces/default/deployments/memcached`. */
  readonly requests: readonly string[];
  /** Its writes among them, without events and leases. */
  readonly writes: readonly string[];
  /**
   * Returns the objects that the operator and the test have written, as they are now: the values by path, without what
   * differs between two runs, such as uids, times and versions. Two runs with the same outcome have equal states.
   */
  state(): Record<string, Record<string, string>>;
}
