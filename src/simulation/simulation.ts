import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { threadId } from "node:worker_threads";
import type { Chance } from "../check/plans/engine.ts";
import { usualTimes, type Plan, type Schedule } from "../check/plans/plan.ts";
import { runPlan, versionsIn, type RunOptions } from "../check/plans/run-plan.ts";
import type { Host, OperatorWebhooks } from "../check/world/host.ts";
import type { RunRecord } from "../check/world/run-record.ts";
import type { Subject } from "../check/world/subject.ts";
import { World } from "../check/world/world.ts";
import type { Snapshot } from "../apiserver/storage/store.ts";
import { seededRandom } from "../sandbox/seeded-random.ts";
import type { WebhookEndpoint } from "../sandbox/webhooks/webhook-endpoint.ts";
import { openNetwork } from "./open-network.ts";
import { compileProgram, type Program } from "./realm/operator-script.ts";
import { Owner, type Scheduler } from "./realm/scheduler.ts";
import { SimulatedOperator } from "./simulated-operator.ts";
import type { WebhookRoute } from "./webhook-calls.ts";

/** The time in which a cluster comes to rest after an installation. */
const restMs = 2_000;
/** Decides the uids of what is installed: one that no run has makes none of theirs. */
const installationSeed = 0x1b873593;
/** The time in which an operator begins to serve its webhooks. */
const servingLimitMs = 10_000;

/** What a thread needs for all of its runs. */
export interface SimulationParts {
  /** The texts of operators by the files that their commands run. */
  readonly scripts: ReadonlyMap<string, string>;
  /** Where operators serve webhooks. */
  readonly endpoint: WebhookEndpoint | undefined;
  /** Where kubeconfigs are written. */
  readonly folder: string;
}

export interface SimulationOptions extends SimulationParts {
  /** Called before each run with the way to its webhooks. */
  readonly onRoute: (route: WebhookRoute) => void;
}

/** Runs plans in this thread, one after the other, in virtual time. */
export class Simulation {
  /** The functions outside of the simulation that operators have called in the last run. */
  readonly obstacles: Set<string> = new Set();
  private readonly scheduler: Scheduler;
  private readonly parts: SimulationOptions;
  private readonly programs = new Map<string, Program>();
  /** What worlds begin with, by the installed version and the time of day. */
  private readonly clusters = new Map<string, Promise<Snapshot>>();

  constructor(scheduler: Scheduler, parts: SimulationOptions) {
    this.scheduler = scheduler;
    this.parts = parts;
    for (const [file, script] of parts.scripts) this.programs.set(file, compileProgram(file, script));
  }

  async run(plan: Plan, options: RunOptions, chance: Chance): Promise<RunRecord> {
    this.obstacles.clear();
    const [version] = versionsIn(plan, options);
    const key = JSON.stringify([version, chance.epoch]);
    const installed = this.clusters.get(key) ?? this.install(version, chance.epoch);
    this.clusters.set(key, installed);
    const { objects, ...state } = await installed;
    const schedule = { seed: chance.seed, ...usualTimes, ...plan.schedule };
    return this.simulate(chance, (cluster) =>
      runPlan(plan, options, async () => ({
        ...this.openHost(cluster, schedule),
        installed: { ...state, objects: { ...objects } },
      })),
    );
  }

  /** Returns the state of a cluster at rest in which a version is installed. */
  private install(version: Subject, epoch: number): Promise<Snapshot> {
    return this.simulate({ seed: installationSeed, epoch: epoch - restMs }, async (cluster) => {
      const schedule = { seed: installationSeed, ...usualTimes };
      const world = new World(version, undefined, async () => this.openHost(cluster, schedule));
      try {
        const sandbox = await world.open();
        await wait(restMs);
        return sandbox.snapshot();
      } finally {
        await world.close();
      }
    });
  }

  /** Simulates what happens in a cluster, from a time of day on. */
  private simulate<T>({ seed, epoch }: Chance, happen: (cluster: Owner) => Promise<T>): Promise<T> {
    let fail!: (error: unknown) => void;
    const failed = new Promise<never>((_resolve, reject) => (fail = reject));
    const cluster = new Owner("cluster", seed, (error) => fail(error));
    return this.scheduler.run(cluster, epoch, () => Promise.race([failed, happen(cluster)]));
  }

  private openHost(cluster: Owner, { seed, computingMs, ...delays }: Schedule): Host {
    const { scheduler } = this;
    const { network, listen } = openNetwork({ scheduler, cluster, random: seededRandom(seed + 1), delays });
    const instances: SimulatedOperator[] = [];
    this.parts.onRoute({ scheduler, cluster, serving: () => instances.at(-1) });
    return {
      listen,
      startOperator: (command, kubeconfig, listener) => {
        // The arguments of Node come first.
        const args = command.args.slice(command.args.findIndex((each) => !each.startsWith("-")));
        const program = this.programs.get(args[0] ?? "");
        if (!program) throw new Error(`no program for ${command.args.join(" ")}`);
        const path = join(this.parts.folder, `kubeconfig-${threadId}-${instances.length}`);
        writeFileSync(path, kubeconfig, { mode: 0o600 });
        const started = { ...command, args, env: { ...command.env, KUBECONFIG: path } };
        const operator = new SimulatedOperator(started, listener, {
          scheduler,
          network,
          cluster,
          program,
          name: `operator-${instances.length}`,
          seed: seed + 2 + instances.length,
          computingMs,
          onObstacle: (name) => void this.obstacles.add(name),
        });
        instances.push(operator);
        return operator;
      },
      openWebhooks: async () => this.webhooks(() => instances.at(-1)),
      close: async () => {},
    };
  }

  private webhooks(current: () => SimulatedOperator | undefined): OperatorWebhooks {
    const { endpoint } = this.parts;
    if (!endpoint) throw new Error("no endpoint for webhooks");
    return {
      url: endpoint.url,
      caBundle: endpoint.caBundle,
      current: endpoint,
      next: () => endpoint,
      async untilServing(signal) {
        const end = performance.now() + servingLimitMs;
        while (!current()?.servers.has(endpoint.port)) {
          if (signal.aborted || performance.now() > end) return false;
          await wait(5);
        }
        return true;
      },
    };
  }
}
