import { spawn, type ChildProcess } from "node:child_process";
import { tmpdir } from "node:os";
import { createInterface } from "node:readline";
import type { Clock } from "../../../apimachinery/clock.ts";
import type { ContainerAddress, ContainerLogs } from "./container-logs.ts";
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
  readonly ended: Promise<void>;
  exitCode: number | "running";
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

  /** Starts the commands of a pod; calls `onEnd` when all have ended. */
  start(pod: Pod, onEnd: () => void): void {
    const { uid = "", namespace = "", name = "" } = pod.metadata;
    const containers = pod.spec.containers.filter(({ command }) => command?.length);
    const runs = containers.map((container) =>
      this.run(container, { namespace, pod: name, container: container.name }),
    );
    const ended = Promise.all(runs.map(({ code }) => code)).then((codes) => {
      running.exitCode = codes.find((code) => code !== 0) ?? 0;
      onEnd();
    });
    const running: RunningPod = { children: runs.map(({ child }) => child), ended, exitCode: "running" };
    this.pods.set(uid, running);
  }

  /** Returns the first exit code other than 0, or 0; undefined for a pod that was not started. */
  exitCode({ metadata }: Pod): number | "running" | undefined {
    return this.pods.get(metadata.uid ?? "")?.exitCode;
  }

  /** Stops the commands of a pod. */
  async stop({ metadata }: Pod): Promise<void> {
    const running = this.pods.get(metadata.uid ?? "");
    if (!running) return;
    this.pods.delete(metadata.uid ?? "");
    for (const child of running.children) child.kill("SIGTERM");
    const cancel = this.options.clock.after(1_000, () => running.children.forEach((child) => child.kill("SIGKILL")));
    await running.ended;
    cancel();
  }

  private run(container: Container, address: ContainerAddress): { child: ChildProcess; code: Promise<number> } {
    const { logs, clock } = this.options;
    const write = (text: string) => logs.append(address, timestamp(clock.now()), text);
    const variables = Object.fromEntries(
      (container.env ?? []).flatMap(({ name, value }) => (value === undefined ? [] : [[name, value]])),
    );
    const expand = (text: string) =>
      text.replace(/\$\(([\w.-]+)\)/g, (whole, name: string) => variables[name] ?? whole);
    const [program = "", ...args] = [...(container.command ?? []), ...(container.args ?? [])].map(expand);
    const { PATH, HOME } = process.env;
    const child = spawn(program, args, {
      cwd: tmpdir(),
      env: { PATH, HOME, ...variables },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const lines = [child.stdout, child.stderr].map(async (input) => {
      for await (const line of createInterface({ input, crlfDelay: Infinity })) write(line);
    });
    const exit = new Promise<number>((resolve) => {
      child.once("error", (error) => {
        write(error.message);
        resolve(127);
      });
      child.once("exit", (code) => resolve(code ?? 137));
    });
    return { child, code: exit.then((code) => Promise.all(lines).then(() => code)) };
  }

  private stopAll(): void {
    for (const { children } of this.pods.values()) for (const child of children) child.kill("SIGKILL");
  }
}
