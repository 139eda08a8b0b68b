import { createHash } from "node:crypto";
import type { Container, ContainerStatus } from "../context/simulated-kinds.ts";
import type { ContainerEnd } from "./planned-end.ts";

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
