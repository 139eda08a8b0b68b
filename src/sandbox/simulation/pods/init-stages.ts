import { startsAgain } from "../context/restart-policy.ts";
import type { Pod, PodStatus } from "../context/simulated-kinds.ts";
import { followCommand, stageOf, type Commands, type CommandStage } from "./command-stages.ts";
import { createdContainer } from "./container-status.ts";
import type { PodPlace } from "./pod-state.ts";
import { failedInitStatus, initializingStatus } from "./waiting-status.ts";

/** Returns the position of the first init container that is not over; -1 if all are. Those without a state are. */
export function unfinishedInit({ spec, status }: Pod, commands: Commands): number {
  if (status?.phase === "Running") return -1;
  return (spec.initContainers ?? []).findIndex(({ name }) => (commands.get(name) ?? { exitCode: 0 }).exitCode !== 0);
}

/** Returns the stage in which an init container starts, ends or waits to start again; none if nothing changes. */
export function initStage(
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
