import { isSidecar } from "../context/restart-policy.ts";
import type { Container, ContainerStatus, Pod } from "../context/simulated-kinds.ts";
import { followCommand } from "./command-stages.ts";
import { createdContainer, isTerminated, terminate } from "./container-status.ts";
import { plannedEnd } from "./planned-end.ts";
import type { PodPlace } from "./pod-state.ts";

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
