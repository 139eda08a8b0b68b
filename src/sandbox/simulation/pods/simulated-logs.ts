import { timestamp } from "../../../apimachinery/time.ts";
import type { ContainerAddress } from "../context/container-logs.ts";
import { isSidecar } from "../context/restart-policy.ts";
import { containersOf } from "./pod-state.ts";
import type { Container, Pod } from "../context/simulated-kinds.ts";
import type { SimulationContext } from "../context/simulation-context.ts";

type LogContext = Pick<SimulationContext, "commands" | "logs" | "clock">;

/** Writes into the logs of containers that they are simulated, which ends the logs of init containers. */
export function explainSimulation(
  { commands, logs, clock }: LogContext,
  pod: Pod,
  containers: readonly Container[],
): void {
  for (const container of containers) {
    const address = addressOf(pod, container.name);
    const isInit = !pod.spec.containers.includes(container);
    logs.append(address, timestamp(clock.now()), isInit ? simulated : textOf(container, !commands));
    if (isInit && !isSidecar(container)) logs.end(address);
  }
}

/** Begins the logs of containers that start again. */
export function restartLogs(context: LogContext, pod: Pod, names: readonly string[]): void {
  for (const name of names) context.logs.restart(addressOf(pod, name));
  explainSimulation(
    context,
    pod,
    containersOf(pod).filter(({ name }) => names.includes(name)),
  );
}

/** Ends the logs of all containers of a pod. */
export function endLogs({ logs }: LogContext, pod: Pod): void {
  for (const { name } of containersOf(pod)) logs.end(addressOf(pod, name));
}

export function addressOf({ metadata: { namespace = "", name = "" } }: Pod, container: string): ContainerAddress {
  return { namespace, pod: name, container };
}

const simulated = "This container is simulated: its image is not run, so it prints nothing else.";

/** Returns the log of a container whose image is not run. */
function textOf({ command: [program] = [] }: Container, hint: boolean): string {
  if (hint)
    return `${simulated} With --run-commands, the commands of containers run on this machine, if it has the programs.`;
  return program ? `${simulated} This machine has no program ${program}.` : simulated;
}
