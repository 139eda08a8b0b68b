import { spawn, type ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";

/** How the operator is started. It finds the server by KUBECONFIG. */
export interface OperatorCommand {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface OperatorListener {
  onLine(line: string): void;
  /** Called if the process ends without having been stopped. */
  onEnd(how: string): void;
}

/** A process of the operator, which plans kill, freeze and start again. */
export class OperatorProcess {
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

  /** Kills it at once, as a node that fails does. */
  async kill(): Promise<void> {
    this.isStopping = true;
    this.signal("SIGKILL");
    await this.ended;
  }

  /** Asks it to end, and kills it after the grace period. */
  async stop(graceMs: number): Promise<void> {
    this.isStopping = true;
    this.signal("SIGTERM");
    const timer = setTimeout(() => this.signal("SIGKILL"), graceMs);
    await this.ended;
    clearTimeout(timer);
  }

  /** Makes its end no breakdown. */
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
