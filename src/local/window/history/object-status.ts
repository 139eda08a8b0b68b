import { isConditionTrue } from "../../../apimachinery/conditions.ts";
import { textOf } from "../../../apimachinery/fields.ts";
import { isObject } from "../../../apimachinery/is-object.ts";
import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import type { ConditionRow, ObjectRow, Tone } from "../contract.ts";

type Status = ObjectRow["status"];

/** Describes the state of an object in a word or two, as kubectl's tables do. */
export function describeStatus(object: UnstructuredObject): Status {
  if (object.metadata.deletionTimestamp !== undefined) return { text: "Terminating", tone: "busy" };
  const [spec, status] = [fieldsOf(object["spec"]), fieldsOf(object["status"])];
  switch (object.kind ?? "") {
    case "Pod":
      return podStatus(status);
    case "Deployment":
    case "StatefulSet":
    case "ReplicaSet":
    case "ReplicationController":
      return share(status["readyReplicas"], spec["replicas"] ?? 1);
    case "DaemonSet":
      return share(status["numberReady"], status["desiredNumberScheduled"]);
    case "Job":
      return jobStatus(spec, status);
    case "Event":
      return { text: textOf(object["reason"]), tone: object["type"] === "Warning" ? "bad" : "none" };
    default:
      return byConditions(conditionsOf(object)) ?? byPhase(status) ?? { text: "", tone: "none" };
  }
}

/** Returns the conditions of an object, without malformed ones. */
export function conditionsOf(object: UnstructuredObject): ConditionRow[] {
  const { conditions } = fieldsOf(object["status"]);
  if (!Array.isArray(conditions)) return [];
  return conditions.filter(isObject).map((condition) => ({
    type: textOf(condition["type"]),
    status: textOf(condition["status"]),
    reason: textOf(condition["reason"]),
    message: textOf(condition["message"]),
    since: Date.parse(textOf(condition["lastTransitionTime"])) || 0,
  }));
}

function podStatus(status: Fields): Status {
  const containers = [status["initContainerStatuses"], status["containerStatuses"]]
    .flatMap((list) => (Array.isArray(list) ? list : []))
    .map(fieldsOf);
  for (const { state } of containers) {
    const { waiting, terminated } = fieldsOf(state);
    const reason = textOf(fieldsOf(waiting)["reason"]);
    if (reason !== "")
      return { text: reason, tone: /^(ContainerCreating|PodInitializing)$/.test(reason) ? "busy" : "bad" };
    if (Number(fieldsOf(terminated)["exitCode"] ?? 0) !== 0)
      return { text: textOf(fieldsOf(terminated)["reason"]) || "Error", tone: "bad" };
  }
  const phase = textOf(status["phase"]) || "Pending";
  const isReady = containers.every(({ ready }) => ready === true);
  return { text: phase, tone: phase === "Running" && !isReady ? "busy" : toneOf(phase) };
}

function jobStatus(spec: Fields, status: Fields): Status {
  const ended = (Array.isArray(status["conditions"]) ? status["conditions"] : [])
    .map(fieldsOf)
    .find(({ type, status: is }) => (type === "Complete" || type === "Failed") && is === "True");
  if (ended) return { text: textOf(ended["type"]), tone: ended["type"] === "Complete" ? "good" : "bad" };
  return share(status["succeeded"], spec["completions"] ?? 1);
}

function share(ready: unknown, wanted: unknown): Status {
  const [have, want] = [Number(ready ?? 0), Number(wanted ?? 0)];
  return { text: `${have}/${want} ready`, tone: have >= want ? "good" : "busy" };
}

/** The conditions that speak for the whole object, in the order of their weight. */
const summaries = ["Ready", "Available", "Established", "Complete", "Accepted", "Succeeded"];

function byConditions(conditions: readonly ConditionRow[]): Status | undefined {
  if (isConditionTrue(conditions, "Degraded")) return { text: "Degraded", tone: "bad" };
  for (const summary of summaries) {
    const condition = conditions.find(({ type }) => type === summary);
    if (!condition) continue;
    if (condition.status === "True") return { text: summary, tone: "good" };
    const isFailure = /fail|error|invalid|denied/i.test(condition.reason);
    return { text: condition.reason || `not ${summary}`, tone: isFailure ? "bad" : "busy" };
  }
  return undefined;
}

function byPhase(status: Fields): Status | undefined {
  const phase = textOf(status["phase"] ?? status["state"]);
  return phase === "" ? undefined : { text: phase, tone: toneOf(phase) };
}

function toneOf(phase: string): Tone {
  if (/^(Running|Active|Bound|Succeeded|Ready|Available|Complete[d]?|Approved)$/i.test(phase)) return "good";
  return /fail|error|lost|unknown|crash/i.test(phase) ? "bad" : "busy";
}

type Fields = Readonly<Record<string, unknown>>;

/** Returns an object of any shape as its fields; none for another value. */
export function fieldsOf(value: unknown): Fields {
  return isObject(value) ? value : {};
}
