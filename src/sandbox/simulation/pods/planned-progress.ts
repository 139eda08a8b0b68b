import {
  backOffAfter,
  endsAfter,
  isSidecar,
  restartDelayMs,
  runsToCompletion,
  startsAgain,
} from "../context/restart-policy.ts";
import type { Container, ContainerStatus, Pod } from "../context/simulated-kinds.ts";
import { type Commands, type ContainerProgress, waitingContainer } from "./command-stages.ts";
import { deadlineIn, plannedEnd, runForMs } from "./planned-end.ts";

interface PlannedProgress extends ContainerProgress {
  /** When the container ends or starts again, if it does. */
  readonly changesAt?: number;
}

/**
 * Returns the states of the containers of a pod that runs to completion, as its annotations plan them; of its init
 * containers only those that fail and start again.
 */
export function plannedProgress(pod: Pod, now: string): ReadonlyMap<string, PlannedProgress> {
  if (!runsToCompletion(pod)) return new Map();
  const { initContainerStatuses = [], containerStatuses = [], phase } = pod.status ?? {};
  const progress = new Map<string, PlannedProgress>();
  for (const container of phase === "Running" ? [] : (pod.spec.initContainers ?? [])) {
    const known = initContainerStatuses.find(({ name }) => name === container.name);
    const status = known ?? waitingContainer(container, "PodInitializing");
    if (startsOver(pod, container, status)) progress.set(container.name, progressOf(pod, status, Date.parse(now), 0));
  }
  for (const status of containerStatuses)
    progress.set(status.name, progressOf(pod, status, Date.parse(now), runForMs(pod)));
  return progress;
}

/** Reports whether an init container fails, or has failed and is not over. */
function startsOver(pod: Pod, container: Container, { restartCount, state }: ContainerStatus): boolean {
  if (pod.spec.restartPolicy !== "OnFailure" || isSidecar(container)) return false;
  const isUnderWay = restartCount > 0 || "running" in state || "terminated" in state;
  return isUnderWay || plannedEnd(pod, container.name).exitCode !== 0;
}

/** Returns the milliseconds until a pod on the node changes because of the time, if it does. */
export function changesIn(pod: Pod, now: string, commands?: Commands): number | undefined {
  const planned = [...plannedProgress(pod, now)].filter(([name]) => !commands?.has(name));
  const times = planned.map(([, { changesAt = Infinity }]) => changesAt - Date.parse(now));
  const ms = Math.min(...[deadlineIn(pod, now), ...times].filter((time) => time > 0));
  return Number.isFinite(ms) ? ms : undefined;
}

function progressOf(
  pod: Pod,
  { name, state, lastState, restartCount }: ContainerStatus,
  now: number,
  runsForMs = 0,
): PlannedProgress {
  if (state.running) {
    const endsAt = Date.parse(state.running.startedAt ?? "") + runsForMs;
    if (now < endsAt) return { exitCode: undefined, restarts: restartCount, backOff: undefined, changesAt: endsAt };
    const end = plannedEnd(pod, name);
    return { exitCode: end.exitCode, restarts: restartCount, backOff: undefined, end };
  }
  const ended = state.terminated ?? lastState.terminated;
  if (!ended) return { exitCode: undefined, restarts: restartCount, backOff: undefined };
  const { exitCode, startedAt = "" } = ended;
  if (!startsAgain(pod, name, exitCode)) return { exitCode, restarts: restartCount, backOff: undefined };
  const finishedAt = Date.parse(ended.finishedAt ?? "");
  const backOff = backOffAfter(endsAfter(restartCount, finishedAt - Date.parse(startedAt)));
  const changesAt = finishedAt + restartDelayMs(backOff);
  return now < changesAt
    ? { exitCode, restarts: restartCount, backOff, changesAt }
    : { exitCode: undefined, restarts: restartCount + 1, backOff: undefined };
}
