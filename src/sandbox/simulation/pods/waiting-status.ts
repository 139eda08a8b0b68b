import type { Container, ContainerStatus, Pod, PodStatus } from "../context/simulated-kinds.ts";
import {
  killRunning,
  runningContainer,
  terminate,
  waitingContainer,
  createdContainer,
  isTerminated,
  followCommand,
} from "./command-stages.ts";
import { type FailingInit, plannedEnd } from "./planned-progress.ts";
import { unreadyBecauseOf, updateConditions, type ConditionChange } from "./pod-conditions.ts";
import type { Lack } from "./pod-needs.ts";
import type { PodPlace } from "./pod-state.ts";
import { isSidecar } from "../context/restart-policy.ts";

const done: ConditionChange = { status: "True" };

/** Returns the status of a pod whose start waits for the images of containers, which can't be pulled. */
export function failedPullStatus(pod: Pod, place: PodPlace, broken: readonly Container[]): PodStatus {
  const at = pod.spec.initContainers?.findIndex((each) => broken.includes(each)) ?? -1;
  return startingStatus(pod, place, { at, reasonOf });

  function reasonOf(container: Container): [string, string] | undefined {
    return broken.includes(container) ? ["ImagePullBackOff", `Back-off pulling image "${container.image}"`] : undefined;
  }
}

/** Returns the status of a pod that lacks something. */
export function lackingStatus(pod: Pod, lack: Lack, place: PodPlace): PodStatus {
  if (lack.type === "claim" || lack.type === "node") {
    const PodScheduled = { status: "False", reason: "Unschedulable", message: lack.message } as const;
    return { ...pod.status, phase: "Pending", conditions: updateConditions(pod.status, place.now, { PodScheduled }) };
  }
  const at =
    lack.type === "volume" ? 0 : (pod.spec.initContainers ?? []).findIndex(({ name }) => name === lack.container);
  return startingStatus(pod, place, { at, reasonOf, ready: lack.type === "volume" ? { status: "False" } : done });

  function reasonOf({ name }: Container): [string, string] | undefined {
    return lack.type === "variable" && name === lack.container
      ? ["CreateContainerConfigError", lack.message]
      : undefined;
  }
}

/** Returns the status of a pod one of whose init containers has failed, so that the others never run. */
export function failedInitStatus(
  pod: Pod,
  place: PodPlace,
  { index, end, before = runningContainer(pod.spec.initContainers![index]!, place.now) }: FailedInit,
): PodStatus {
  const failed = { status: "False", reason: "PodFailed" } as const;
  const container = terminate(before, place.now, end);
  const status = startingStatus(pod, place, { at: index, reached: container, ready: { status: "False" } });
  return {
    ...status,
    phase: "Failed",
    conditions: updateConditions(status, place.now, { Ready: failed, ContainersReady: failed }),
    initContainerStatuses: killRunning(status.initContainerStatuses ?? [], place.now),
  };
}

interface FailedInit extends FailingInit {
  /** The status of the container before its end. */
  readonly before?: ContainerStatus;
}

/** Returns the status of a pod one of whose init containers runs, or waits to run again. */
export function initializingStatus(pod: Pod, place: PodPlace, at: number, reached: ContainerStatus): PodStatus {
  const { podIp } = place;
  return { ...startingStatus(pod, place, { at, reached }), podIP: podIp, podIPs: [{ ip: podIp }] };
}

interface Halt {
  /** The position of the init container that is not over; -1 if all are. */
  readonly at: number;
  /** The status of that container. */
  readonly reached?: ContainerStatus;
  /** Returns why a container waits, apart from those before it. */
  readonly reasonOf?: (container: Container) => [reason: string, message: string] | undefined;
  readonly ready?: ConditionChange;
}

/** Returns the status of a pod whose start has come to a halt. */
function startingStatus(pod: Pod, place: PodPlace, { at, reached, reasonOf, ready = done }: Halt): PodStatus {
  const { initContainers = [], containers } = pod.spec;
  const isInitialized = initContainers.length === 0 || at < 0;
  const wait = (container: Container): ContainerStatus => {
    const isReached = isInitialized || container === initContainers[at];
    if (reached && isReached) return reached;
    const [reason, message] = (isReached && reasonOf?.(container)) || [
      isInitialized ? "ContainerCreating" : "PodInitializing",
    ];
    return waitingContainer(container, reason, message);
  };
  // Those before it have ended.
  const begin = (container: Container, index: number): ContainerStatus =>
    isInitialized || index < at ? initializedContainer(pod, container, place) : wait(container);
  const initContainerStatuses = initContainers.map(begin);
  const initialized = isInitialized ? done : uninitializedBecauseOf(initContainers.slice(at));
  return {
    ...pendingStatus(pod, place, { ready, initialized }),
    ...(initContainers.length > 0 && { initContainerStatuses }),
    containerStatuses: containers.map(wait),
  };
}

function pendingStatus(
  pod: Pod,
  { now, hostIp }: PodPlace,
  { ready, initialized }: { readonly ready: ConditionChange; readonly initialized: ConditionChange },
): PodStatus {
  const unready = unreadyBecauseOf(pod.spec.containers.map(({ name }) => name));
  return {
    ...pod.status,
    phase: "Pending",
    conditions: updateConditions(pod.status, now, {
      PodReadyToStartContainers: ready,
      Initialized: initialized,
      Ready: unready,
      ContainersReady: unready,
    }),
    hostIP: hostIp,
    hostIPs: [{ ip: hostIp }],
    startTime: pod.status?.startTime ?? now,
  };
}

function uninitializedBecauseOf(containers: readonly Container[]): ConditionChange {
  const names = containers.map(({ name }) => name).join(" ");
  const message = `containers with incomplete status: [${names}]`;
  return { status: "False", reason: "ContainersNotInitialized", message };
}

/** Returns the status of an init container of a pod once its successors run; a sidecar runs alongside them. */
export function initializedContainer(pod: Pod, container: Container, { now, commands }: PodPlace): ContainerStatus {
  const before = pod.status?.initContainerStatuses?.find(({ name }) => name === container.name);
  if (before && isTerminated(before) && before.ready) return before;
  const created = createdContainer(container, before);
  const { restarts = created.restartCount } = commands?.get(container.name) ?? {};
  const running = followCommand(pod, created, { exitCode: undefined, restarts, backOff: undefined }, now).status;
  if (isSidecar(container)) return running;
  return { ...terminate(running, now, plannedEnd(pod, container.name)), ready: true };
}
