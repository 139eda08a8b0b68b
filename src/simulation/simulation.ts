import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { threadId } from "node:worker_threads";
import type { Chance } from "../check/plans/engine.ts";
import { usualTimes, type Plan, type Schedule } from "../check/plans/plan.ts";
import { runPlan, type RunOptions } from "../check/plans/run-plan.ts";
import type { Host, OperatorWebhooks } from "../check/world/host.ts";
import type { RunRecord } from "../check/world/run-record.ts";
import { seededRandom } from "../sandbox/seeded-random.ts";
import type { WebhookEndpoint } from "../sandbox/webhooks/webhook-endpoint.ts";
import { openNetwork } from "./open-network.ts";
import { compileProgram, type Program } from "./operator-script.ts";
import { Owner, type Scheduler } from "./scheduler.ts";
import { SimulatedOperator } from "./simulated-operator.ts";
import type { WebhookRoute } from "./webhook-calls.ts";

/** The time in which an operator begins to serve its webhooks. */
const servingLimitMs = 10_000;

export interface SimulationParts {
  /** The texts of operators by the files that their commands run. */
  readonly scripts: ReadonlyMap<string, string>;
  /** Where operators serve webhooks. */
  readonly endpoint: WebhookEndpoint | undefined;
  /** Where kubeconfigs are written. */
  readonly folder: string;
  /** Called before each run with the way to its webhooks. */
  readonly onRoute: (route: WebhookRoute) => void;
}

/** Runs plans in this thread, one after the other, in virtual time. */
export class Simulation {
  /** The functions outside of the simulation that operators have called in the last run. */
  readonly obstacles: Set<string> = new Set();
  private readonly scheduler: Scheduler;
  private readonly endpoint: WebhookEndpoint | undefined;
  private readonly programs = new Map<string, Program>();
  private readonly folder: string;
  private readonly onRoute: SimulationParts["onRoute"];

  constructor(scheduler: Scheduler, { scripts, endpoint, folder, onRoute }: SimulationParts) {
    this.scheduler = scheduler;
    this.folder = folder;
    this.endpoint = endpoint;
    this.onRoute = onRoute;
    for (const [file, script] of scripts) this.programs.set(file, compileProgram(file, script));
  }

  run(plan: Plan, options: RunOptions, { seed, epoch }: Chance): Promise<RunRecord> {
    const { scheduler } = this;
    this.obstacles.clear();
    let fail!: (error: unknown) => void;
    const failed = new Promise<never>((_resolve, reject) => (fail = reject));
    const cluster = new Owner("cluster", seed, (error) => fail(error));
    return scheduler.run(cluster, epoch, () =>
      Promise.race([
        failed,
        runPlan(plan, options, async () => this.openHost(cluster, { seed, ...usualTimes, ...plan.schedule })),
      ]),
    );
  }

  private openHost(cluster: Owner, { seed, computingMs, ...delays }: Schedule): Host {
    const { scheduler } = this;
    const { network, listen } = openNetwork({ scheduler, cluster, random: seededRandom(seed + 1), delays });
    const instances: SimulatedOperator[] = [];
    this.onRoute({ scheduler, cluster, operator: () => instances.at(-1) });
    return {
      listen,
      startOperator: (command, kubeconfig, listener) => {
        const program = this.programs.get(programOf(command.args));
        if (!program) throw new Error(`no program for ${command.args.join(" ")}`);
        const path = join(this.folder, `kubeconfig-${threadId}-${instances.length}`);
        writeFileSync(path, kubeconfig, { mode: 0o600 });
        const started = { ...command, args: argumentsOf(command.args), env: { ...command.env, KUBECONFIG: path } };
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
    const { endpoint } = this;
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

/** Returns the script among the arguments of Node. */
function programOf(args: readonly string[]): string {
  return args.find((each) => !each.startsWith("-")) ?? "";
}

/** Returns the arguments from the script on. */
function argumentsOf(args: readonly string[]): string[] {
  return args.slice(args.indexOf(programOf(args)));
}
