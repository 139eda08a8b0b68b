import { spawn, type ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";
import type { Operator, OperatorCommand, OperatorListener } from "./operator.ts";

/** A process of the operator. */
export class OperatorProcess implements Operator {
  readonly ended: Promise<void>;
  private readonly child: ChildProcess;
  private isStopping = false;

  constructor({ file, args, cwd, env }: OperatorCommand, kubeconfig: string, listener: OperatorListener) {
    // A group of its own: a program may be a script that starts another one.
    this.child = spawn(file, args, {
      cwd,
      env: { ...env, KUBECONFIG: kubeconfig },
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
    for (const input of [this.child.stdout, this.child.stderr])
      if (input) createInterface({ input, crlfDelay: Infinity }).on("line", (line) => listener.onLine(line));
    this.ended = new Promise((resolve) => {
      this.child.once("error", (error) => {
        listener.onEnd(error.message);
        resolve();
      });
      this.child.once("exit", (code, signal) => {
        if (!this.isStopping) listener.onEnd(code === null ? `was ended by ${signal}` : `exited with code ${code}`);
        resolve();
      });
    });
  }

  async kill(): Promise<void> {
    this.isStopping = true;
    this.signal("SIGKILL");
    await this.ended;
  }

  async stop(graceMs: number): Promise<void> {
    this.isStopping = true;
    this.signal("SIGTERM");
    const timer = setTimeout(() => this.signal("SIGKILL"), graceMs);
    await this.ended;
    clearTimeout(timer);
  }

  expectEnd(): void {
    this.isStopping = true;
  }

  get hasEnded(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  freeze(): void {
    this.signal("SIGSTOP");
  }

  thaw(): void {
    this.signal("SIGCONT");
  }

  private signal(signal: NodeJS.Signals): void {
    if (this.child.pid === undefined || this.hasEnded) return;
    try {
      process.kill(-this.child.pid, signal);
    } catch (error) {
      // The group has ended since.
      if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
    }
  }
}
