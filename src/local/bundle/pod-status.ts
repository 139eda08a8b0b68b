import type { SandboxPod } from "../../sandbox/start-sandbox.ts";
import { formatTime } from "../../apimachinery/time.ts";

/** The program listens on this machine, but a Service accepts no pod with a loopback address. */
const podAddress = "10.244.255.1";

/** The state of the process of a pod. */
export type ProgramState =
  | { readonly type: "starting" | "ready" }
  | { readonly type: "ended"; readonly exitCode: number; readonly restarts: number }
  /** Something that the container needs does not exist. */
  | { readonly type: "waiting"; readonly message: string };

/** Returns the status that the kubelet would give a pod whose program is in a state. */
export function podStatus(pod: SandboxPod, program: ProgramState, restarts: number): NonNullable<SandboxPod["status"]> {
  const now = formatTime(new Date());
  const isReady = program.type === "ready";
  const status = isReady ? ("True" as const) : ("False" as const);
  const why = isReady ? {} : { reason: "ContainersNotReady" };
  const condition = (type: string, value: "True" | "False" = "True", more = {}) => ({
    type,
    status: value,
    lastProbeTime: null,
    lastTransitionTime: now,
    ...more,
  });
  const state = stateOf(program, now);
  const lastState = program.type === "ended" ? { terminated: { exitCode: program.exitCode, reason: "Error" } } : {};
  return {
    ...pod.status,
    phase: program.type === "waiting" ? "Pending" : "Running",
    podIP: podAddress,
    podIPs: [{ ip: podAddress }],
    hostIP: "127.0.0.1",
    startTime: pod.status?.["startTime"] ?? now,
    conditions: [
      ...(pod.status?.conditions ?? []).filter(({ type }) => type === "PodScheduled"),
      condition("PodReadyToStartContainers"),
      condition("Initialized"),
      condition("ContainersReady", status, why),
      condition("Ready", status, why),
    ],
    containerStatuses: pod.spec.containers.map(({ name, image = "" }) => ({
      name,
      image,
      imageID: "",
      ready: isReady,
      started: program.type === "starting" || isReady,
      restartCount: restarts,
      state,
      lastState,
    })),
  };
}

function stateOf(program: ProgramState, startedAt: string): Record<string, object> {
  if (program.type === "waiting")
    return { waiting: { reason: "CreateContainerConfigError", message: program.message } };
  if (program.type !== "ended") return { running: { startedAt } };
  const message = `back-off restarting failed container: exit code ${program.exitCode}`;
  return { waiting: { reason: "CrashLoopBackOff", message } };
}
