import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import type { ObjectRef, Scenario } from "../scenario/scenario.ts";
import { withoutAutoscaling } from "../world/autoscaling.ts";
import { diffAfterReturn } from "../world/diff-after-return.ts";
import type { Difference, Mask, NormalObject } from "../world/object-state.ts";
import type { Change, RunRecord } from "../world/run-record.ts";
import { replaced } from "./judge-creations.ts";
import { aboutDifference, describeDifference } from "./describe-difference.ts";
import { isHot, judgeAlways, restless } from "./judge-run.ts";
import { finalizersIn, finalizersOf } from "./finalizers.ts";
import { ownerHint } from "./owner-hint.ts";
import { unfollowed } from "./judge-mirrors.ts";
import { outdatedCopies } from "./judge-status.ts";
import type { Violation } from "./violation.ts";

/** Judges the run in which nothing goes wrong. */
export function judgeReference(scenario: Scenario, record: RunRecord, mask: Mask): Violation[] {
  // Other findings then come from that.
  if (record.breakdowns.length > 0) return judgeAlways(record).filter(({ oracle }) => oracle === "breakdown");
  const tired = record.steps
    .filter(({ name, quiet }) => !quiet || isHot(record, name))
    .map(({ name }) => restless(record, name));
  return [
    ...tired,
    ...notReverted(scenario, record, mask),
    ...unfollowed(scenario.steps, record),
    ...replaced(record),
    ...afterDeletion(scenario, record),
    ...outdatedStatus(record),
    ...outdatedCopies(scenario.steps, record),
    ...judgeAlways(record),
  ];
}

function notReverted(scenario: Scenario, record: RunRecord, mask: Mask): Violation[] {
  const differences = unreverted(scenario, record, mask);
  const [difference] = differences;
  if (!difference) return [];
  return [
    {
      oracle: "not-reverted",
      about: aboutDifference(difference),
      sentence: `After a field is changed and changed back, ${describeDifference(difference)}.`,
      differences,
    },
  ];
}

/**
 * Returns the traces of a change that is taken back. There must be none, unless the operator has deleted the object before, as its
 * time was over.
 */
export function unreverted(scenario: Scenario, { steps, unreached, requests }: RunRecord, mask: Mask): Difference[] {
  const [first] = steps;
  const last = steps.findLast(({ name }) => name.startsWith("change back"));
  if (!first || !last || unreached.has(last.name)) return [];
  const action = scenario.steps.find(({ name }) => name === last.name)?.action;
  if (action?.type === "patch" && ![...last.state.values()].some((object) => is(object, action.target))) return [];
  return withoutAutoscaling(diffAfterReturn(first.state, last.state, mask), requests, (step) => step !== first.name);
}

function afterDeletion({ steps }: Scenario, record: RunRecord): Violation[] {
  const last = steps.at(-1);
  const end = record.steps.at(-1);
  if (last?.action.type !== "delete" || end?.name !== last.name) return [];
  const { targets } = last.action;
  const left = [...end.state].map(([id, object]) => ({ id, object }));
  const undeleted = left.filter(({ object }) => targets.some((target) => is(object, target)));
  const written = record.requests.flatMap(({ by, changes }) => (by === "operator" ? changes : []));
  const created = new Map(written.flatMap(({ id, before, after }) => (!before && after ? [[id, after]] : [])));
  // An object that belongs to one that is not deleted is not left over.
  const leftovers =
    undeleted.length > 0 ? [] : left.filter(({ object }) => !left.some((each) => isOwner(each.object, object)));
  return [
    ...undeleted.map(({ id, object }): Violation => ({
      oracle: "deletion-hangs",
      about: id.split(" ")[0] ?? id,
      sentence: `${id} still exists after its deletion: ${finalizersOf(object)}.`,
    })),
    ...leftovers.flatMap(({ id }): Violation[] => {
      const object = created.get(id);
      return object ? [leftover(id, "which the operator has created, is left", hintOf(object, record))] : [];
    }),
    ...leftovers.flatMap(({ id, object }): Violation[] => {
      const added = finalizersIn(object).find((name) =>
        written.some((change) => change.id === id && adds(change, name)),
      );
      if (created.has(id) || added === undefined) return [];
      return [leftover(id, `to which the operator has added the finalizer ${added}, still has it`)];
    }),
  ];
}

function isOwner(owner: NormalObject, object: NormalObject): boolean {
  return [...object].some(
    ([path, name]) =>
      /^metadata\.ownerReferences\..+\.name$/.test(path) &&
      name === owner.get("metadata.name") &&
      object.get(path.replace(/name$/, "kind")) === owner.get("kind"),
  );
}

function is(object: NormalObject, { kind, name }: ObjectRef): boolean {
  return object.get("kind") === kind && object.get("metadata.name") === name;
}

function leftover(id: string, what: string, hint?: string): Violation {
  const sentence = `${id}, ${what} after the custom resource was deleted.`;
  return { oracle: "leftover", about: id.split(" ")[0] ?? id, sentence, hint };
}

function hintOf(object: UnstructuredObject, record: RunRecord): string | undefined {
  const { ownerReferences = [] } = object.metadata;
  return ownerReferences.length === 0
    ? "it has no owner reference, and no finalizer deletes it"
    : ownerHint(object, record);
}

function adds({ before, after }: Change, finalizer: string): boolean {
  const has = (object: UnstructuredObject | undefined): boolean =>
    object?.metadata.finalizers?.includes(finalizer) === true;
  return has(after) && !has(before);
}

function outdatedStatus(record: RunRecord): Violation[] {
  return outdatedFields(record)
    .slice(0, 1)
    .map(({ step, id, path }) => ({
      oracle: "outdated-status",
      about: `${id.split(" ")[0]} ${path}`,
      sentence: `After the step “${step}”, ${path} of ${id} is older than its generation: the status does not show the last change.`,
    }));
}

/** Returns the fields that show an older generation at the end of a step that came to rest. */
export function outdatedFields({ steps }: RunRecord): (Pick<Difference, "id" | "path"> & { step: string })[] {
  const settled = steps.filter(({ quiet }) => quiet);
  return settled.flatMap(({ name: step, state }) =>
    [...state].flatMap(([id, object]) =>
      // A deletion counts as a generation that no status shows.
      object.has("metadata.deletionTimestamp")
        ? []
        : [...object].filter(([, value]) => value === "outdated").map(([path]) => ({ step, id, path })),
    ),
  );
}
