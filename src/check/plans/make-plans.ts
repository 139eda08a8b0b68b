import { groupBy } from "../../apimachinery/group-by.ts";
import { isAmong, refOf, type Scenario } from "../scenario/scenario.ts";
import type { RecordedRequest, RunRecord } from "../world/run-record.ts";
import { isPathOf } from "../world/traffic.ts";
import { driftPlans } from "./drift-plans.ts";
import { describeFault } from "./describe-fault.ts";
import type { Fault, FaultClass, Plan, PlannedStep, RefusalReason, WritePoint } from "./plan.ts";
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
export interface Write {
  readonly request: RecordedRequest;
  readonly at: WritePoint;
}

/** Returns the first and the last write of each kind in each step: those between, such as of a status, are alike. */
export function writesOf({ requests }: RunRecord): Write[] {
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
export function describeWrite({ verb, changes, signature }: RecordedRequest): string {
  const [resource = "", key = ""] = changes[0]?.id.split(" ") ?? [];
  const status = signature.endsWith("/status") ? " (status)" : "";
  return changes.length > 0 ? `${verb} ${resource.replace(/^.*\//, "")} ${key}${status}` : signature;
}

const named = (faultClass: FaultClass, detail: string, { step, signature, occurrence }: WritePoint): string =>
  `${faultClass}:${detail}:${step}:${signature}#${occurrence}`;

function crashPlans({ request, at }: Write, upTo: UpTo): Plan[] {
  return (["after", "before"] as const).map((when) =>
    planAt(named("crash", when, at), "crash", { type: "crash", at, when }, { request, steps: upTo(request.step) }),
  );
}

/** The refusals that say nothing about the object; the writes meet them in turn, as each leads to another try. */
const passingRefusals: readonly RefusalReason[] = ["InternalError", "TooManyRequests", "Timeout"];

function answerPlans({ request, at }: Write, passing: RefusalReason, upTo: UpTo): Plan[] {
  const steps = upTo(request.step);
  const reasons: RefusalReason[] =
    request.verb === "create" ? [passing] : at.occurrence === 1 ? ["Conflict", passing] : ["Conflict"];
  return [
    planAt(named("lost-answer", "cut", at), "lost-answer", { type: "lost-answer", at }, { request, steps }),
    ...reasons.map((reason) =>
      planAt(named("refused", reason, at), "refused", { type: "refused", at, reason }, { request, steps }),
    ),
  ];
}

/** Restarts the server once in each step, at the first write. */
function outagePlans(writes: readonly Write[], upTo: UpTo): Plan[] {
  const first = writes.filter(({ at }, index) => writes.findIndex((other) => other.at.step === at.step) === index);
  return first.map(({ request, at }) =>
    planAt(named("outage", "restart", at), "outage", { type: "outage", at }, { request, steps: upTo(request.step) }),
  );
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
      const deleted = [...before.slice(0, -1), { ...interrupted, reaches: last.name }];
      const fault: Fault = { type: "deletion", at, targets };
      return planAt(named("deletion", "early", at), "deletion", fault, { request, steps: deleted });
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
  const again = { name: `${first.name} again`, action: first.action };
  return [planOf("stale:recreated", "stale", { type: "recreated", step: again.name }, [first, last, again])];
}

/** The time for which a watch lags: longer than a reconcile, shorter than the patience of a step. */
const delayMs = 500;

/** Delays one of the watches that show something: caches of several kinds do not show changes in the order in which they happen. */
function lagPlans(steps: readonly PlannedStep[], { watched, requests }: RunRecord): Plan[] {
  const changes = requests.flatMap((request) => request.changes);
  const shown = [...watched].filter((path) => changes.some((change) => isPathOf(path, change)));
  if (shown.length < 2) return [];
  return shown.map((watch) => planOf(`lag:${watch}`, "lag", { type: "lag", delayMs, watch }, steps));
}

/** Makes the plans that belong to a step as a whole. */
function stepPlans(steps: readonly PlannedStep[], reference: RunRecord, upTo: UpTo): Plan[] {
  const plans = [planOf("lag:all", "lag", { type: "lag", delayMs }, steps), ...lagPlans(steps, reference)];
  steps.forEach((step, index) => {
    const next = steps[index + 1];
    const { name } = step;
    const add = (id: string, faultClass: FaultClass, fault: Fault, last = name): void =>
      void plans.push(planOf(`${id}:${name}`, faultClass, fault, upTo(last)));
    add("unobserved", "unobserved", { type: "unobserved", step: name });
    // The next step shows whether all watches are there again.
    const shown = next && !isDeletion(next) ? next.name : name;
    add("watch:cut", "watch", { type: "watch", step: name, expired: false }, shown);
    add("watch:expired", "watch", { type: "watch", step: name, expired: true }, shown);
    add("restart", "restart", { type: "restart", step: name });
    if (next) add("stale", "stale", { type: "stale", step: name }, next.name);
    if (isDeletion(step)) return;
    add("stale:back", "stale", { type: "time-travel", step: name });
    if (reference.leases) add("handover", "handover", { type: "handover", step: name });
  });
  return plans;
}

function planOf(id: string, faultClass: FaultClass, fault: Fault, steps: readonly PlannedStep[]): Plan {
  return { id, faultClass, description: describeFault(fault), steps, faults: [fault] };
}

/** Makes a plan with a fault at a write. */
function planAt(
  id: string,
  faultClass: FaultClass,
  fault: Fault,
  { request, steps }: { readonly request: RecordedRequest; readonly steps: readonly PlannedStep[] },
): Plan {
  return { id, faultClass, description: describeFault(fault, describeWrite(request)), steps, faults: [fault] };
}
