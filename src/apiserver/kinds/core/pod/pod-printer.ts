import type { Fields } from "../../../../apimachinery/fields.ts";
import {
  conditionOf,
  isConditionTrue,
  isTerminating,
  listAt,
  numberAt,
  textAt,
  valueAt,
} from "../../printing/field-access.ts";
import { ageOf, type Printer, printer } from "../../printing/printer.ts";

export const podPrinter: Printer = printer(
  "Ready|Status|Restarts|Age|IP*|Node*|Nominated Node*|Readiness Gates*",
  (pod, now) => {
    const summary = summarize(pod);
    const restarted = summary.restarts > 0 && summary.lastRestart !== "";
    return [
      `${summary.ready}/${summary.total}`,
      summary.reason,
      restarted ? `${summary.restarts} (${ageOf(summary.lastRestart, now)} ago)` : String(summary.restarts),
      textAt(listAt(pod, "status", "podIPs")[0], "ip") || "<none>",
      textAt(pod, "spec", "nodeName") || "<none>",
      textAt(pod, "status", "nominatedNodeName") || "<none>",
      readinessGates(pod),
    ];
  },
);

interface Summary {
  ready: number;
  total: number;
  restarts: number;
  /** The latest end of a restarted container; RFC 3339 sorts as text. */
  lastRestart: string;
  reason: string;
}

function summarize(pod: Fields): Summary {
  const summary: Summary = {
    ready: 0,
    total: listAt(pod, "spec", "containers").length + sidecars(pod).size,
    restarts: 0,
    lastRestart: "",
    reason: textAt(pod, "status", "reason") || textAt(pod, "status", "phase"),
  };
  if (conditionOf(pod, "PodScheduled")?.["reason"] === "SchedulingGated") summary.reason = "SchedulingGated";
  const initializing = addInitContainers(pod, summary);
  if (!initializing || isConditionTrue(pod, "Initialized")) addContainers(pod, summary);
  if (isTerminating(pod)) {
    if (textAt(pod, "status", "reason") === "NodeLost") summary.reason = "Unknown";
    else if (!["Succeeded", "Failed"].includes(textAt(pod, "status", "phase"))) summary.reason = "Terminating";
  }
  return summary;
}

/** Returns the names of the init containers that keep running. */
function sidecars(pod: Fields): Set<unknown> {
  const initContainers = listAt(pod, "spec", "initContainers");
  return new Set(initContainers.filter((c) => c["restartPolicy"] === "Always").map((c) => c["name"]));
}

/** Counts up to the first init container that has not finished; returns true if there is one. */
function addInitContainers(pod: Fields, summary: Summary): boolean {
  const keepRunning = sidecars(pod);
  const statuses = listAt(pod, "status", "initContainerStatuses");
  const total = listAt(pod, "spec", "initContainers").length;
  for (const [index, status] of statuses.entries()) {
    countRestarts(status, summary);
    const ended = valueAt(status, "state", "terminated");
    if (ended !== undefined && numberAt(ended, "exitCode") === 0) continue;
    if (keepRunning.has(status["name"]) && status["started"] === true) {
      if (status["ready"] === true) summary.ready++;
      continue;
    }
    const waiting = textAt(status, "state", "waiting", "reason");
    if (ended !== undefined) summary.reason = `Init:${endReason(ended)}`;
    else if (waiting !== "" && waiting !== "PodInitializing") summary.reason = `Init:${waiting}`;
    else summary.reason = `Init:${index}/${total}`;
    return true;
  }
  return false;
}

/** Takes the reason of the first container that waits or has ended. Restarts of init containers no longer count. */
function addContainers(pod: Fields, summary: Summary): void {
  summary.restarts = 0;
  summary.lastRestart = "";
  const keepRunning = sidecars(pod);
  for (const status of listAt(pod, "status", "initContainerStatuses")) {
    if (keepRunning.has(status["name"])) countRestarts(status, summary);
  }
  let running = false;
  for (const status of listAt(pod, "status", "containerStatuses").toReversed()) {
    countRestarts(status, summary);
    const waiting = textAt(status, "state", "waiting", "reason");
    const ended = valueAt(status, "state", "terminated");
    if (waiting !== "") summary.reason = waiting;
    else if (ended !== undefined) summary.reason = endReason(ended);
    else if (status["ready"] === true && valueAt(status, "state", "running") !== undefined) {
      running = true;
      summary.ready++;
    }
  }
  if (summary.reason === "Completed" && running) {
    summary.reason = isConditionTrue(pod, "Ready") ? "Running" : "NotReady";
  }
}

function countRestarts(status: Fields, summary: Summary): void {
  summary.restarts += numberAt(status, "restartCount");
  const ended = textAt(status, "lastState", "terminated", "finishedAt");
  if (ended > summary.lastRestart) summary.lastRestart = ended;
}

function endReason(terminated: unknown): string {
  const signal = numberAt(terminated, "signal");
  const without = signal === 0 ? `ExitCode:${numberAt(terminated, "exitCode")}` : `Signal:${signal}`;
  return textAt(terminated, "reason") || without;
}

function readinessGates(pod: Fields): string {
  const gates = listAt(pod, "spec", "readinessGates");
  if (gates.length === 0) return "<none>";
  const met = gates.filter((gate) => isConditionTrue(pod, textAt(gate, "conditionType")));
  return `${met.length}/${gates.length}`;
}
