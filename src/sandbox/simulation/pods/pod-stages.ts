import { containersOf, isFinished, isLeaving, isReady, type PodPlace } from "./pod-state.ts";
import { runsToCompletion, startsAgain } from "../context/restart-policy.ts";
import type { Container, ContainerStatus, Pod, PodStatus } from "../context/simulated-kinds.ts";
import {
  commandStage,
  hasStopped,
  type CommandStage,
  followCommand,
  stageOf,
  type Commands,
  type ContainerEnd,
  containerStatus,
  isTerminated,
  killed,
  killRunning,
  runningContainer,
  terminate,
  createdContainer,
} from "./command-stages.ts";
import { initializedContainer, failedInitStatus, failedPullStatus, initializingStatus } from "./waiting-status.ts";
import { deadlineIn, failingInit, plannedEnd, plannedProgress } from "./planned-progress.ts";
import { updateConditions } from "./pod-conditions.ts";

/** The next stage of a pod. */
export type PodStage =
  | { readonly type: "schedule" }
  | { readonly type: "fail-pull"; readonly status: PodStatus; readonly images: readonly string[] }
  | { readonly type: "run"; readonly status: PodStatus; readonly images: readonly string[] }
  | { readonly type: "fail-init"; readonly status: PodStatus }
  | { readonly type: "run-ephemeral"; readonly status: PodStatus; readonly images: readonly string[] }
  | CommandStage
  | { readonly type: "finish"; readonly status: PodStatus }
  | { readonly type: "expire" }
  | { readonly type: "stop" }
  | { readonly type: "remove" };

/** Prefix of images that cannot be pulled, to test failures. */
const failingImage = "fail:";
/** Annotation of a pod that stays Pending. */
const keepPendingAnnotation = "tsop.dev/keep-pending";

/**
 * Returns the next stage of a pod, or none if nothing changes: `schedule` → `run` → `containers` → `finish`. A deleted
 * pod stops and is removed; one that a finalizer holds stays as a pod that has ended.
 */
export function nextPodStage(pod: Pod, place: PodPlace): PodStage | undefined {
  if (isLeaving(pod)) return leavingStage(pod);
  if (isFinished(pod)) return undefined;
  if (!pod.spec.nodeName) return keepsPending(pod) ? undefined : { type: "schedule" };
  if (deadlineIn(pod, place.now) <= 0) return { type: "expire" };
  const failing = failingInit(pod);
  const broken = brokenContainers(pod, failing?.index);
  if (broken.length > 0) {
    if (isWaiting(pod)) return undefined;
    return { type: "fail-pull", status: failedPullStatus(pod, place, broken), images: imagesOf(broken) };
  }
  if (failing && pod.spec.restartPolicy === "Never")
    return { type: "fail-init", status: failedInitStatus(pod, place, failing) };
  const commands = new Map([...plannedProgress(pod, place.now), ...(place.commands ?? [])]);
  const initializing = unfinishedInit(pod, commands);
  if (initializing >= 0) return initStage(pod, initializing, { ...place, commands });
  if (pod.status?.phase !== "Running" || (!isReady(pod) && !pod.status.containerStatuses?.some(hasStopped))) {
    return { type: "run", status: runningStatus(pod, place), images: imagesOf(containersOf(pod)) };
  }
  const added = addedContainers(pod);
  if (added.length > 0) return runEphemeral(pod, added, place);
  const goesOn = [...commands].some(
    ([name, { exitCode }]) => exitCode === undefined || startsAgain(pod, name, exitCode),
  );
  if (runsToCompletion(pod) && !goesOn)
    return { type: "finish", status: endedStatus(pod, { ...place, commands }, ({ name }) => plannedEnd(pod, name)) };
  return commandStage(pod, commands, place.now);
}

function leavingStage(pod: Pod): PodStage | undefined {
  const { finalizers, deletionGracePeriodSeconds } = pod.metadata;
  if (!finalizers?.length) return { type: "remove" };
  if (!isFinished(pod)) return { type: "stop" };
  // Without a grace period left, the pod is gone when its last finalizer is.
  return deletionGracePeriodSeconds ? { type: "remove" } : undefined;
}

function keepsPending({ metadata, spec }: Pod): boolean {
  return metadata.annotations?.[keepPendingAnnotation] !== undefined || Boolean(spec.schedulingGates?.length);
}

/**
 * Returns the containers that start next and whose images cannot be pulled: the first such init container, unless one
 * before it fails, or else those that start after all init containers.
 */
function brokenContainers({ spec: { initContainers = [], containers } }: Pod, failing = Infinity): Container[] {
  const init = initContainers.slice(0, failing + 1).find(isBroken);
  if (init) return [init];
  return failing === Infinity ? containers.filter(isBroken) : [];
}

function isBroken({ image = "" }: Container): boolean {
  return image.startsWith(failingImage);
}

function imagesOf(containers: readonly Container[]): string[] {
  return containers.map(({ image = "" }) => image);
}

function isWaiting(pod: Pod): boolean {
  return pod.status?.containerStatuses?.some(({ state }) => "waiting" in state) ?? false;
}

/** Returns the ephemeral containers that do not run yet. */
function addedContainers({ spec, status }: Pod): Container[] {
  const running = new Set(status?.ephemeralContainerStatuses?.map(({ name }) => name));
  return (spec.ephemeralContainers ?? []).filter(({ name }) => !running.has(name));
}

function runEphemeral({ status }: Pod, added: readonly Container[], { now }: PodPlace): PodStage {
  // An ephemeral container is never ready.
  const run = (container: Container): ContainerStatus => ({
    ...containerStatus(container),
    ready: false,
    state: { running: { startedAt: now } },
  });
  const ephemeralContainerStatuses = [...(status?.ephemeralContainerStatuses ?? []), ...added.map(run)];
  return { type: "run-ephemeral", status: { ...status, ephemeralContainerStatuses }, images: imagesOf(added) };
}

function runningStatus(pod: Pod, place: PodPlace): PodStatus {
  const { now, hostIp, podIp } = place;
  const { containers, initContainers } = pod.spec;
  return {
    ...pod.status,
    phase: "Running",
    conditions: updateConditions(pod.status, now, {
      PodReadyToStartContainers: { status: "True" },
      Initialized: { status: "True" },
      Ready: { status: "True" },
      ContainersReady: { status: "True" },
    }),
    hostIP: hostIp,
    hostIPs: [{ ip: hostIp }],
    podIP: podIp,
    podIPs: [{ ip: podIp }],
    startTime: pod.status?.startTime ?? now,
    ...(initContainers && {
      initContainerStatuses: initContainers.map((each) => initializedContainer(pod, each, place)),
    }),
    containerStatuses: containers.map((each) => runningContainer(each, now)),
  };
}

/** Returns the status of a pod that is stopped because it is deleted. */
export function stoppedStatus(pod: Pod, place: Pick<PodPlace, "now" | "commands">): PodStatus {
  if (pod.status?.phase === "Running") return endedStatus(pod, place, () => killed);
  const containerStatuses = pod.status?.containerStatuses?.map(lostContainer);
  const initContainerStatuses = pod.status?.initContainerStatuses?.map((status) => {
    const exitCode = place.commands?.get(status.name)?.exitCode;
    const end = exitCode === undefined ? killed : { exitCode };
    return "running" in status.state ? terminate(status, place.now, end) : status;
  });
  return {
    ...pod.status,
    phase: "Failed",
    ...(initContainerStatuses && { initContainerStatuses }),
    ...(containerStatuses && { containerStatuses }),
  };
}

/** Returns the status of a container that never ran, of a pod that is gone. */
function lostContainer(status: ContainerStatus): ContainerStatus {
  const message = "The container could not be located when the pod was terminated";
  const terminated = {
    ...killed,
    reason: "ContainerStatusUnknown",
    message,
    startedAt: null,
    finishedAt: null,
  };
  return { ...status, state: { terminated } as object };
}

/** Returns the status of a pod that has been on the node for longer than its deadline. */
export function expiredStatus(pod: Pod, place: Pick<PodPlace, "now" | "commands">): PodStatus {
  return { ...stoppedStatus(pod, place), phase: "Failed", reason: "DeadlineExceeded", message: deadlineMessage };
}

export const deadlineMessage = "Pod was active on the node longer than the specified deadline";

/** Returns the status of a pod whose containers end: those with a command as it did, the others as `endOf` says. */
function endedStatus(
  pod: Pod,
  { now, commands }: Pick<PodPlace, "now" | "commands">,
  endOf: (status: ContainerStatus) => ContainerEnd,
): PodStatus {
  const containerStatuses = (pod.status?.containerStatuses ?? []).map((status) => {
    if (isTerminated(status)) return status;
    const command = commands?.get(status.name);
    return terminate(status, now, command ? { exitCode: command.exitCode ?? 0, ...command.end } : endOf(status));
  });
  const hasFailed = containerStatuses.some(({ state }) => state.terminated?.exitCode !== 0);
  const reason = hasFailed ? "PodFailed" : "PodCompleted";
  return {
    ...pod.status,
    phase: hasFailed ? "Failed" : "Succeeded",
    conditions: updateConditions(pod.status, now, {
      PodReadyToStartContainers: { status: "False" },
      Initialized: hasFailed ? { status: "True" } : { status: "True", reason },
      Ready: { status: "False", reason },
      ContainersReady: { status: "False", reason },
    }),
    ...(pod.status?.initContainerStatuses && {
      initContainerStatuses: killRunning(pod.status.initContainerStatuses, now),
    }),
    containerStatuses,
  };
}

/** Returns the position of the first init container that is not over; -1 if all are. Those without a state are. */
export function unfinishedInit({ spec, status }: Pod, commands: Commands): number {
  if (status?.phase === "Running") return -1;
  return (spec.initContainers ?? []).findIndex(({ name }) => (commands.get(name) ?? { exitCode: 0 }).exitCode !== 0);
}

/** Returns the stage in which an init container starts, ends or waits to start again; none if nothing changes. */
function initStage(
  pod: Pod,
  at: number,
  place: PodPlace & { readonly commands: Commands },
): CommandStage | { readonly type: "finish"; readonly status: PodStatus } | undefined {
  const container = pod.spec.initContainers![at]!;
  const command = place.commands.get(container.name);
  const before = createdContainer(container, pod.status?.initContainerStatuses?.[at]);
  if (command?.exitCode !== undefined && !startsAgain(pod, container.name, command.exitCode)) {
    const end = { exitCode: command.exitCode, ...command.end };
    return { type: "finish", status: failedInitStatus(pod, place, { index: at, end, before }) };
  }
  const change = followCommand(pod, before, command, place.now);
  if (change.change === undefined) return undefined;
  const started = change.change === "started" ? { ...change.status, ready: false } : change.status;
  return stageOf(initializingStatus(pod, place, at, started), [change]);
}
