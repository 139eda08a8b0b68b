import { mkdtemp, readFile, rm } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import type { Plan } from "../check/plans/plan.ts";
import { Obstacle, type Chance, type Engine } from "../check/plans/engine.ts";
import type { RunOptions } from "../check/plans/run-plan.ts";
import type { RunRecord } from "../check/world/run-record.ts";
import { TsopError } from "../errors/tsop-error.ts";
import type { WebhookEndpoint } from "../sandbox/webhooks/webhook-endpoint.ts";
import { scriptOf } from "./realm/operator-script.ts";
import { sentOptions } from "./sent-options.ts";
import type { SimulationParts } from "./simulation.ts";
import type { RunMessage, SentError, WorkerMessage } from "./worker.ts";

export interface SimulationOptions extends Chance {
  /** The bundles of operators with all of their packages, by the files that their commands run. */
  readonly bundles: ReadonlyMap<string, string>;
  /** Where operators serve webhooks, if they have any. */
  readonly endpoint?: WebhookEndpoint | undefined;
  readonly workers?: number;
  /** The real time in milliseconds after which a run counts as blocked; two minutes by default. */
  readonly limitMs?: number;
}

/** Hundreds of times the time of a usual run. */
const defaultLimitMs = 120_000;

/** Runs each plan within a thread, in virtual time. */
export class SimulationEngine implements Engine {
  readonly name = "simulation";
  private readonly options: SimulationOptions;
  private readonly data: SimulationParts;
  private readonly idle: Worker[] = [];
  private readonly waiting: ((worker: Worker) => void)[] = [];
  /** The number of runs of each plan: a plan that is run again meets other delays. */
  private readonly runs = new Map<string, number>();
  private readonly workers = new Set<Worker>();

  private constructor(options: SimulationOptions, data: SimulationParts) {
    this.options = options;
    this.data = data;
  }

  static async open(options: SimulationOptions): Promise<SimulationEngine> {
    const { bundles, endpoint } = options;
    const scripts = await Promise.all(
      [...bundles].map(async ([file, bundle]) => [file, scriptOf(bundle, await readFile(bundle, "utf8"))] as const),
    );
    const folder = await mkdtemp(join(tmpdir(), "tsop-simulation-"));
    return new SimulationEngine(options, { scripts: new Map(scripts), endpoint, folder });
  }

  async run(plan: Plan, options: RunOptions): Promise<RunRecord> {
    const worker = await this.take();
    const { seed, epoch, endpoint } = this.options;
    const chance = { seed: plan.schedule?.seed ?? seedOf(this.nameOf(plan), seed), epoch: plan.begins ?? epoch };
    const message: RunMessage = { plan, options: sentOptions(options, endpoint), chance };
    const received = await this.ask(worker, message, options.signal);
    this.give(worker);
    const [obstacle] = received.obstacles;
    if (obstacle !== undefined) throw new Obstacle(`it calls ${obstacle}, which cannot be simulated`);
    if (received.type === "error") throw receivedError(received.error);
    return received.record;
  }

  /** Names a run after its plan and the number of runs before it. */
  private nameOf({ id }: Plan): string {
    const repetition = this.runs.get(id) ?? 0;
    this.runs.set(id, repetition + 1);
    return `${id}#${repetition}`;
  }

  /** Sends a message to a worker, and returns its answer. A worker that gives none is gone. */
  private async ask(worker: Worker, message: RunMessage, signal: AbortSignal): Promise<WorkerMessage> {
    const { limitMs = defaultLimitMs } = this.options;
    let fail!: (error: unknown) => void;
    let answer!: (message: WorkerMessage) => void;
    const answered = new Promise<WorkerMessage>((resolve, reject) => ([answer, fail] = [resolve, reject]));
    const ended = (code: number): void => fail(new Error(`the simulation has ended with code ${code}`));
    const aborted = (): void => fail(signal.reason);
    const blocked = (): void =>
      fail(new Obstacle(`a run takes more than ${limitMs / 1000} s: it may compute without an end`));
    worker.on("message", answer).on("error", fail).on("exit", ended);
    signal.addEventListener("abort", aborted);
    const limit = setTimeout(blocked, limitMs);
    try {
      signal.throwIfAborted();
      worker.postMessage(message);
      return await answered;
    } catch (error) {
      this.workers.delete(worker);
      void worker.terminate();
      const next = this.waiting.shift();
      if (next) next(await this.take());
      throw error;
    } finally {
      clearTimeout(limit);
      signal.removeEventListener("abort", aborted);
      worker.off("message", answer).off("error", fail).off("exit", ended);
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.workers].map((worker) => worker.terminate()));
    await rm(this.data.folder, { recursive: true, force: true });
  }

  private async take(): Promise<Worker> {
    const worker = this.idle.pop();
    if (worker) return worker;
    const { workers = availableParallelism() } = this.options;
    if (this.workers.size >= workers) return new Promise((resolve) => this.waiting.push(resolve));
    const started = new Worker(`import(${JSON.stringify(moduleUrl())}).then(({ runWorker }) => runWorker())`, {
      eval: true,
      workerData: this.data,
      // A run leaves little behind: with more room for new objects, fewer of its objects are copied.
      resourceLimits: { maxYoungGenerationSizeMb: 64 },
    });
    this.workers.add(started);
    return started;
  }

  private give(worker: Worker): void {
    const next = this.waiting.shift();
    if (next) next(worker);
    else this.idle.push(worker);
  }
}

/** Returns the module of the worker: of the package, in which this one is a part of a file, or of compiled sources. */
function moduleUrl(): string {
  const isPacked = import.meta.url.endsWith(".cjs");
  return new URL(isPacked ? "./simulation/worker.js" : "./worker.js", import.meta.url).href;
}

/** Returns the seed of a run, which follows from its name. */
function seedOf(id: string, seed: number): number {
  let hash = seed;
  for (const character of id) hash = (Math.imul(hash, 31) + character.charCodeAt(0)) | 0;
  return hash >>> 0;
}

function receivedError({ message, stack, advice }: SentError): Error {
  return advice ? TsopError.received({ message, ...advice }) : Object.assign(new Error(message), { stack });
}
