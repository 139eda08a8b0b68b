import { groupBy } from "../../apimachinery/group-by.ts";
import { isAmong, refOf, type Scenario } from "../scenario/scenario.ts";
import type { RecordedRequest, RunRecord } from "../world/run-record.ts";
import { isPathOf } from "../world/traffic.ts";
import { driftPlans } from "./drift-plans.ts";
import type { FaultClass, Plan, PlannedStep, RefusalReason, WritePoint } from "./plan.ts";
import { changesLeftovers, stepsTo } from "./steps-to.ts";

/** The run without a fault, to which others are compared. */
export function referencePlan({ steps }: Scenario): Plan {
  return { id: "reference", faultClass: "reference", description: "nothing goes wrong", steps };
}

/** Makes plans from the record of a reference run, within each class in the order of the run. */
export function makePlans(scenario: Scenario, reference: RunRecord, explored: readonly Plan[]): Plan[] {
  const steps = scenario.steps.map((step): PlannedStep => ({ ...step, reaches: step.name }));
  const upTo: UpTo = (name) => stepsTo(name, steps, reference);
  const points = writesOf(reference);
  return [
    ...points.flatMap((write) => crashPlans(write, upTo)),
    ...points.flatMap((write, index) => answerPlans(write, passingRefusals[index % passingRefusals.length]!, upTo)),
    ...outagePlans(points, upTo),
    ...deletionPlans(points, steps, reference),
    ...stepPlans(steps, reference, upTo),
    ...recreationPlans(steps, reference),
    ...driftPlans(scenario, reference),
    ...explored,
  ];
}

/** Returns the steps of a plan whose fault is in the step of this name. */
type UpTo = (name: string) => PlannedStep[];

/** A write that changed something. */
interface Write {
  readonly request: RecordedRequest;
  readonly at: WritePoint;
}

/** Returns the first and the last write of each kind in each step: those between, such as of a status, are alike. */
function writesOf({ requests }: RunRecord): Write[] {
  const writes = requests.filter(
    ({ by, occurrence, changes }) => by === "operator" && occurrence > 0 && changes.length > 0,
  );
  const groups = groupBy(writes, ({ step, signature }) => `${step}\n${signature}`);
  const chosen = [...groups.values()].flatMap((group) => [...new Set([group[0]!, group.at(-1)!])]);
  return chosen
    .sort((a, b) => a.at - b.at)
    .map((request) => ({
      request,
      at: { step: request.step, signature: request.signature, occurrence: request.occurrence },
    }));
}

/** Names a write, as in `create deployments default/memcached`. */
function describeWrite({ verb, changes, signature }: RecordedRequest): string {
  const [resource = "", key = ""] = changes[0]?.id.split(" ") ?? [];
  const status = signature.endsWith("/status") ? " (status)" : "";
  return changes.length > 0 ? `${verb} ${resource.replace(/^.*\//, "")} ${key}${status}` : signature;
}

const named = (faultClass: FaultClass, detail: string, { step, signature, occurrence }: WritePoint): string =>
  `${faultClass}:${detail}:${step}:${signature}#${occurrence}`;

function crashPlans({ request, at }: Write, upTo: UpTo): Plan[] {
  return (["after", "before"] as const).map((when) => ({
    id: named("crash", when, at),
    faultClass: "crash",
    description: `the operator is killed ${when} its write “${describeWrite(request)}” is committed, and starts again`,
    steps: upTo(request.step),
    fault: { type: "crash", at, when },
  }));
}

/** The refusals that say nothing about the object; the writes meet them in turn, as each leads to another try. */
const passingRefusals: readonly RefusalReason[] = ["InternalError", "TooManyRequests", "Timeout"];

function answerPlans({ request, at }: Write, passing: RefusalReason, upTo: UpTo): Plan[] {
  const what = `its write “${describeWrite(request)}”`;
  const reasons: RefusalReason[] =
    request.verb === "create" ? [passing] : at.occurrence === 1 ? ["Conflict", passing] : ["Conflict"];
  return [
    {
      id: named("lost-answer", "cut", at),
      faultClass: "lost-answer",
      description: `${what} is done, but the connection ends before the answer`,
      steps: upTo(request.step),
      fault: { type: "lost-answer", at },
    },
    ...reasons.map((reason): Plan => ({
      id: named("refused", reason, at),
      faultClass: "refused",
      description: `${what} is refused once with ${reason}`,
      steps: upTo(request.step),
      fault: { type: "refused", at, reason },
    })),
  ];
}

/** Restarts the server once in each step, at the first write. */
function outagePlans(writes: readonly Write[], upTo: UpTo): Plan[] {
  const first = writes.filter(({ at }, index) => writes.findIndex((other) => other.at.step === at.step) === index);
  return first.map(({ request, at }) => ({
    id: named("outage", "restart", at),
    faultClass: "outage",
    description: `the server restarts when the operator sends “${describeWrite(request)}”: the write is lost, and all connections end`,
    steps: upTo(request.step),
    fault: { type: "outage", at },
  }));
}

function isDeletion({ action }: PlannedStep): boolean {
  return action.type === "delete";
}

/** Deletes the custom resources in the middle of the work. */
function deletionPlans(writes: readonly Write[], steps: readonly PlannedStep[], reference: RunRecord): Plan[] {
  const last = steps.at(-1);
  if (!last || !isDeletion(last)) return [];
  const targets = steps.flatMap(({ action }) => (action.type === "delete" ? action.targets : []));
  return writes
    .filter(({ request: { step } }) => step !== last.name && !changesLeftovers(step, reference))
    .map(({ request, at }) => {
      const before = stepsTo(request.step, steps, reference).filter((step) => step !== last);
      const interrupted = before.at(-1)!;
      return {
        id: named("deletion", "early", at),
        faultClass: "deletion",
        description: `the custom resource is deleted right after the write “${describeWrite(request)}”`,
        steps: [...before.slice(0, -1), { ...interrupted, reaches: last.name }],
        fault: { type: "deletion", at, targets },
      };
    });
}

/** Creates the custom resources again after their deletion, if finalizers let the operator see that deletion. */
function recreationPlans(steps: readonly PlannedStep[], { requests }: RunRecord): Plan[] {
  const [first] = steps;
  const last = steps.at(-1);
  if (!first || !last || last.action.type !== "delete") return [];
  const { targets } = last.action;
  const isSeen = requests.some(({ step, changes }) =>
    changes.some(
      ({ after }) =>
        step === last.name && after?.metadata.deletionTimestamp !== undefined && isAmong(targets, refOf(after)),
    ),
  );
  if (!isSeen) return [];
  return [
    {
      id: "stale:recreated",
      faultClass: "stale",
      description:
        "the custom resource is deleted and created again, and the operator starts again with the state in which the first one was deleted",
      steps: [first, last, { name: `${first.name} again`, action: first.action }],
      fault: { type: "recreated", step: `${first.name} again` },
    },
  ];
}

/** The time for which a watch lags: longer than a reconcile, shorter than the patience of a step. */
const delayMs = 500;

/** Delays one of the watches that show something: caches of several kinds do not show changes in the order in which they happen. */
function lagPlans(steps: readonly PlannedStep[], { watched, requests }: RunRecord): Plan[] {
  const changes = requests.flatMap((request) => request.changes);
  const shown = [...watched].filter((path) => changes.some((change) => isPathOf(path, change)));
  if (shown.length < 2) return [];
  return shown.map((watch) => ({
    id: `lag:${watch}`,
    faultClass: "lag",
    description: `the watch of ${watch} shows each change half a second late, the others at once`,
    steps,
    fault: { type: "lag", delayMs, watch },
  }));
}

/** Makes the plans that belong to a step as a whole. */
function stepPlans(steps: readonly PlannedStep[], reference: RunRecord, upTo: UpTo): Plan[] {
  const plans: Plan[] = [
    {
      id: "lag:all",
      faultClass: "lag",
      description: "watches show each change half a second late",
      steps,
      fault: { type: "lag", delayMs },
    },
    ...lagPlans(steps, reference),
  ];
  const usesLeases = reference.leases;
  steps.forEach((step, index) => {
    const next = steps[index + 1];
    const here = `in the step “${step.name}”`;
    plans.push({
      id: `unobserved:${step.name}`,
      faultClass: "unobserved",
      description: `watches show only the result of what happens ${here}`,
      steps: upTo(step.name),
      fault: { type: "unobserved", step: step.name },
    });
    for (const expired of [false, true])
      plans.push({
        id: `watch:${expired ? "expired" : "cut"}:${step.name}`,
        faultClass: "watch",
        description: `all watches end ${here}${expired ? " and cannot be resumed (410 Gone)" : ""}`,
        // The next step shows whether all of them are there again.
        steps: upTo(next && !isDeletion(next) ? next.name : step.name),
        fault: { type: "watch", step: step.name, expired },
      });
    plans.push({
      id: `restart:${step.name}`,
      faultClass: "restart",
      description: `the operator starts again after the step “${step.name}”, when all is settled`,
      steps: upTo(step.name),
      fault: { type: "restart", step: step.name },
    });
    if (next)
      plans.push({
        id: `stale:${step.name}`,
        faultClass: "stale",
        description: `the operator is down during the step “${next.name}” and starts with a state from before it`,
        steps: upTo(next.name),
        fault: { type: "stale", step: step.name },
      });
    if (!isDeletion(step))
      plans.push({
        id: `stale:back:${step.name}`,
        faultClass: "stale",
        description: `the operator starts again after the step “${step.name}”, with a state from before it`,
        steps: upTo(step.name),
        fault: { type: "time-travel", step: step.name },
      });
    if (usesLeases && !isDeletion(step))
      plans.push({
        id: `handover:${step.name}`,
        faultClass: "handover",
        description: `the leader is frozen ${here}, another instance takes over, and the first one wakes up`,
        steps: upTo(step.name),
        fault: { type: "handover", step: step.name },
      });
  });
  return plans;
}
