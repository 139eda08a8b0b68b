import type { ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";
import type { Clock } from "../../../apimachinery/clock.ts";
import type { ContainerAddress, ContainerLogs } from "./container-logs.ts";
import { expandVariables, type Variables } from "./container-environment.ts";
import { hasProgram, signalGroup, spawnInContainer } from "./container-process.ts";
import { backOffAfter, endsAfter, isSidecar, restartDelayMs, runsToCompletion, startsAgain } from "./restart-policy.ts";
import type { Container, Pod } from "./simulated-kinds.ts";
import { timestamp } from "../../../apimachinery/time.ts";

export interface CommandOptions {
  readonly logs: ContainerLogs;
  readonly clock: Clock;
  /** Kills all commands. */
  readonly signal: AbortSignal;
}

/** The state of a container's command. */
export interface CommandState {
  /** Undefined while the program runs. */
  readonly exitCode: number | undefined;
  readonly restarts: number;
  /** The seconds for which a program that has ended repeatedly waits for its next start. */
  readonly backOff: number | undefined;
}

/** The variables of a pod's containers, by container. */
export type PodVariables = ReadonlyMap<string, Variables>;

interface RunningContainer extends CommandState {
  readonly child: ChildProcess;
  /** Resolves to the exit code when the program has ended. */
  readonly done: Promise<number>;
  readonly startedAt: number;
  /** Ends in succession, without a long run between them. */
  readonly ends: number;
  readonly cancelRestart?: () => void;
}

interface RunningPod {
  readonly pod: Pod;
  readonly variables: PodVariables;
  readonly containers: Map<string, RunningContainer>;
  /** The init containers that have not been started, in order. */
  readonly initContainers: Container[];
  /** The containers after them. */
  readonly others: readonly Container[];
  readonly onChange: () => void;
}

/**
 * Runs the commands of containers as processes on this machine, without isolation and without their images. A program is
 * started again when it has ended, as the restart policy of its pod says; if that is Always and this machine does not
 * have the program, the container stays simulated.
 */
export class ContainerCommands {
  private readonly options: CommandOptions;
  private readonly pods = new Map<string, RunningPod>();

  constructor(options: CommandOptions) {
    this.options = options;
    options.signal.addEventListener("abort", () => this.stopAll(), { once: true });
  }

  /**
   * Starts the commands of a pod: its init containers one after the other, then the others. Calls `onChange` when one
   * has ended or started again. Returns the containers that run.
   */
  start(pod: Pod, variables: PodVariables, onChange: () => void): readonly Container[] {
    const isRunnable = ({ command: [program] = [] }: Container): boolean =>
      Boolean(program) && (runsToCompletion(pod) || hasProgram(program!));
    const others = pod.spec.containers.filter(isRunnable);
    // A stored pod that runs has been initialized.
    const first = pod.status?.phase === "Running" ? [] : (pod.spec.initContainers ?? []);
    const initContainers = first.filter((each) => !isSidecar(each) && isRunnable(each));
    const all = [...initContainers, ...others];
    if (all.length === 0) return all;
    const running: RunningPod = { pod, variables, containers: new Map(), initContainers, others, onChange };
    this.pods.set(pod.metadata.uid ?? "", running);
    this.startNext(running);
    return all;
  }

  /** Returns the states of a pod's commands by container; undefined for a pod without any. */
  states({ metadata }: Pod): ReadonlyMap<string, CommandState> | undefined {
    return this.pods.get(metadata.uid ?? "")?.containers;
  }

  /** Stops the commands of a pod. Returns their last states by container; undefined for a pod without any. */
  async stop({ metadata }: Pod): Promise<ReadonlyMap<string, CommandState> | undefined> {
    const running = this.pods.get(metadata.uid ?? "");
    if (!running) return undefined;
    this.pods.delete(metadata.uid ?? "");
    const all = [...running.containers.values()];
    for (const { child, cancelRestart } of all) {
      cancelRestart?.();
      signalGroup(child, "SIGTERM");
    }
    const cancel = this.options.clock.after(1_000, () => all.forEach(({ child }) => signalGroup(child, "SIGKILL")));
    const codes = await Promise.all(all.map(({ done }) => done));
    cancel();
    const names = [...running.containers.keys()];
    return new Map(names.map((name, at) => [name, { ...all[at]!, exitCode: codes[at] }]));
  }

  private startNext(running: RunningPod): void {
    const next = running.initContainers.shift();
    for (const container of next ? [next] : running.others) this.startContainer(running, container);
  }

  private startContainer(running: RunningPod, container: Container): void {
    const { namespace = "", name = "" } = running.pod.metadata;
    const address = { namespace, pod: name, container: container.name };
    const before = running.containers.get(container.name);
    if (before) this.options.logs.restart(address);
    const { child, code } = this.run(running.variables.get(container.name) ?? {}, container, address);
    const done = code.then((exitCode) => {
      // A deleted pod has no further states.
      if (this.pods.get(running.pod.metadata.uid ?? "") === running) this.end(running, container, exitCode);
      return exitCode;
    });
    running.containers.set(container.name, {
      child,
      done,
      exitCode: undefined,
      backOff: undefined,
      restarts: before ? before.restarts + 1 : restartsBefore(running.pod, container.name),
      ends: before?.ends ?? 0,
      startedAt: this.options.clock.now(),
    });
  }

  private end(running: RunningPod, container: Container, exitCode: number): void {
    const { clock } = this.options;
    const { cancelRestart: _none, ...state } = running.containers.get(container.name)!;
    const ends = endsAfter(state.ends, clock.now() - state.startedAt);
    const backOff = backOffAfter(ends);
    const restart = (): void => {
      this.startContainer(running, container);
      running.onChange();
    };
    const again = startsAgain(running.pod, container.name, exitCode) && {
      cancelRestart: clock.after(restartDelayMs(backOff), restart),
      backOff,
    };
    running.containers.set(container.name, { ...state, exitCode, ends, ...again });
    if (exitCode === 0 && !running.others.includes(container)) this.startNext(running);
    running.onChange();
  }

  private run(
    variables: Variables,
    container: Container,
    address: ContainerAddress,
  ): { child: ChildProcess; code: Promise<number> } {
    const { logs, clock } = this.options;
    const write = (text: string) => logs.append(address, timestamp(clock.now()), text);
    const texts = [...(container.command ?? []), ...(container.args ?? [])];
    const command = texts.map((text) => expandVariables(text, variables));
    const child = spawnInContainer(variables, command, ["ignore", "pipe", "pipe"]);
    const lines = [child.stdout!, child.stderr!].map(async (input) => {
      for await (const line of createInterface({ input, crlfDelay: Infinity })) write(line);
    });
    const exit = new Promise<number>((resolve) => {
      child.once("error", (error) => {
        write(error.message);
        resolve(127);
      });
      child.once("exit", (code) => {
        // A container ends with its first program; others would hold its output open.
        signalGroup(child, "SIGKILL");
        resolve(code ?? 137);
      });
    });
    return { child, code: exit.then((code) => Promise.all(lines).then(() => code)) };
  }

  private stopAll(): void {
    const running = [...this.pods.values()];
    // A command that ends now is not started again.
    this.pods.clear();
    for (const { containers } of running) {
      for (const { child, cancelRestart } of containers.values()) {
        cancelRestart?.();
        signalGroup(child, "SIGKILL");
      }
    }
  }
}

/** Counts the restarts of a container that ran under another process of the server; its end was one more. */
function restartsBefore({ status }: Pod, container: string): number {
  const statuses = [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])];
  const before = statuses.find(({ name, containerID }) => name === container && containerID !== undefined);
  return before ? before.restartCount + 1 : 0;
}
