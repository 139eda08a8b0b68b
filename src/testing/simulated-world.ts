import type { Kind } from "../apimachinery/kind.ts";
import type { ServerResponse } from "../apiserver/api-server.ts";
import type { UnstructuredObject } from "../apimachinery/meta.ts";
import { serviceAccountUser } from "../apimachinery/service-account.ts";
import { Traffic } from "../check/world/traffic.ts";
import { normalizeState } from "../check/world/object-state.ts";
import type { Client } from "../client/client.ts";
import type { ClientConfig } from "../client/config/config.ts";
import { createClient } from "../client/create-client.ts";
import { installCrds } from "../client/manifests/install-crds.ts";
import { withFieldValidation } from "../client/with-write-options.ts";
import { createManager } from "../runtime/manager/create-manager.ts";
import { discardLogger } from "../runtime/log/logger.ts";
import { startSandbox, type Sandbox, type SandboxFault } from "../sandbox/start-sandbox.ts";
import { seededRandom } from "../sandbox/seeded-random.ts";
import type { Network } from "../simulation/network.ts";
import { openNetwork, type OpenedNetwork } from "../simulation/open-network.ts";
import { Owner, type Scheduler } from "../simulation/realm/scheduler.ts";
import type { Simulated, SimulateOptions } from "./simulated.ts";
import { SimulatedFaults } from "./simulated-faults.ts";

export interface SimulatedWorldParts extends Pick<SimulateOptions, "setup" | "simulate" | "manager"> {
  readonly crds: readonly UnstructuredObject[];
  readonly seed: number;
  readonly scheduler: Scheduler;
  /** Milliseconds of real time. */
  readonly realNow: () => number;
}

/** The time without a change after which a simulation is believed to rest. */
const quietMs = 2_000;
/** The real time in which the server loads the code that a request needs. */
const loadingMs = 500;
/** The time before the test in which the cluster and the operator begin their work. */
const openingMs = 10_000;
const user = serviceAccountUser("default", "operator");

/** The world of one call of `simulate`. */
export class SimulatedWorld implements Simulated {
  client!: Client;
  private readonly parts: SimulatedWorldParts;
  private readonly scheduler: Scheduler;
  private readonly cluster: Owner;
  /** The owner of the test's own tasks. */
  private readonly test: Owner;
  private readonly opened: OpenedNetwork;
  private readonly faults: SimulatedFaults;
  private readonly traffic: Traffic;
  private readonly failed: Promise<never>;
  private readonly rejectFailed: (error: unknown) => void;
  private sandbox!: Sandbox;
  private config!: ClientConfig;
  private operator: Owner | undefined;
  private instances = 0;
  /** Those who wait until an instance of the operator works. */
  private readonly waiting: (() => void)[] = [];
  /** The requests that the server has begun to handle. */
  private handling = 0;
  /** The real time since when the server has been loading code. */
  private loadsSince: number | undefined;
  /** False if a request can take time without that. */
  private mayLoad = true;
  /** True while the test, and not the simulation, decides whether time passes. */
  private isTesting = false;

  constructor(parts: SimulatedWorldParts) {
    const { seed, scheduler } = parts;
    this.parts = parts;
    this.scheduler = scheduler;
    let reject!: (error: unknown) => void;
    this.failed = new Promise((_resolve, rejectFailed) => (reject = rejectFailed));
    this.rejectFailed = reject;
    const fail = (error: unknown): void => this.fail(error);
    this.cluster = new Owner("cluster", seed, fail);
    this.test = new Owner("test", seed + 1, fail);
    this.opened = openNetwork({ scheduler, cluster: this.cluster, random: seededRandom(seed + 2), delays: undefined });
    this.faults = new SimulatedFaults(() => this.restartLater());
    this.traffic = new Traffic({ operator: user.username, neighbours: [], now: () => scheduler.elapsed });
    this.traffic.interfere().meddler = this.faults;
  }

  /** Opens the cluster, starts the operator, and calls the test. */
  run<T>(start: Date, test: (sim: Simulated) => Promise<T> | T): Promise<T> {
    const main = async (): Promise<T> => {
      await this.open();
      await this.turnOf(this.test);
      await this.restart();
      await this.advance(openingMs - this.scheduler.elapsed);
      this.isTesting = true;
      return test(this);
    };
    const epoch = start.getTime() - openingMs;
    return this.scheduler.run(
      this.cluster,
      epoch,
      () => Promise.race([this.failed, main()]),
      () => this.mayPass(),
    );
  }

  /** Ends the simulation with an error. */
  fail(error: unknown): void {
    this.rejectFailed(error);
  }

  private get network(): Network {
    return this.opened.network;
  }

  private async open(): Promise<void> {
    const { crds, simulate = false, seed } = this.parts;
    const { traffic } = this;
    this.sandbox = await startSandbox(
      {
        simulate,
        seed,
        listen: this.opened.listen,
        endlessWatches: true,
        intercept: (request, next) => this.handle(request, next),
        onAudit: (event) => traffic.record(event),
        onChange: traffic.follow,
        onError: (error) => this.fail(error),
      },
      new AbortController().signal,
    );
    await installCrds(this.sandbox.client, crds);
    this.config = this.sandbox.addUser(user);
    traffic.objects.clear();
    traffic.written.clear();
    this.client = withFieldValidation(createClient({ config: this.sandbox.config }), "Strict");
  }

  private async handle(...passed: Parameters<Traffic["intercept"]>): Promise<ServerResponse> {
    this.handling++;
    try {
      return await this.traffic.intercept(...passed);
    } finally {
      this.handling--;
      this.loadsSince = undefined;
    }
  }

  now(): Date {
    return new Date(this.scheduler.date());
  }

  async advance(ms: number): Promise<void> {
    if (ms > 0) await new Promise<void>((resolve) => void this.scheduler.after(ms, resolve, this.test));
    await new Promise<void>((resolve) => void this.scheduler.beforeTimePasses(resolve, this.test));
  }

  async settle(limitMs = 60_000): Promise<boolean> {
    const { scheduler, traffic } = this;
    const restMs = quietMs + this.faults.longestLagMs;
    const from = scheduler.elapsed;
    for (;;) {
      await this.advance(0);
      const now = scheduler.elapsed;
      const quietFor = now - Math.max(traffic.lastChange, from);
      if (quietFor >= restMs && traffic.pending === 0) return true;
      const left = from + limitMs - now;
      if (left <= 0) return false;
      await this.advance(Math.min(left, Math.max(restMs - quietFor, 1)));
    }
  }

  kill(): void {
    const { operator } = this;
    if (!operator) return;
    this.operator = undefined;
    operator.state = "dead";
    this.network.disconnect(operator);
  }

  async restart(): Promise<void> {
    this.kill();
    const instance = this.instances++;
    const owner = new Owner(`operator-${instance}`, this.parts.seed + 3 + instance, (error) => this.fail(error));
    this.operator = owner;
    this.scheduler.immediately(() => void this.runManager(owner).catch(owner.fail), owner);
    await new Promise<void>((resolve) => void this.waiting.push(resolve));
  }

  /** Ends the operator now, and starts a new instance in a turn of its own. */
  private restartLater(): void {
    this.kill();
    this.scheduler.immediately(() => void this.restart(), this.test);
  }

  private async runManager(owner: Owner): Promise<void> {
    const { setup, manager } = this.parts;
    const mgr = await createManager(this.config, { logger: discardLogger, ...manager });
    await setup(mgr);
    // It may have waited for something real, which calls back outside of all turns.
    await this.turnOf(owner);
    void mgr.elected.then(() => this.scheduler.immediately(() => this.noteWork(owner), this.test));
    await mgr.start(new AbortController().signal);
  }

  /** Whoever waits for an instance that was ended gets the next one. */
  private noteWork(owner: Owner): void {
    if (owner === this.operator) for (const resolve of this.waiting.splice(0)) resolve();
  }

  lag(kind: Kind, ms: number): void {
    this.faults.lag(kind, ms);
  }

  inject(fault: SandboxFault): () => void {
    if (fault.delayMs !== undefined) this.mayLoad = false;
    return this.sandbox.inject({ ...fault, user: user.username });
  }

  crashAtWrite(n: number): void {
    this.faults.crashAtWrite(n);
  }

  get requests(): readonly string[] {
    return this.faults.requests;
  }

  get writes(): readonly string[] {
    return this.faults.writes;
  }

  state(): Record<string, Record<string, string>> {
    const { objects, written } = this.traffic;
    const state = normalizeState(new Map([...objects].filter(([id]) => written.has(id))), objects);
    const lasting = (path: string): boolean => !/nodePort$/i.test(path);
    return Object.fromEntries(
      [...state].map(([id, object]) => [id, Object.fromEntries([...object].filter(([path]) => lasting(path)))]),
    );
  }

  /** Says what goes on, for the error of a simulation that does not end. */
  describe(): string {
    if (this.isTesting && !this.mayPass())
      return "the test waits for something real, such as a promise of its own or vi.waitFor; wait with sim.advance or sim.settle";
    const { requests } = this.faults;
    const last = requests.length > 0 ? `, the last one “${requests.at(-1)}”` : "";
    return `it is ${this.now().toISOString()}, and the operator has sent ${requests.length} requests${last}`;
  }

  /** Time passes while the test waits for a timer, an answer or an operator; otherwise it waits for something real. */
  private mayPass(): boolean {
    if (this.handling > 0 && this.mayLoad) {
      this.loadsSince ??= this.parts.realNow();
      this.mayLoad = this.parts.realNow() - this.loadsSince < loadingMs;
      return false;
    }
    return !this.isTesting || this.waiting.length > 0 || this.test.alive > 0 || this.network.openOf(this.test) > 0;
  }

  /** Continues in a turn of an owner. */
  private turnOf(owner: Owner): Promise<void> {
    return new Promise((resolve) => void this.scheduler.immediately(resolve, owner));
  }
}
