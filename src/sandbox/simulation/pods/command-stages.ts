import type { CommandState } from "../context/container-commands.ts";
import type { ContainerStatus, Pod, PodStatus } from "../context/simulated-kinds.ts";
import { isTerminated, terminate } from "./container-status.ts";
import { unreadyBecauseOf, updateConditions } from "./pod-conditions.ts";

/** The commands of a pod's containers, by name; a container without one is simulated. */
export type Commands = ReadonlyMap<string, CommandState>;

/** The containers whose state has changed. */
export interface CommandStage {
  readonly type: "containers";
  readonly status: PodStatus;
  readonly ended: readonly string[];
  readonly started: readonly string[];
  readonly waiting: readonly string[];
}

/** Returns the stage in which containers end and start as their commands do; none if nothing changes. */
export function commandStage({ metadata, status }: Pod, commands: Commands, now: string): CommandStage | undefined {
  const current = status?.containerStatuses ?? [];
  const ended: string[] = [];
  const started: string[] = [];
  const waiting: string[] = [];
  const containerStatuses = current.map((each) => {
    const command = commands.get(each.name);
    if (!command) return each;
    if (command.exitCode === undefined) {
      if ("running" in each.state && each.restartCount === command.restarts) return each;
      started.push(each.name);
      return runAgain(each, command, now);
    }
    if ("running" in each.state) {
      ended.push(each.name);
      return terminate(each, now, { exitCode: command.exitCode });
    }
    if (command.backOff === undefined || "waiting" in each.state) return each;
    waiting.push(each.name);
    const pod = `${metadata.name}_${metadata.namespace}(${metadata.uid})`;
    return waitForRestart(
      each,
      `back-off ${duration(command.backOff)} restarting failed container=${each.name} pod=${pod}`,
    );
  });
  if (ended.length + started.length + waiting.length === 0) return undefined;
  const stopped = containerStatuses.filter(({ state }) => !("running" in state)).map(({ name }) => name);
  const ready = stopped.length > 0 ? unreadyBecauseOf(stopped) : ({ status: "True" } as const);
  const conditions = updateConditions(status, now, { Ready: ready, ContainersReady: ready });
  return { type: "containers", status: { ...status, conditions, containerStatuses }, ended, started, waiting };
}

/** Reports whether a container of a running pod has ended. */
export function hasStopped({ state }: ContainerStatus): boolean {
  return (
    "terminated" in state || ("waiting" in state && (state["waiting"] as { reason?: string }).reason === crashLoop)
  );
}

const crashLoop = "CrashLoopBackOff";

function waitForRestart(status: ContainerStatus, message: string): ContainerStatus {
  return { ...status, state: { waiting: { reason: crashLoop, message } }, lastState: status.state };
}

function runAgain(status: ContainerStatus, { restarts }: CommandState, now: string): ContainerStatus {
  const lastState = isTerminated(status) ? status.state : status.lastState;
  const running = { startedAt: now };
  return { ...status, ready: true, started: true, restartCount: restarts, state: { running }, lastState };
}

/** Writes seconds as Go does: `10s`, `2m40s`. */
function duration(seconds: number): string {
  return seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}m${seconds % 60}s`;
}
