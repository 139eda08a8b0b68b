import { setTimeout as wait } from "node:timers/promises";
import { expireLeases } from "../world/expire-leases.ts";
import type { World } from "../world/world.ts";
import {
  afterWrite,
  crashAt,
  cutOff,
  delayWatches,
  expireLeaseAt,
  loseAnswerAt,
  refuseAt,
  restartServerAt,
  WatchGate,
  type Stage,
} from "./meddlers.ts";
import { isUserStep, restartStep, type Fault, type Plan } from "./plan.ts";
import { StaleReads } from "./stale-reads.ts";

/** The moments at which a fault acts, by the name of the step. */
export interface Hooks {
  before?(step: string): Promise<void> | void;
  /** The user has acted; the operator has work. */
  acted?(step: string): Promise<void> | void;
  after?(step: string): Promise<void> | void;
}

/** The time in which a thawed operator notices that its lease is lost: it looks every 2 s by default. */
const stepDownMs = 3_000;
/** The time in which another instance repairs the last writes of one that has ended. */
const repairMs = 1_000;
/** The time in which a restarted or thawed operator shows its reaction. */
const resumeMs = 800;

/** Prepares a fault of a run: lets it interfere with requests, or returns what it does between the steps. */
export function prepareFault(fault: Fault, world: World, plan: Plan): Hooks {
  const interference = world.traffic.interfere();
  const stage = { world, interference };
  switch (fault.type) {
    case "crash":
      interference.meddler = crashAt(stage, fault.at, fault.when);
      return {};
    case "lost-answer":
      interference.meddler = loseAnswerAt(stage, fault.at);
      return {};
    case "refused":
      interference.meddler = refuseAt(stage, fault.at, fault.reason);
      return {};
    case "lease-expiry":
      interference.meddler = expireLeaseAt(stage, fault.at);
      return {};
    case "outage":
      interference.meddler = restartServerAt(stage, fault.at);
      return {};
    case "deletion":
      interference.meddler = afterWrite(stage, fault.at, () =>
        world.deleteCustomResources(plan.steps.filter(isUserStep), fault.targets),
      );
      return {};
    case "lag":
      interference.meddler = delayWatches(stage, fault);
      return {};
    case "watch":
    case "unobserved":
      return gateHooks(fault, stage);
    case "stale":
      return staleHooks(fault.step, stage);
    case "time-travel":
      return timeTravelHooks(fault.step, stage);
    case "recreated":
      return { after: async (step) => (step === fault.step ? showDeletion(stage) : undefined) };
    case "restart":
      return { after: async (step) => (step === fault.step ? restart(stage) : undefined) };
    case "handover":
      return handoverHooks(fault.step, stage);
  }
}

function gateHooks(fault: Fault & { type: "watch" | "unobserved" }, stage: Stage): Hooks {
  const { world, interference } = stage;
  const gate = new WatchGate(stage);
  interference.meddler = gate.meddler;
  if (fault.type === "watch") return { acted: (step) => (step === fault.step ? gate.open(fault.expired) : undefined) };
  return {
    before: (step) => (step === fault.step ? gate.close() : undefined),
    async acted(step) {
      if (step !== fault.step) return;
      // The operator does its work, and the cluster's controllers finish their part unseen.
      await world.settle({ quietMs: 400, limitMs: 3_000 });
      gate.open(true);
    },
  };
}

/** The operator is killed, the next step happens without it, and it starts from a state before that step. */
function staleHooks(faultStep: string, { world, interference }: Stage): Hooks {
  const stale = new StaleReads(world, interference);
  let isDown = false;
  return {
    async after(step) {
      if (step !== faultStep) return;
      // The operator is only cut off: with webhooks, no client could write the custom resources while it is down.
      if (world.hasWebhooks) interference.meddler = cutOff;
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
      interference.meddler = stale.meddler;
      world.startOperator();
      await stale.untilOver();
    },
  };
}

/** The operator is killed when a step is done, and starts from a state before it. */
function timeTravelHooks(faultStep: string, stage: Stage): Hooks {
  const { world, interference } = stage;
  const stale = new StaleReads(world, interference);
  return {
    before: (step) => (step === faultStep ? stale.remember() : undefined),
    async after(step) {
      if (step !== faultStep) return;
      await world.killOperator();
      await startFrom(stale, stage);
    },
  };
}

/** Starts the operator with an older state, and waits until it has seen the newer one. */
async function startFrom(stale: StaleReads, { world, interference }: Stage, longerMs = 0): Promise<void> {
  interference.meddler = stale.meddler;
  stale.begin(longerMs);
  world.startOperator();
  await stale.untilOver();
  await world.settle({ quietMs: resumeMs, limitMs: 5_000 });
}

/** The time for which an operator sees its other objects as they are, and the custom resources still deleted. */
const deletionMs = 500;

/**
 * The operator is killed, and starts from the state in which custom resources of the same names were deleted. Its
 * writes to the objects of that state are refused. Newer objects, which it sees before the custom resources, can be
 * written.
 */
async function showDeletion(stage: Stage): Promise<void> {
  const { world, interference } = stage;
  // Its state is not compared with another one, which would show that the operator has finished.
  await world.settle({ quietMs: 1_000, limitMs: 5_000 });
  const revision = world.revisionOfDeletion();
  if (revision === undefined) return;
  const stale = new StaleReads(world, interference);
  stale.remember(revision);
  world.traffic.step = restartStep;
  await world.killOperator();
  await startFrom(stale, stage, deletionMs);
}

/** The time in which a restarted operator opens the watches that it had; some it may only need for its work. */
const watchLimitMs = 5_000;

async function restart({ world, interference }: Stage): Promise<void> {
  world.traffic.step = restartStep;
  await world.killOperator();
  await untilNextSecond();
  const watches = world.forgetWatches();
  world.startOperator();
  const end = performance.now() + watchLimitMs;
  while (!world.isWatching(watches) && performance.now() < end) await wait(10);
  await world.settle({ quietMs: resumeMs, limitMs: 5_000 });
  interference.hasStruck = true;
}

/** Waits for the next second of the clock: times in a status have no smaller unit, and a rewritten one must differ. */
function untilNextSecond(): Promise<void> {
  return wait(1_000 - (Date.now() % 1_000));
}

/** One instance is frozen, as in a long pause; another takes over; then both are there. */
function handoverHooks(faultStep: string, { world, interference }: Stage): Hooks {
  let first = world.operator;
  return {
    before(step) {
      if (step !== faultStep) return;
      first = world.operator;
      first?.freeze();
      world.startOperator();
      interference.hasStruck = true;
      return expireLeases(world.client);
    },
    async after(step) {
      if (step !== faultStep) return;
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
