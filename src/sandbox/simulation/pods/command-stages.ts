import type { CommandState } from "../context/container-commands.ts";
import type { ContainerStatus, Pod, PodStatus, Container } from "../context/simulated-kinds.ts";
import { unreadyBecauseOf, updateConditions } from "./pod-conditions.ts";
import { createHash } from "node:crypto";

/** How a container ends. */
export interface ContainerEnd {
  readonly exitCode: number;
  readonly reason?: string;
  /** Its termination message. */
  readonly message?: string;
}

/** The state of a container, according to its command or a plan. */
export interface ContainerProgress extends CommandState {
  /** What a plan says about its end. */
  readonly end?: ContainerEnd | undefined;
}

/** The states of a pod's containers by name; containers that are missing here keep their states. */
export type Commands = ReadonlyMap<string, ContainerProgress>;

/** The containers whose state has changed. */
export interface CommandStage {
  readonly type: "containers";
  readonly status: PodStatus;
  readonly ended: readonly string[];
  readonly started: readonly string[];
  readonly waiting: readonly string[];
}

/** Returns the stage in which containers end and start as their commands do; none if nothing changes. */
export function commandStage(pod: Pod, commands: Commands, now: string): CommandStage | undefined {
  const { status } = pod;
  const changes = (status?.containerStatuses ?? []).map((each) =>
    followCommand(pod, each, commands.get(each.name), now),
  );
  if (changes.every(({ change }) => change === undefined)) return undefined;
  const containerStatuses = changes.map((each) => each.status);
  const stopped = containerStatuses.filter(({ state }) => !("running" in state)).map(({ name }) => name);
  const ready = stopped.length > 0 ? unreadyBecauseOf(stopped) : ({ status: "True" } as const);
  const conditions = updateConditions(status, now, { Ready: ready, ContainersReady: ready });
  return stageOf({ ...status, conditions, containerStatuses }, changes);
}

/** The next status of a container. */
interface ContainerChange {
  readonly status: ContainerStatus;
  readonly change?: "ended" | "started" | "waiting";
}

/** Returns the next status of a container that ends and starts as its command does. */
export function followCommand(
  { metadata }: Pod,
  status: ContainerStatus,
  command: ContainerProgress | undefined,
  now: string,
): ContainerChange {
  if (!command) return { status };
  if (command.exitCode === undefined) {
    if ("running" in status.state && status.restartCount === command.restarts) return { status };
    return { status: runAgain(status, command, now), change: "started" };
  }
  const runsUnseen = status.restartCount !== command.restarts;
  if (!hasStopped(status) || runsUnseen) {
    const running = runsUnseen ? runAgain(status, command, now) : status;
    return { status: terminate(running, now, { exitCode: command.exitCode, ...command.end }), change: "ended" };
  }
  if (command.backOff === undefined || "waiting" in status.state) return { status };
  const pod = `${metadata.name}_${metadata.namespace}(${metadata.uid})`;
  const message = `back-off ${duration(command.backOff)} restarting failed container=${status.name} pod=${pod}`;
  return { status: waitForRestart(status, message), change: "waiting" };
}

/** Returns the stage that writes a status in which containers have changed. */
export function stageOf(status: PodStatus, changes: readonly ContainerChange[]): CommandStage {
  const names = (change: ContainerChange["change"]): string[] =>
    changes.filter((each) => each.change === change).map((each) => each.status.name);
  return { type: "containers", status, ended: names("ended"), started: names("started"), waiting: names("waiting") };
}

/** Reports whether a container of a running pod has ended. */
export function hasStopped({ state }: ContainerStatus): boolean {
  return state.terminated !== undefined || state.waiting?.reason === crashLoop;
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

/** Returns what the status of a container says in all of its states. */
export function containerStatus({ name, image = "" }: Container): Omit<ContainerStatus, "ready" | "state"> {
  const id = (text: string) => createHash("sha256").update(text).digest("hex");
  return {
    name,
    image,
    imageID: `docker.io/simulated@sha256:${id(image)}`,
    containerID: `containerd://${id(`${name}/${image}`)}`,
    restartCount: 0,
    lastState: {},
  };
}

export function runningContainer(container: Container, now: string): ContainerStatus {
  return { ...containerStatus(container), ready: true, started: true, state: { running: { startedAt: now } } };
}

export function isTerminated({ state }: ContainerStatus): boolean {
  return "terminated" in state;
}

/** Returns the status of a running container that ends. */
export function terminate(status: ContainerStatus, now: string, end: ContainerEnd): ContainerStatus {
  const { startedAt = now } = status.state.running ?? {};
  const reason = end.exitCode === 0 ? "Completed" : "Error";
  const { containerID = "" } = status;
  const terminated = { reason, ...end, startedAt, finishedAt: now, ...(containerID && { containerID }) };
  return { ...status, ready: false, started: false, state: { terminated } };
}

/** The end of a container that is killed. */
export const killed: ContainerEnd = { exitCode: 137 };

/** Returns the statuses of containers once those that run are killed. */
export function killRunning(statuses: readonly ContainerStatus[], now: string): ContainerStatus[] {
  return statuses.map((status) => ("running" in status.state ? terminate(status, now, killed) : status));
}

/** Returns the status of an init container that is created. */
export function createdContainer(
  container: Container,
  before: ContainerStatus = waitingContainer(container, "PodInitializing"),
): ContainerStatus {
  const { restartCount, lastState } = before;
  return { ...before, ...containerStatus(container), restartCount, lastState };
}

/** Returns the status of a container that has not been created. */
export function waitingContainer(container: Container, reason: string, message?: string): ContainerStatus {
  const state = { waiting: message === undefined ? { reason } : { reason, message } };
  const { containerID: _none, ...status } = containerStatus(container);
  return { ...status, imageID: "", ready: false, started: false, state };
}
