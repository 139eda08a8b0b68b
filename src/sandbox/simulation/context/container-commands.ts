import type { ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";
import type { Clock } from "../../../apimachinery/clock.ts";
import type { ContainerAddress, ContainerLogs } from "./container-logs.ts";
import { signalGroup, spawnInContainer, variablesOf } from "./container-process.ts";
import type { Container, Pod } from "./simulated-kinds.ts";
import { timestamp } from "../../../apimachinery/time.ts";

export interface CommandOptions {
  readonly logs: ContainerLogs;
  readonly clock: Clock;
  /** Kills all commands. */
  readonly signal: AbortSignal;
}

interface RunningPod {
  readonly children: readonly ChildProcess[];
  readonly done: Promise<unknown>;
  /** Exit codes of the containers whose commands have ended. */
  readonly ended: Map<string, number>;
}

/** The outcome of a pod's commands so far. */
export interface CommandOutcome {
  /** The first exit code other than 0, or 0. */
  readonly exitCode: number | "running";
  /** Exit codes of the containers whose commands have ended. */
  readonly ended: ReadonlyMap<string, number>;
}

/**
 * Runs the commands of containers as processes on this machine, without isolation and without their images, for pods
 * that run to completion.
 */
export class ContainerCommands {
  private readonly options: CommandOptions;
  private readonly pods = new Map<string, RunningPod>();

  constructor(options: CommandOptions) {
    this.options = options;
    options.signal.addEventListener("abort", () => this.stopAll(), { once: true });
  }

  /** Reports whether a pod has commands to run. */
  concerns({ spec }: Pod): boolean {
    return spec.restartPolicy !== "Always" && spec.containers.some(({ command }) => command?.length);
  }

  /** Starts the commands of a pod; calls `onEnd` each time that one has ended. */
  start(pod: Pod, onEnd: () => void): void {
    const { uid = "", namespace = "", name = "" } = pod.metadata;
    const ended = new Map<string, number>();
    const containers = pod.spec.containers.filter(({ command }) => command?.length);
    const runs = containers.map((container) => {
      const { child, code } = this.run(container, { namespace, pod: name, container: container.name });
      const done = code.then((exitCode) => {
        ended.set(container.name, exitCode);
        onEnd();
      });
      return { child, done };
    });
    const done = Promise.all(runs.map((each) => each.done));
    this.pods.set(uid, { children: runs.map(({ child }) => child), done, ended });
  }

  /** Returns the outcome of a pod's commands; undefined for a pod that was not started. */
  outcome({ metadata }: Pod): CommandOutcome | undefined {
    const running = this.pods.get(metadata.uid ?? "");
    if (!running) return undefined;
    const { children, ended } = running;
    const failure = [...ended.values()].find((code) => code !== 0);
    return { exitCode: ended.size < children.length ? "running" : (failure ?? 0), ended };
  }

  /** Stops the commands of a pod. */
  async stop({ metadata }: Pod): Promise<void> {
    const running = this.pods.get(metadata.uid ?? "");
    if (!running) return;
    this.pods.delete(metadata.uid ?? "");
    for (const child of running.children) signalGroup(child, "SIGTERM");
    const cancel = this.options.clock.after(1_000, () =>
      running.children.forEach((child) => signalGroup(child, "SIGKILL")),
    );
    await running.done;
    cancel();
  }

  private run(container: Container, address: ContainerAddress): { child: ChildProcess; code: Promise<number> } {
    const { logs, clock } = this.options;
    const write = (text: string) => logs.append(address, timestamp(clock.now()), text);
    const variables = variablesOf(container);
    const expand = (text: string) =>
      text.replace(/\$\(([\w.-]+)\)/g, (whole, name: string) => variables[name] ?? whole);
    const command = [...(container.command ?? []), ...(container.args ?? [])].map(expand);
    const child = spawnInContainer(container, command, ["ignore", "pipe", "pipe"]);
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
    for (const { children } of this.pods.values()) for (const child of children) signalGroup(child, "SIGKILL");
  }
}
