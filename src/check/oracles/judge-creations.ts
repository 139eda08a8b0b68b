import { hasFault, restartStep, type Plan } from "../plans/plan.ts";
import { isAmong, refOf } from "../scenario/scenario.ts";
import { groupOf, prefixOf, type Mask } from "../world/object-state.ts";
import type { Change, RecordedRequest, RunRecord } from "../world/run-record.ts";
import type { Oracle, Violation } from "./violation.ts";

export interface Judged {
  readonly plan: Plan;
  readonly record: RunRecord;
}

/** Kinds whose objects serve while they are updated. Others, such as jobs, may have to be recreated. */
const updatable = /^(apps\/(deployments|statefulsets|daemonsets)|\/(services|secrets|persistentvolumeclaims)) /;

/** Finds objects that were created, or data that was deleted, more often than in the reference. */
export function recreated({ plan, record }: Judged, reference: RunRecord, mask: Mask): Violation[] {
  const counted = countedIn(plan);
  const isRepeated = hasFault(plan, "recreated");
  return counted.flatMap(([oracle, verb, matches]) => {
    // An intended repetition proves nothing; after it, there is no reason to delete anything.
    const usual = isRepeated ? new Map<string, RecordedRequest[]>() : countObjects(reference, matches, mask);
    const judged = isRepeated ? record.requests.filter(({ step }) => step === restartStep) : record.requests;
    return [...countObjects({ requests: judged }, matches, mask)]
      .map(([id, requests]) => [id, requests.filter((request) => !isReasonable(plan, record, id, request))] as const)
      .filter(([id, { length }]) => length > (usual.get(id)?.length ?? 0))
      .map(([id, requests]): Violation => ({
        oracle,
        about: id.split(" ")[0] ?? id,
        sentence: `The operator ${verb} ${id} ${times(requests.length)} instead of ${times(usual.get(id)?.length ?? 0)}.`,
        requests,
      }));
  });
}

function isReasonable(plan: Plan, record: RunRecord, id: string, request: RecordedRequest): boolean {
  return isCollected(plan, record, id, request) || (plan.faultClass === "exploration" && isReplaced(record, request));
}

/** A setting may ask for a new password: a Secret with another name takes the place of one that is deleted. */
function isReplaced({ requests }: RunRecord, { step, changes }: RecordedRequest): boolean {
  const deleted = changes.find((change) => isDataDeletion(change) && change.id.startsWith("/secrets "));
  const isOther = ({ id, before, after }: Change): boolean =>
    !before && after !== undefined && id.startsWith("/secrets ") && id !== deleted?.id;
  return (
    deleted !== undefined &&
    requests.some((each) => each.step === step && each.by === "operator" && each.changes.some(isOther))
  );
}

/** A cache that lags behind a deletion leads to objects whose owner is gone: the cluster deletes them at once. */
function isCollected(plan: Plan, { steps }: RunRecord, id: string, { step, changes }: RecordedRequest): boolean {
  const isDeletion = plan.steps.some(({ name, action }) => name === step && action.type === "delete");
  // An apply counts as a creation if it has created the object.
  return isDeletion && changes.some(isCreation) && steps.some(({ name, state }) => name === step && !state.has(id));
}

function times(count: number): string {
  return count === 0 ? "never" : count === 1 ? "once" : `${count} times`;
}

type Matches = (change: Change) => boolean;
const isCreation: Matches = ({ before, after }) => !before && after !== undefined;
// Storage that is in use is deleted later, by the cluster.
const isDataDeletion: Matches = ({ id, before, after }) =>
  before !== undefined &&
  before.metadata.deletionTimestamp === undefined &&
  (!after || after.metadata.deletionTimestamp !== undefined) &&
  /^\/(persistentvolumeclaims|secrets) /.test(id);

/** Objects that serve, or hold data: other objects, such as an entry of a registry, may be replaced at any time. */
const isServiceDeletion: Matches = ({ id, before, after }) => before !== undefined && !after && updatable.test(id);

const creations = ["recreated", "created", isCreation] as const;
const dataDeletions = ["data-deleted", "deleted", isDataDeletion] as const;
const serviceDeletions = ["data-deleted", "deleted", isServiceDeletion] as const;

/**
 * Violations for which a plan gives no reason. Drift is repaired with new objects; other settings may need other
 * objects.
 */
function countedIn(plan: Plan): readonly (readonly [Oracle, string, Matches])[] {
  const { faultClass, keepsData } = plan;
  if (hasFault(plan, "recreated")) return [dataDeletions, serviceDeletions];
  // Each version may create objects of its own.
  if (faultClass === "upgrade" || faultClass === "rollback") return [dataDeletions];
  if (faultClass === "exploration") return keepsData ? [dataDeletions] : [];
  return faultClass === "drift" || hasFault(plan, "deletion") ? [] : [creations, dataDeletions];
}

function countObjects(
  { requests }: Pick<RunRecord, "requests">,
  matches: Matches,
  mask: Mask,
): Map<string, RecordedRequest[]> {
  const found = new Map<string, RecordedRequest[]>();
  for (const request of requests) {
    if (request.by !== "operator") continue;
    for (const change of request.changes.filter(matches)) {
      const id = groupOf(mask, idOf(change));
      found.set(id, [...(found.get(id) ?? []), request]);
    }
  }
  return found;
}

/** Names objects with generated names by the common part of their names. */
function idOf({ id, after, before }: Change): string {
  const object = after ?? before;
  const prefix = object && prefixOf(object);
  return prefix === undefined ? id : `${id.slice(0, id.lastIndexOf(object?.metadata.name ?? ""))}${prefix}*`;
}

/** Finds objects that the operator deletes and creates again to change them. */
export function replaced({ requests }: RunRecord): Violation[] {
  const deleted = new Set<string>();
  const found = new Map<string, Violation>();
  for (const request of requests)
    for (const { id, before, after } of request.changes) {
      if (before && !after && request.by === "operator") deleted.add(id);
      if (before || !after || request.by !== "operator" || !deleted.has(id) || !updatable.test(id)) continue;
      const about = id.split(" ")[0] ?? id;
      const sentence = `The operator deletes ${id} and creates it again in the step “${request.step}”, instead of an update: nothing serves in between.`;
      found.set(about, { oracle: "recreated", about, sentence, requests: [request] });
    }
  return [...found.values()];
}

/** Finds custom resources that the operator creates after a user has deleted them. */
export function revivals({ steps }: Plan, { requests }: RunRecord): Violation[] {
  const applied = steps.flatMap(({ action }) => (action.type === "apply" ? action.objects.map(refOf) : []));
  const deletions = new Map<string, RecordedRequest>();
  for (const request of requests)
    for (const { id, before, after } of request.changes) {
      const deletion = deletions.get(id);
      if (request.by === "user" && (!after || after.metadata.deletionTimestamp !== undefined))
        deletions.set(id, request);
      else if (request.by === "user") deletions.delete(id);
      else if (deletion && !before && after && request.by === "operator" && isAmong(applied, refOf(after)))
        return [
          {
            oracle: "recreated",
            about: `${id.split(" ")[0]} after its deletion`,
            sentence: `The operator creates ${id} again after a user has deleted it.`,
            requests: [deletion, request],
          },
        ];
    }
  return [];
}
