import { groupBy } from "../../apimachinery/group-by.ts";
import { differencesFrom, type Expectation } from "../plans/expectation.ts";
import { hasFault, isUserStep, restartStep, type Plan } from "../plans/plan.ts";
import { needsOlderVersion } from "../plans/upgrade-plans.ts";
import { endless } from "../world/log-watch.ts";
import type { Difference } from "../world/object-state.ts";
import type { Change, LoggedError, RecordedRequest, RunRecord } from "../world/run-record.ts";
import { isPathOf } from "../world/traffic.ts";
import { recreated, replaced, revivals, type Judged } from "./judge-creations.ts";
import { describeChange } from "./describe-change.ts";
import { aboutDifference, describeDifference } from "./describe-difference.ts";
import { ownerHint } from "./owner-hint.ts";
import { unfollowed } from "./judge-mirrors.ts";
import { hintOfVersions, refusedManifests, sinceUpgrade } from "./judge-upgrade.ts";
import type { Violation } from "./violation.ts";

/** The number of equal writes without effect in one step that waste the server's time. */
const wasted = 5;

/** The pods of one step that take the simulation, and an operator that follows them, longer than a step lasts. */
const manyPods = 100;

/** The number of the last writes that a finding shows. */
const shownWrites = 12;

/** A conflict is how a write that was computed from an older state is found; the next try succeeds. */
const isRetried = /the object has been modified|Conflict/;

/** Compares a run with the reference. */
export function judgeRun({ plan, record: whole }: Judged, reference: RunRecord, expectation: Expectation): Violation[] {
  const refused = refusedManifests(whole);
  if (refused.length > 0) return refused;
  const record = sinceUpgrade(plan, whole);
  const broken = breakdowns(record);
  // Other violations then come from that.
  if (broken.length > 0) return broken;
  const revived = revivals(plan, record);
  if (revived.length > 0) return revived;
  // After the operator has seen a deletion, its deletions decide whether its writes are right.
  if (hasFault(plan, "recreated")) return recreated({ plan, record }, reference, expectation.mask);
  const wrong = wrongState({ plan, record }, expectation);
  return [
    ...wrong,
    ...(plan.faultClass === "exploration" ? unfollowed(plan.steps.filter(isUserStep), record) : []),
    // One of several objects is enough: they have one cause, as has a wrong state.
    ...(wrong.length > 0 ? [] : recreated({ plan, record }, reference, expectation.mask).slice(0, 1)),
    ...(needsOlderVersion(plan.faultClass) ? [...replaced(record), ...fights(record)] : []),
    ...restartWrites({ plan, record }),
    // In a long step, errors and writes without effect may repeat at intervals.
    ...(plan.staysMs === undefined ? judgeAlways(record) : forbidden(record)),
  ];
}

/** Judges the rules for all runs, the reference included. */
export function judgeAlways(record: RunRecord): Violation[] {
  return [...breakdowns(record), ...noOpWrites(record), ...endlessErrors(record), ...forbidden(record)];
}

function wrongState({ plan, record }: Judged, expectation: Expectation): Violation[] {
  const last = record.steps.at(-1);
  if (!last || last.quiet || isOverloaded(record)) return [];
  const outcome = { state: last.state, requests: record.requests };
  const found = differencesFrom(expectation, plan, plan.steps[record.steps.length - 1] ?? {}, outcome);
  if (found.length === 0) return [restless(record, last.name)];
  // The first one names the violation: a status that keeps a history must not hide an object that is left.
  const differences = [...found.filter((each) => !isOfStatus(each)), ...found.filter(isOfStatus)];
  const [first] = differences;
  return [
    {
      oracle: last.left ? "unstable" : "wrong-state",
      about: aboutState(first!, plan, record),
      sentence: last.left
        ? `The step “${last.name}” reaches its state and leaves it again: ${describeDifference(first!)}${more(differences.length - 1)}.`
        : `After the step “${last.name}”, ${describeDifference(first!)}${more(differences.length - 1)}.`,
      hint: needsOlderVersion(plan.faultClass) ? hintOfVersions(first!, record) : hintAbout(plan, record),
      differences,
      requests: lastWrites(record),
    },
  ];
}

/** Returns the operator's last writes, and the write that met the fault, which may have been refused. */
function lastWrites({ requests }: RunRecord): RecordedRequest[] {
  const writes = requests.filter(({ changes, by, fault }) => by === "operator" && (changes.length > 0 || fault));
  return writes.filter(({ fault }, index) => fault !== undefined || index >= writes.length - shownWrites);
}

function isOfStatus({ path }: Difference): boolean {
  return path.startsWith("status.");
}

/** Returns a likely cause of a state that is wrong after a drift. */
function hintAbout(plan: Plan, record: RunRecord): string | undefined {
  const drifted = driftedObject(plan, record);
  if (!drifted) return undefined;
  if (isUnwatched(plan, record)) return `the operator does not watch ${drifted.id.split(" ")[0]}`;
  const { ownerReferences: owners = [] } = drifted.before?.metadata ?? {};
  const mistake = drifted.before && ownerHint(drifted.before, record);
  if (mistake !== undefined) return mistake;
  if (owners.length === 0 || owners.some(({ controller }) => controller)) return hintOfSilence(drifted, record);
  return "the owner reference has no `controller: true`, without which `owns` of tsop and of controller-runtime does not follow the object";
}

/** Says why an operator may send nothing after the change of an object whose kind it watches. */
function hintOfSilence({ after }: Change, { requests, errors, steps }: RunRecord): string | undefined {
  const step = steps.at(-1)?.name;
  const isSilent = !requests.some((each) => each.step === step && each.by === "operator");
  if (!isSilent || errors.some((error) => error.step === step)) return undefined;
  return after
    ? "no change of the object leads to a reconcile, or the reconcile does not compare this field"
    : "no deletion of the object leads to a reconcile, although its kind is watched";
}

/** Names the cause of a wrong state by its first difference, if not all objects or fields of a sort share a cause. */
function aboutState(difference: Difference, plan: Plan, record: RunRecord): string {
  if (isUnwatched(plan, record)) return "objects that the operator does not watch";
  if (isLostDefault(difference, plan)) return `${difference.id.split(" ")[0]} defaults that are not set again`;
  return aboutDifference(difference);
}

/** Reports whether the custom resource had a value that no user had set, and lost it after a change back. */
function isLostDefault({ id, path, actual }: Difference, { faultClass, steps }: Plan): boolean {
  const action = steps[1]?.action;
  if (faultClass !== "exploration" || action?.type !== "patch") return false;
  const { apiVersion, namespace = "", name } = action.target;
  const isTarget = id.startsWith(`${apiVersion.split("/")[0]}/`) && id.endsWith(` ${namespace}/${name}`);
  return isTarget && path.startsWith("spec.") && actual === undefined;
}

/** Returns the change by which an object drifts. */
function driftedObject({ faultClass, steps }: Plan, { requests }: RunRecord): Change | undefined {
  if (faultClass !== "drift") return undefined;
  const drift = steps.find(({ reaches }, index) => index > 0 && reaches === steps[index - 1]?.reaches);
  return requests.find(({ step, by }) => step === drift?.name && by === "user")?.changes[0];
}

/** Reports whether the object that drifts is of a kind without a watch: all such objects have one cause. */
function isUnwatched(plan: Plan, record: RunRecord): boolean {
  const drifted = driftedObject(plan, record);
  if (!drifted) return false;
  return ![...record.watched].some((path) => isPathOf(path, drifted));
}

/**
 * Reports whether a run asked for more pods than the simulation brings up in the time of a step: that the state is not
 * reached is then no fault of the operator's.
 */
export function isOverloaded({ steps, requests }: RunRecord): boolean {
  const last = steps.at(-1);
  if (!last || last.quiet) return false;
  const pods = new Set(
    requests
      .filter(({ step, by }) => step === last.name && by === "cluster")
      .flatMap(({ changes }) => changes.map(({ id }) => id).filter((id) => id.startsWith("/pods "))),
  );
  return pods.size >= manyPods;
}

/** The changes of one object in a step that no usual work needs. */
const manyChanges = 100;

/** Reports whether the operator changes an object over and over, even if it ends by chance. */
export function isHot({ requests }: RunRecord, name: string): boolean {
  const counts = new Map<string, number>();
  for (const { step, by, changes, signature } of requests)
    if (step === name && by === "operator" && changes.length > 0)
      counts.set(signature, (counts.get(signature) ?? 0) + 1);
  return Math.max(0, ...counts.values()) >= manyChanges;
}

/** Finds an operator that keeps writing although the state is right. */
export function restless(record: RunRecord, step: string): Violation {
  const requests = record.requests.filter((request) => request.step === step && request.by === "operator");
  const effective = requests.filter(({ changes }) => changes.length > 0);
  const writtenByNeighbours = groupBy(
    record.requests.filter((request) => request.step === step && request.by === "neighbour"),
    ({ changes: [change] }) => change!.id,
  );
  // A status follows from what they write to other objects.
  const contested = effective.filter(
    ({ changes: [change], signature }) => !signature.endsWith("/status") && writtenByNeighbours.has(change!.id),
  );
  const last = mostRepeated(contested.length > 0 ? contested : effective).at(-1);
  const [change] = last?.changes ?? [];
  const rivals = writtenByNeighbours.get(change?.id ?? "") ?? [];
  const how = change ? `, the last time with ${describeChange(change)}` : "";
  return {
    oracle: "restless",
    about: last?.signature ?? requests.at(-1)?.signature ?? step,
    sentence:
      rivals.length > 1
        ? `The operator and a neighbour change ${change?.id} in turn in the step “${step}”${how}.`
        : `The operator does not come to rest in the step “${step}”: it writes ${change ? `${change.id} ` : ""}again and again${how}.`,
    requests: [...(effective.length > 0 ? effective : requests).slice(-6), ...rivals.slice(-6)].sort(
      (a, b) => a.at - b.at,
    ),
  };
}

/** Finds two versions of an operator that change an object in turn while both work. */
function fights(record: RunRecord): Violation[] {
  return record.steps
    .filter(({ name, quiet }) => quiet && isHot(record, name))
    .map(({ name }) => restless(record, name));
}

/** Returns the requests of the write that is repeated most. */
function mostRepeated(requests: readonly RecordedRequest[]): readonly RecordedRequest[] {
  const groups = [...groupBy(requests, ({ signature }) => signature).values()];
  return groups.reduce((most, group) => (group.length > most.length ? group : most), []);
}

function more(count: number): string {
  return count > 0 ? ` (and ${count} more ${count === 1 ? "difference" : "differences"})` : "";
}

function restartWrites({ plan, record: { requests } }: Judged): Violation[] {
  const found = requests.filter(
    ({ step, by, changes }) => step === restartStep && by === "operator" && changes.length > 0,
  );
  const [first] = found;
  const [change] = first?.changes ?? [];
  if (!first || !change || hasFault(plan, "recreated")) return [];
  return [
    {
      oracle: "restart-writes",
      about: first.signature,
      sentence:
        plan.faultClass === "handover"
          ? `After another instance has taken over, the operator writes ${change.id} although nothing has changed: ${describeChange(change)}.`
          : `After a restart in a settled state, the operator writes ${change.id} although nothing has changed: ${describeChange(change)}.`,
      hint: hintOfRestart(plan, requests),
      requests: found,
    },
  ];
}

/** Says whether the operator may only see after its restart what a user has changed before. */
function hintOfRestart({ faults = [] }: Plan, requests: readonly RecordedRequest[]): string | undefined {
  const fault = faults.find(({ type }) => type === "restart");
  if (fault?.type !== "restart") return undefined;
  const before = requests.filter(({ step, changes }) => step === fault.step && changes.length > 0);
  const [change] = before.find(({ by }) => by === "user")?.changes ?? [];
  if (!change?.before || !change.after || before.some(({ by }) => by === "operator")) return undefined;
  return `the operator writes nothing in the step “${fault.step}”: the change of ${change.id} may lead to no reconcile`;
}

function breakdowns({ breakdowns, requests }: RunRecord): Violation[] {
  return breakdowns.slice(0, 1).map(({ how, step, lines, at }) => ({
    oracle: "breakdown" as const,
    about: `${how.replace(/\d+/g, "*")}${placeOf(lines)}`,
    sentence: `The operator ${how} in the step “${step}”.`,
    requests: requests.filter((request) => request.by === "operator" && request.at <= at).slice(-3),
    lines,
  }));
}

/** Returns the first function in a trace that belongs to a Go program itself. It identifies the panic. */
function placeOf(lines: readonly string[]): string {
  const calls = lines.flatMap((line) => line.split(/\\n|\n/)).filter((line) => /^[\w./-]+\.[\w.(*)[\]-]+\(/.test(line));
  const own = calls.find((call) => !/^(panic\(|runtime[./]|k8s\.io\/|sigs\.k8s\.io\/)/.test(call));
  return own === undefined ? "" : ` in ${own.replace(/\([^(]*$/, "")}`;
}

/** The time after which a watch that lags has shown a change: in the next step, if it was at the end of one. */
const shownMs = 1_000;

function noOpWrites({ requests, errors, steps, unreached }: RunRecord): Violation[] {
  const isShownIn = (step: string, { step: own, at }: RecordedRequest): boolean => {
    const before = steps[steps.findIndex(({ name }) => name === step) - 1];
    return own === step || (own === before?.name && at > before.ended - shownMs);
  };
  // After an error, and after each change that a watch shows, all may be written again; the first time needs no reason.
  // Server-side apply is meant to be used so.
  const triesIn = (step: string): number =>
    errors.reduce((sum, error) => (error.step === step ? sum + error.count : sum), 1) +
    requests.filter((request) => request.changes.length > 0 && isShownIn(step, request)).length;
  const idle = requests.filter(
    ({ by, status, changes, occurrence, step }) =>
      by === "operator" && status < 300 && changes.length === 0 && occurrence > 0 && !unreached.has(step),
  );
  return [...groupBy(idle, ({ step, signature }) => `${step}\n${signature}`).values()]
    .filter((group) => group.length >= wasted && group.length > triesIn(group[0]!.step))
    .map((group) => ({
      oracle: "no-op-writes" as const,
      about: group[0]!.signature,
      sentence: `The operator sends the write “${group[0]!.signature}” ${group.length} times in the step “${group[0]!.step}”, and it changes nothing.`,
      hint: group.findLast(({ undone }) => undone !== undefined)?.undone,
      requests: group.slice(0, 3),
    }));
}

function endlessErrors({ errors, requests }: RunRecord): Violation[] {
  // An error that is followed by success, such as a conflict while watches lag, has ended.
  const lastChangeIn = (step: string): number =>
    Math.max(0, ...requests.filter((each) => each.step === step && each.changes.length > 0).map(({ at }) => at));
  const refused = requests.filter(
    (request) =>
      request.by === "operator" &&
      request.status >= 400 &&
      ![404, 409, 429, 501].includes(request.status) &&
      !request.fault &&
      !isRefusedByRole(request),
  );
  const refusals = [...groupBy(refused, ({ step, signature }) => `${step}\n${signature}`).values()]
    .filter((group) => group.length >= endless && !hasEnded(group, requests))
    .map((group): Violation => ({
      oracle: "endless-error",
      about: group[0]!.signature,
      sentence: `The server refuses “${group[0]!.signature}” again and again: ${group[0]!.message ?? group[0]!.status}.`,
      requests: group.slice(0, 3),
    }));
  // A cache that lags behind a deletion leads to a few of them.
  const isGone = ({ step, message }: LoggedError): boolean =>
    /not ?found/i.test(message) &&
    requests.some(({ step: at, by, verb }) => at === step && by === "user" && verb === "delete");
  const logged = errors
    .filter((error) => !isGone(error))
    .filter(({ count, message }) => count >= endless && !isRetried.test(message))
    .filter(({ step, last }) => last > lastChangeIn(step))
    .map(({ step, message, count }): Violation => ({
      oracle: "endless-error",
      about: message.slice(0, 80),
      sentence: `The operator logs the same error ${count} times in the step “${step}”, although the server accepts the object.`,
      lines: [message],
    }));
  return refusals.length > 0 ? refusals : logged.slice(0, 1);
}

/**
 * Reports whether an operator has got past a write that was refused: its cache may show what it needs only then. Writes
 * between refusals, such as a status with the error, do not count.
 */
function hasEnded(refusals: readonly RecordedRequest[], requests: readonly RecordedRequest[]): boolean {
  const [first, last] = [requests.indexOf(refusals[0]!), requests.indexOf(refusals.at(-1)!)];
  const done = ({ by, status, step }: RecordedRequest): boolean =>
    by === "operator" && status < 300 && step === refusals[0]?.step;
  const between = new Set(
    requests
      .slice(first, last)
      .filter(done)
      .map(({ signature }) => signature),
  );
  return requests.slice(last).some((request) => done(request) && !between.has(request.signature));
}

/** Admission refuses with 403, too: a quota, for example, or the end of a namespace. */
function isRefusedByRole({ status, message = "" }: RecordedRequest): boolean {
  return status === 403 && / cannot \S+ (resource|path) | is attempting to grant RBAC permissions /.test(message);
}

/** Names what a role lacks: `cannot patch resource "events" in API group "events.k8s.io"`, for any object. */
function permissionOf({ message = "" }: RecordedRequest): string {
  return /cannot .+?(?= in the namespace | at the cluster scope|$)/.exec(message)?.[0] ?? message;
}

function forbidden({ requests }: RunRecord): Violation[] {
  const refused = requests.filter((request) => request.by === "operator" && !request.fault && isRefusedByRole(request));
  return [...groupBy(refused, permissionOf)].map(([permission, group]) => ({
    oracle: "forbidden" as const,
    about: permission,
    sentence: `The operator's role does not allow a request: ${group[0]!.message ?? group[0]!.signature}.`,
    requests: group.slice(0, 1),
  }));
}
