import { setTimeout as wait } from "node:timers/promises";
import type { ObjectState } from "../world/object-state.ts";
import type { Host } from "../world/host.ts";
import type { RunRecord } from "../world/run-record.ts";
import { graceMs, World } from "../world/world.ts";
import type { Subject } from "../world/subject.ts";
import type { Patience } from "../world/rest.ts";
import { differencesFrom, type Expectation } from "./expectation.ts";
import { prepareFault, type Hooks } from "./fault-hooks.ts";
import { expiryMs } from "./meddlers.ts";
import type { Plan, PlannedStep } from "./plan.ts";

export interface RunOptions {
  readonly subject: Subject;
  /** The version that plans upgrade from, and return to. */
  readonly older?: Subject | undefined;
  readonly patience: Patience;
  readonly expectation?: Expectation | undefined;
  readonly signal: AbortSignal;
}

/** The time in which an operator must open its watches. */
const startLimitMs = 30_000;
/** Errors that are repeated after 5 ms, 10 ms, 20 ms … are endless by then. */
const retryMs = 700;
/** The time in which a version of an upgrade begins its work. */
const takeOverMs = 2_000;

/** The time in which both versions work in a rolling update. */
const overlapMs = 3_000;

/** Runs a plan with a fresh server and a fresh operator. */
export async function runPlan(plan: Plan, options: RunOptions, openHost?: () => Promise<Host>): Promise<RunRecord> {
  const world = new World(...versionsIn(plan, options), openHost);
  try {
    await world.open();
    const run = new Run(world, plan, options);
    await run.all();
    return world.record;
  } finally {
    await world.close();
  }
}

/** Returns the version of the operator with which a plan begins, and the one that takes its place. */
export function versionsIn(
  { faultClass, steps }: Plan,
  { subject, older }: RunOptions,
): [Subject, Subject | undefined] {
  if (!older) return [subject, undefined];
  if (steps.some(isRollingUpdate)) return [withElection(older), withElection(subject)];
  if (faultClass === "upgrade") return [older, subject];
  const { configurations = [] } = subject.webhooks ?? {};
  const webhooks = older.webhooks && { ...older.webhooks, configurations };
  return [subject, { ...subject, command: older.command, webhooks }];
}

function isRollingUpdate({ action }: PlannedStep): boolean {
  return action.type === "upgrade" && action.isRolling === true;
}

function withElection(subject: Subject): Subject {
  return { ...subject, command: subject.electing ?? subject.command };
}

class Run {
  private readonly world: World;
  private readonly plan: Plan;
  private readonly options: RunOptions;
  private readonly hooks: readonly Hooks[];

  constructor(world: World, plan: Plan, options: RunOptions) {
    this.world = world;
    this.plan = plan;
    this.options = options;
    this.hooks = (plan.faults ?? []).map((fault) => prepareFault(fault, world, plan));
  }

  async all(): Promise<void> {
    const { world } = this;
    world.traffic.step = "start";
    world.startNeighbours();
    world.startOperator();
    if (!(await this.untilWatching())) throw world.silenceError();
    for (const step of this.plan.steps) {
      this.options.signal.throwIfAborted();
      if (!(await this.step(step))) return;
    }
  }

  /** Carries out a step. Returns false if it did not end well, as the rest would only repeat that. */
  private async step(step: PlannedStep): Promise<boolean> {
    const { world, hooks } = this;
    world.traffic.step = step.name;
    for (const hook of hooks) await hook.before?.(step.name);
    const isServing = await world.untilServing();
    if (!isServing && this.plan.faultClass === "reference" && world.record.breakdowns.length === 0)
      throw world.unservedError();
    if (step.action.type !== "upgrade") await world.act(step.action);
    else if (!(await this.upgrade(step.action))) return false;
    for (const hook of hooks) await hook.acted?.(step.name);
    const from = world.now();
    const settled = await world.settle(this.patienceFor(step), (state) => this.isReached(step, state));
    const tookMs = world.now() - from;
    const left = settled && !(await this.stays(step));
    const quiet = settled && !left;
    world.finishStep(step.name, { quiet, tookMs, ...(left && { left }) });
    // A fault can make any pod wait.
    if (this.plan.faultClass === "reference") await world.noteWaitingPods();
    if (quiet) for (const hook of hooks) await hook.after?.(step.name);
    return quiet;
  }

  /** If every state is right, only the operator's errors show that it has not finished. */
  private patienceFor(step: PlannedStep): Patience {
    const { reaches, action } = step;
    const { patience: usual } = this.options;
    // The newer version leads once the lease expires that the older one may not have released.
    if (isRollingUpdate(step))
      return { ...usual, quietMs: takeOverMs, limitMs: usual.limitMs + expiryMs, idleMs: expiryMs };
    // No state shows that the older version has finished, and its successor may have nothing to do at first.
    const isOlder = this.plan.faultClass === "upgrade" && reaches === undefined;
    const patience = isOlder || action.type === "upgrade" ? { ...usual, quietMs: takeOverMs } : usual;
    return reaches === undefined ? { ...patience, retryMs } : patience;
  }

  /** Waits as long as a step must keep its state, and reports whether it has. */
  private async stays(step: PlannedStep): Promise<boolean> {
    const { staysMs = 0 } = this.plan;
    if (staysMs > 0) await wait(staysMs);
    return staysMs === 0 || this.isReached(step, this.world.state());
  }

  private isReached(step: PlannedStep, state: ObjectState): boolean {
    const { expectation } = this.options;
    const { requests } = this.world.traffic;
    return !expectation || differencesFrom(expectation, this.plan, step, { state, requests }).length === 0;
  }

  /** Returns false if the server refuses the other version. */
  private async upgrade({ isRolling = false }: PlannedStep["action"] & { type: "upgrade" }): Promise<boolean> {
    const { world } = this;
    const old = world.operator;
    if (!(await world.upgrade(isRolling))) return false;
    // With leader election, it may do nothing before the old one has ended.
    const isWatching = await this.untilWatching(isRolling ? overlapMs : startLimitMs);
    if (isRolling) {
      if (isWatching) await wait(overlapMs);
      await old?.stop(graceMs);
    }
    const isReady = isWatching || (isRolling && (await this.untilWatching()));
    if (!isReady && world.record.breakdowns.length === 0) world.noteSilence();
    return true;
  }

  /** Waits until the operator watches a kind of its own. Returns false if it ends before that, or takes too long. */
  private async untilWatching(limitMs = startLimitMs): Promise<boolean> {
    const { world } = this;
    const end = performance.now() + limitMs;
    while (!world.isWatched()) {
      this.options.signal.throwIfAborted();
      if (world.record.breakdowns.length > 0 || performance.now() > end) return false;
      await wait(10);
    }
    return true;
  }
}
