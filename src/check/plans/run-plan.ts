import { setTimeout as wait } from "node:timers/promises";
import type { ObjectState } from "../world/object-state.ts";
import type { RunRecord } from "../world/run-record.ts";
import { expireLeases } from "../world/expire-leases.ts";
import { World, type Patience, type Subject } from "../world/world.ts";
import { differencesFrom, type Expectation } from "./expectation.ts";
import {
  afterWrite,
  crashAt,
  cutOff,
  delayWatches,
  loseAnswerAt,
  refuseAt,
  restartServerAt,
  WatchGate,
} from "./meddlers.ts";
import { isUserStep, type Fault, type Plan, type PlannedStep } from "./plan.ts";
import { StaleReads } from "./stale-reads.ts";

export interface RunOptions {
  readonly subject: Subject;
  /** The version that plans upgrade from, and return to. */
  readonly older?: Subject | undefined;
  readonly patience: Patience;
  readonly expectation?: Expectation;
  readonly signal: AbortSignal;
}

/** The time in which an operator must open its watches. */
const startLimitMs = 30_000;

/** Runs a plan with a fresh server and a fresh operator. */
export async function runPlan(plan: Plan, options: RunOptions): Promise<RunRecord> {
  const world = new World(...versionsIn(plan, options));
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
function versionsIn({ faultClass }: Plan, { subject, older }: RunOptions): [Subject, Subject?] {
  if (!older) return [subject];
  if (faultClass === "upgrade") return [older, subject];
  const { configurations = [] } = subject.webhooks ?? {};
  const webhooks = older.webhooks && { ...older.webhooks, configurations };
  return [subject, { ...subject, command: older.command, webhooks }];
}

class Run {
  private readonly world: World;
  private readonly plan: Plan;
  private readonly options: RunOptions;
  private readonly hooks: Hooks;

  constructor(world: World, plan: Plan, options: RunOptions) {
    this.world = world;
    this.plan = plan;
    this.options = options;
    this.hooks = plan.fault ? hooksOf(plan.fault, world, plan) : {};
  }

  async all(): Promise<void> {
    const { world } = this;
    world.traffic.step = "start";
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
    await hooks.before?.(step.name);
    await world.untilServing();
    if (step.action.type !== "upgrade") await world.act(step.action);
    else if (!(await this.upgrade())) return false;
    await hooks.acted?.(step.name);
    const quiet = await world.settle(this.patienceFor(step), (state) => this.isReached(step, state));
    world.finishStep(step.name, quiet);
    // A fault can make any pod wait.
    if (this.plan.faultClass === "reference") await world.noteWaitingPods();
    if (quiet) await hooks.after?.(step.name);
    return quiet;
  }

  /** If any state is right, only its errors tell that the operator has not finished. */
  private patienceFor({ reaches, action }: PlannedStep): Patience {
    const { patience: usual } = this.options;
    // No state tells that the older version has finished, and the one that takes over may have nothing to do at first.
    const isOlder = this.plan.faultClass === "upgrade" && reaches === undefined;
    const patience = isOlder || action.type === "upgrade" ? { ...usual, quietMs: takeOverMs } : usual;
    return reaches === undefined ? { ...patience, retryMs } : patience;
  }

  private isReached(step: PlannedStep, state: ObjectState): boolean {
    const { expectation } = this.options;
    const { requests } = this.world.traffic;
    return !expectation || differencesFrom(expectation, this.plan, step, { state, requests }).length === 0;
  }

  /** Returns false if the server refuses the other version. */
  private async upgrade(): Promise<boolean> {
    const { world } = this;
    if (!(await world.upgrade())) return false;
    if (!(await this.untilWatching()) && world.record.breakdowns.length === 0) world.noteSilence();
    return true;
  }

  /** Waits until the operator watches a kind of its own. Returns false if it ends before that, or takes too long. */
  private async untilWatching(): Promise<boolean> {
    const { world } = this;
    const end = performance.now() + startLimitMs;
    while (!world.isWatched()) {
      this.options.signal.throwIfAborted();
      if (world.record.breakdowns.length > 0 || performance.now() > end) return false;
      await wait(10);
    }
    return true;
  }
}

/** The moments at which a fault acts, by the name of the step. */
interface Hooks {
  before?(step: string): Promise<void> | void;
  /** The user has acted; the operator has work. */
  acted?(step: string): Promise<void> | void;
  after?(step: string): Promise<void> | void;
}

/** Errors that are repeated after 5 ms, 10 ms, 20 ms … are endless by then. */
const retryMs = 700;
/** The time in which a thawed operator notices that its lease is lost: it looks every 2 s by default. */
const stepDownMs = 3_000;
/** The time in which another instance repairs the last writes of one that has ended. */
const repairMs = 1_000;
/** The time in which a restarted or thawed operator shows its reaction. */
const resumeMs = 800;
/** The time in which a version of an upgrade begins its work. */
const takeOverMs = 2_000;

function hooksOf(fault: Fault, world: World, plan: Plan): Hooks {
  switch (fault.type) {
    case "crash":
      world.traffic.meddler = crashAt(world, fault.at, fault.when);
      return {};
    case "lost-answer":
      world.traffic.meddler = loseAnswerAt(world, fault.at);
      return {};
    case "refused":
      world.traffic.meddler = refuseAt(world, fault.at, fault.reason);
      return {};
    case "outage":
      world.traffic.meddler = restartServerAt(world, fault.at);
      return {};
    case "deletion":
      world.traffic.meddler = afterWrite(world, fault.at, () =>
        world.deleteCustomResources(plan.steps.filter(isUserStep), fault.targets),
      );
      return {};
    case "lag":
      world.traffic.meddler = delayWatches(world, fault);
      return {};
    case "watch":
    case "unobserved":
      return gateHooks(fault, world);
    case "stale":
      return staleHooks(fault.step, world);
    case "time-travel":
      return timeTravelHooks(fault.step, world);
    case "recreated":
      return { after: async (step) => (step === fault.step ? showDeletion(world) : undefined) };
    case "restart":
      return { after: async (step) => (step === fault.step ? restart(world) : undefined) };
    case "handover":
      return handoverHooks(fault.step, world);
  }
}

function gateHooks(fault: Fault & { type: "watch" | "unobserved" }, world: World): Hooks {
  const gate = new WatchGate(world);
  world.traffic.meddler = gate.meddler;
  const at = (step: string): boolean => step === fault.step;
  if (fault.type === "watch") return { acted: (step) => (at(step) ? gate.open(fault.expired) : undefined) };
  return {
    before: (step) => (at(step) ? gate.close() : undefined),
    async acted(step) {
      if (!at(step)) return;
      // The operator does its work, and the cluster's controllers finish their part unseen.
      await world.settle({ quietMs: 400, limitMs: 3_000 });
      gate.open(true);
    },
  };
}

/** The operator is killed, the next step happens without it, and it starts from a state before that step. */
function staleHooks(fault: string, world: World): Hooks {
  const stale = new StaleReads(world);
  let isDown = false;
  return {
    async after(step) {
      if (step !== fault) return;
      // With webhooks, nobody can write the custom resources while it is down: it is only cut off.
      if (world.hasWebhooks) world.traffic.meddler = cutOff;
      else await world.killOperator();
      stale.remember();
      isDown = true;
    },
    async acted() {
      if (!isDown) return;
      isDown = false;
      await world.killOperator();
      await world.settle({ quietMs: 100, limitMs: 2_000 });
      stale.begin();
      world.traffic.meddler = stale.meddler;
      world.startOperator();
      await stale.untilOver();
    },
  };
}

/** The operator is killed when a step is done, and starts from a state before it. */
function timeTravelHooks(fault: string, world: World): Hooks {
  const stale = new StaleReads(world);
  const at = (step: string): boolean => step === fault;
  return {
    before: (step) => (at(step) ? stale.remember() : undefined),
    async after(step) {
      if (!at(step)) return;
      await world.killOperator();
      await startFrom(stale, world);
    },
  };
}

/** Starts the operator with an older state, and waits until it has seen the newer one. */
async function startFrom(stale: StaleReads, world: World, longerMs = 0): Promise<void> {
  world.traffic.meddler = stale.meddler;
  stale.begin(longerMs);
  world.startOperator();
  await stale.untilOver();
  await world.settle({ quietMs: resumeMs, limitMs: 5_000 });
}

/** The time for which an operator sees its other objects as they are, and the custom resources still deleted. */
const deletionMs = 500;

/**
 * The operator is killed, and starts from the state in which custom resources of the same names were deleted. Writes of
 * the objects that it finds there are refused; those of the newer ones, which it sees before the custom resources, are
 * not.
 */
async function showDeletion(world: World): Promise<void> {
  // Its state is not compared with another one that would tell that the operator has finished.
  await world.settle({ quietMs: 1_000, limitMs: 5_000 });
  const revision = world.revisionOfDeletion();
  if (revision === undefined) return;
  const stale = new StaleReads(world);
  stale.remember(revision);
  world.traffic.step = restartStep;
  await world.killOperator();
  await startFrom(stale, world, deletionMs);
}

/** The time in which a restarted operator opens the watches that it had; some it may only need for its work. */
const watchLimitMs = 5_000;

async function restart(world: World): Promise<void> {
  world.traffic.step = restartStep;
  await world.killOperator();
  await untilNextSecond();
  const watches = world.forgetWatches();
  world.startOperator();
  const end = performance.now() + watchLimitMs;
  while (!world.isWatching(watches) && performance.now() < end) await wait(10);
  await world.settle({ quietMs: resumeMs, limitMs: 5_000 });
  world.struck = true;
}

/**
 * Waits for another second of the clock: the times of a status have no smaller part, and one written anew differs then.
 */
function untilNextSecond(): Promise<void> {
  return wait(1_000 - (Date.now() % 1_000));
}

/** The name under which the work after a restart, or a handover, is recorded. */
export const restartStep = "restart";

/** One instance is frozen, as in a long pause; another takes over; then both are there. */
function handoverHooks(fault: string, world: World): Hooks {
  let first = world.operator;
  return {
    before(step) {
      if (step !== fault) return;
      first = world.operator;
      first?.freeze();
      world.startOperator();
      world.struck = true;
      return expireLeases(world.client);
    },
    async after(step) {
      if (step !== fault) return;
      world.traffic.step = restartStep;
      // It has lost the lease: it may end, and must not write.
      first?.expectEnd();
      first?.thaw();
      await Promise.race([first?.ended, wait(stepDownMs, undefined, { ref: false })]);
      await wait(repairMs);
      // One that has ended may have finished a write that was under way, which the other one has repaired.
      if (first?.hasEnded) world.traffic.moveRequests(restartStep, step);
      await world.settle({ quietMs: resumeMs, limitMs: 5_000 });
    },
  };
}
