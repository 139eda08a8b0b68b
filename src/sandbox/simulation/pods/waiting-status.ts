import type { Container, ContainerStatus, Pod, PodStatus } from "../context/simulated-kinds.ts";
import { initializedContainer, waitingContainer } from "./container-status.ts";
import { unreadyBecauseOf, updateConditions, type ConditionChange } from "./pod-conditions.ts";
import type { Lack } from "./pod-needs.ts";
import type { PodPlace } from "./pod-state.ts";

const done: ConditionChange = { status: "True" };

/** Returns the status of a pod some of whose images can't be pulled. */
export function failedPullStatus(pod: Pod, place: PodPlace, fails: (container: Container) => boolean): PodStatus {
  const containerStatuses = pod.spec.containers.map((container) => {
    if (!fails(container)) return waitingContainer(container, "ContainerCreating");
    return waitingContainer(container, "ImagePullBackOff", `Back-off pulling image "${container.image}"`);
  });
  return { ...pendingStatus(pod, place, { ready: done, initialized: done }), containerStatuses };
}

/** Returns the status of a pod that lacks something. */
export function lackingStatus(pod: Pod, lack: Lack, place: PodPlace): PodStatus {
  if (lack.type === "claim" || lack.type === "node") {
    const PodScheduled = { status: "False", reason: "Unschedulable", message: lack.message } as const;
    return { ...pod.status, phase: "Pending", conditions: updateConditions(pod.status, place.now, { PodScheduled }) };
  }
  const { initContainers = [], containers } = pod.spec;
  // Those before it have ended.
  const lacking = lack.type === "volume" ? 0 : initContainers.findIndex(({ name }) => name === lack.container);
  const isInitialized = initContainers.length === 0 || lacking < 0;
  const wait = (container: Container): ContainerStatus => {
    if (lack.type === "variable" && container.name === lack.container)
      return waitingContainer(container, "CreateContainerConfigError", lack.message);
    return waitingContainer(container, isInitialized ? "ContainerCreating" : "PodInitializing");
  };
  const begin = (container: Container, index: number): ContainerStatus =>
    isInitialized || index < lacking ? initializedContainer(container, place.now) : wait(container);
  const initContainerStatuses = initContainers.map(begin);
  const initialized = isInitialized ? done : uninitializedBecauseOf(initContainers.slice(lacking));
  const ready: ConditionChange = lack.type === "volume" ? { status: "False" } : done;
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
    startTime: pod.status?.["startTime"] ?? now,
  };
}

function uninitializedBecauseOf(containers: readonly Container[]): ConditionChange {
  const names = containers.map(({ name }) => name).join(" ");
  const message = `containers with incomplete status: [${names}]`;
  return { status: "False", reason: "ContainersNotInitialized", message };
}
