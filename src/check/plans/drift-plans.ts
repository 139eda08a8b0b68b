import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import { refOf, type Scenario, type Step } from "../scenario/scenario.ts";
import { nested, valueAt } from "../scenario/derive-scenario.ts";
import { prefixOf } from "../world/object-state.ts";
import type { RunRecord } from "../world/run-record.ts";
import type { Plan, PlannedStep } from "./plan.ts";
import { editOfData, type Edit } from "./edit-of-data.ts";
import { stepsTo } from "./steps-to.ts";

/**
 * Makes plans in which somebody deletes or edits an object of the operator's, after the step that has led to it; it must
 * be repaired. What a change makes is left alone, as it may go with the next one.
 */
export function driftPlans({ steps }: Scenario, reference: RunRecord): Plan[] {
  const plans = steps.flatMap(({ action: { type } }, index) =>
    index === 0 || type === "apply" || type === "wait" ? plansAfter(index, steps, reference) : [],
  );
  // An object that is made twice is tried once.
  return [...new Map(plans.map((plan) => [plan.id, plan])).values()];
}

function plansAfter(index: number, steps: readonly Step[], reference: RunRecord): Plan[] {
  const planned = steps.map((step): PlannedStep => ({ ...step, reaches: step.name }));
  const { name } = steps[index]!;
  const plan = (id: string, description: string, step: Step): Plan => ({
    id: `drift:${id}`,
    faultClass: "drift",
    description,
    steps: [
      ...planned.slice(0, index + 1),
      { ...step, reaches: name },
      ...stepsTo(name, planned, reference).slice(index + 1),
    ],
  });
  const before = new Set(["start", ...steps.slice(0, index).map((step) => step.name)]);
  return [...ownObjects(reference, name, index === 0 ? new Set() : before)].flatMap(([id, object]) => {
    const target = refOf(object);
    const what = `${object.kind} ${target.name}`;
    const plans = [
      plan(`delete:${id}`, `somebody deletes ${what}`, {
        name: "drift",
        action: { type: "delete", targets: [target] },
      }),
    ];
    const edit = editOf(id, object, reference);
    if (edit)
      plans.push(
        plan(`edit:${id}`, `somebody changes ${edit.path.join(".")} of ${what}`, {
          name: "drift",
          action: { type: "patch", target, patch: nested(edit.path, edit.value) },
        }),
      );
    return plans;
  });
}

/**
 * Returns the objects that the operator has created in a step, or at its start if the step is the first, and that exist
 * at its end and still have work.
 */
function ownObjects(
  { requests }: RunRecord,
  step: string,
  earlier: ReadonlySet<string>,
): Map<string, UnstructuredObject> {
  const objects = new Map<string, UnstructuredObject>();
  const all = new Map<string, UnstructuredObject>();
  for (const { by, changes, step: at } of requests) {
    if (at !== step && at !== "start" && !earlier.has(at)) continue;
    for (const { id, before, after } of changes) {
      if (after) all.set(id, after);
      const isGenerated = after && (after.metadata.generateName !== undefined || prefixOf(after) !== undefined);
      const isNew = by === "operator" && !before && !earlier.has(at);
      if (isNew && after && !isGenerated) objects.set(id, after);
      else if (after && objects.has(id)) objects.set(id, after);
      else if (!after) objects.delete(id);
    }
  }
  const ended = new Set([...all.values()].filter(hasEnded).map(({ metadata }) => metadata.uid));
  const isOver = ({ metadata }: UnstructuredObject): boolean =>
    ended.has(metadata.uid) || (metadata.ownerReferences ?? []).some(({ uid }) => ended.has(uid));
  return new Map([...objects].filter(([, object]) => !isOver(object)));
}

const ends = new Set(["Complete", "Completed", "Finished", "Succeeded"]);

/**
 * Reports whether the work of an object is done, such as a pod, a job, or a custom resource that runs jobs. Clusters
 * remove these after a while, and operators need not recreate them and their parts.
 */
function hasEnded({ kind, status }: UnstructuredObject): boolean {
  const { phase = "", conditions = [] } = (status ?? {}) as Ending;
  if (kind === "Pod") return phase === "Succeeded" || phase === "Failed";
  return (
    Array.isArray(conditions) &&
    conditions.some(
      ({ type, status }: Condition) => status === "True" && (ends.has(type) || (kind === "Job" && type === "Failed")),
    )
  );
}

interface Condition {
  readonly type: string;
  readonly status: string;
}

interface Ending {
  readonly phase?: string;
  readonly conditions?: readonly Condition[];
}

/** Chooses a field that the operator is seen to keep: one that it has updated, or data that it has written. */
function editOf(id: string, object: UnstructuredObject, { requests }: RunRecord): Edit | undefined {
  const updates = requests.flatMap(({ by, changes }) =>
    by === "operator" ? changes.filter((change) => change.id === id && change.before && change.after) : [],
  );
  for (const { before, after } of updates)
    for (const path of changedLeaves(before, after)) {
      // The data of a Secret is encoded.
      if (object.kind === "Secret" && path[0] === "data") return editOfData(object, path[1]);
      const value = other(valueAt(object, path));
      if (value !== undefined) return { path, value };
    }
  return editOfData(object);
}

/** Lists the paths of scalars of the desired state that differ; lists are not entered. */
function changedLeaves(before: unknown, after: unknown, path: readonly string[] = []): string[][] {
  if (path[0] === "metadata" || path[0] === "status" || Array.isArray(after)) return [];
  if (typeof after === "object" && after !== null)
    return Object.entries(after).flatMap(([name, value]) =>
      changedLeaves((before as Record<string, unknown> | undefined)?.[name], value, [...path, name]),
    );
  return before === after ? [] : [[...path]];
}

function other(value: unknown): unknown {
  if (typeof value === "number") return value + 1;
  if (typeof value === "boolean") return !value;
  // Quantities, as of a quota, remain quantities.
  if (typeof value === "string" && /^\d+(\.\d+)?(m|[kMGT]i?)?$/.test(value)) return `1${value}`;
  return typeof value === "string" ? `${value}-drift` : undefined;
}
