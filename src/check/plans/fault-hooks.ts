import { setTimeout as wait } from "node:timers/promises";
import { expireLeases } from "../world/expire-leases.ts";
import type { World } from "../world/world.ts";
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
function staleHooks(faultStep: string, world: World): Hooks {
  const stale = new StaleReads(world);
  let isDown = false;
  return {
    async after(step) {
      if (step !== faultStep) return;
      // The operator is only cut off: with webhooks, no client could write the custom resources while it is down.
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
function timeTravelHooks(faultStep: string, world: World): Hooks {
  const stale = new StaleReads(world);
  return {
    before: (step) => (step === faultStep ? stale.remember() : undefined),
    async after(step) {
      if (step !== faultStep) return;
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
 * The operator is killed, and starts from the state in which custom resources of the same names were deleted. Its
 * writes to the objects of that state are refused. Newer objects, which it sees before the custom resources, can be
 * written.
 */
async function showDeletion(world: World): Promise<void> {
  // Its state is not compared with another one, which would show that the operator has finished.
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

/** Waits for the next second of the clock: times in a status have no smaller unit, and a rewritten one must differ. */
function untilNextSecond(): Promise<void> {
  return wait(1_000 - (Date.now() % 1_000));
}

/** One instance is frozen, as in a long pause; another takes over; then both are there. */
function handoverHooks(faultStep: string, world: World): Hooks {
  let first = world.operator;
  return {
    before(step) {
      if (step !== faultStep) return;
      first = world.operator;
      first?.freeze();
      world.startOperator();
      world.struck = true;
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
