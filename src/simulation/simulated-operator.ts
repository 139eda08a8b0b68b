import { Console } from "node:console";
import { EventEmitter } from "node:events";
import type { Operator, OperatorCommand, OperatorListener } from "../check/world/operator.ts";
import type { Network } from "./network.ts";
import { obstacle, simulatedModules } from "./realm/node-modules.ts";
import { blockedGlobals, type Program, type ProgramScope } from "./realm/operator-script.ts";
import { Owner, type Scheduler } from "./realm/scheduler.ts";
import type { ServerRegistry } from "./realm/simulated-servers.ts";

export interface OperatorParts {
  readonly scheduler: Scheduler;
  readonly network: Network;
  /** The owner of the tasks of those who watch the operator. */
  readonly cluster: Owner;
  readonly program: Program;
  readonly name: string;
  readonly seed: number;
  /** The most milliseconds for which it computes when something arrives. */
  readonly computingMs: number;
  /** Called with the name of a function that cannot be simulated. */
  readonly onObstacle: (name: string) => void;
}

/** Ends the code that calls `process.exit`. */
class Exited extends Error {}

/** An instance of an operator in this thread, with a process of its own. */
export class SimulatedOperator implements Operator {
  readonly ended: Promise<void>;
  /** The servers that it has started, by port. */
  readonly servers: ServerRegistry = new Map();
  readonly owner: Owner;
  hasEnded = false;
  private readonly parts: OperatorParts;
  private readonly listener: OperatorListener;
  private readonly events = new EventEmitter();
  /** The process that the program sees. */
  private readonly shownProcess: NodeJS.Process;
  private readonly require: (name: string) => unknown;
  private isStopping = false;
  private hasReturned = false;
  private resolveEnded!: () => void;

  constructor(command: OperatorCommand, listener: OperatorListener, parts: OperatorParts) {
    this.parts = parts;
    this.listener = listener;
    this.owner = new Owner(parts.name, parts.seed, (error) => this.fail(error));
    this.owner.computingMs = parts.computingMs;
    this.owner.onIdle = () => this.endIfIdle();
    this.ended = new Promise((resolve) => (this.resolveEnded = resolve));
    this.events.setMaxListeners(0);
    this.shownProcess = this.makeProcess(command);
    const { onObstacle } = parts;
    this.require = simulatedModules({ process: this.shownProcess, servers: this.servers, onObstacle });
    parts.scheduler.immediately(() => void this.start().catch((error: unknown) => this.fail(error)), this.owner);
  }

  /** Ends it at once, as a node that fails does. */
  async kill(): Promise<void> {
    this.isStopping = true;
    this.end();
    return this.ended;
  }

  async stop(graceMs: number): Promise<void> {
    this.isStopping = true;
    const { scheduler, cluster } = this.parts;
    scheduler.immediately(() => this.signal("SIGTERM"), this.owner);
    const limit = scheduler.after(graceMs, () => this.end(), cluster);
    await this.ended;
    scheduler.cancel(limit);
  }

  expectEnd(): void {
    this.isStopping = true;
  }

  freeze(): void {
    if (this.owner.state === "running") this.owner.state = "frozen";
  }

  thaw(): void {
    this.parts.scheduler.thaw(this.owner);
  }

  private async start(): Promise<void> {
    const { shownProcess: process, require } = this;
    const { stdout, stderr } = process;
    const console = new Console({ stdout, stderr });
    const blocked = Object.fromEntries(
      blockedGlobals.map((name) => [name, obstacle(name, this.parts)]),
    ) as ProgramScope["blocked"];
    // What a program sets there is gone with it.
    const global = Object.create(globalThis) as object;
    for (const [name, value] of Object.entries({ process, console, globalThis: global, global, ...blocked }))
      Object.defineProperty(global, name, { value, configurable: true, writable: true });
    await this.parts.program({ process, console, require, globalThis: global, blocked });
    this.hasReturned = true;
  }

  private makeProcess({ args, env, cwd }: OperatorCommand): NodeJS.Process {
    const { parts, events } = this;
    const emitter = Object.fromEntries(
      (["on", "once", "off", "addListener", "removeListener", "removeAllListeners", "prependListener"] as const).map(
        (name) => [name, (...given: [string, () => void]) => (events[name](...given), shown)],
      ),
    );
    const own: Record<string | symbol, unknown> = {
      ...emitter,
      emit: events.emit.bind(events),
      listeners: events.listeners.bind(events),
      listenerCount: events.listenerCount.bind(events),
      argv: [process.execPath, ...args],
      env: { ...env },
      cwd: () => cwd,
      pid: 1,
      ppid: 0,
      exitCode: undefined,
      uptime: () => parts.scheduler.elapsed / 1000,
      memoryUsage: Object.assign(() => steadyMemory, { rss: () => steadyMemory.rss }),
      cpuUsage: () => ({ user: 0, system: 0 }),
      resourceUsage: () => ({}),
      stdout: this.output(),
      stderr: this.output(),
      exit: (code?: number) => this.exit(code),
      abort: () => this.exit(134),
      getBuiltinModule: (name: string) => this.require(name),
    };
    const shown = new Proxy(own, {
      get: (target, name) => (Object.hasOwn(target, name) ? target[name] : process[name as keyof NodeJS.Process]),
      has: (target, name) => Object.hasOwn(target, name) || name in process,
    }) as unknown as NodeJS.Process;
    return shown;
  }

  /** Returns a stream of the process, whose lines the listener gets. */
  private output(): object {
    let rest = "";
    const write = (chunk: string | Uint8Array, ...more: unknown[]): boolean => {
      const lines = (rest + (typeof chunk === "string" ? chunk : Buffer.from(chunk).toString("utf8"))).split(/\r?\n/);
      rest = lines.pop() ?? "";
      for (const line of lines) this.report(() => this.listener.onLine(line));
      const done = more.find((each) => typeof each === "function") as (() => void) | undefined;
      if (done) queueMicrotask(done);
      return true;
    };
    return Object.assign(new EventEmitter(), { isTTY: false, writable: true, writableLength: 0, write, end: write });
  }

  /** Does something in the turn of those who watch the operator. */
  private report(happen: () => void): void {
    this.parts.scheduler.immediately(happen, this.parts.cluster);
  }

  private signal(name: "SIGTERM"): void {
    if (!this.events.emit(name, name, 15)) this.end(`was ended by ${name}`);
  }

  /** The code with which the program wants to end. */
  private get wantedCode(): number {
    const { exitCode = 0 } = this.shownProcess;
    return Number(exitCode);
  }

  private exit(code = this.wantedCode): never {
    this.endWith(code);
    throw new Exited();
  }

  private endWith(code: number): void {
    if (this.hasEnded) return;
    this.events.emit("exit", code);
    this.end(`exited with code ${code}`);
  }

  /** Ends the process: nothing of it runs any more. */
  private end(how?: string): void {
    if (this.hasEnded) return;
    this.hasEnded = true;
    this.owner.state = "dead";
    this.owner.held.length = 0;
    this.parts.network.disconnect(this.owner);
    const isExpected = this.isStopping || how === undefined;
    this.report(() => {
      if (!isExpected) this.listener.onEnd(how);
      this.resolveEnded();
    });
  }

  /** Ends a process that has nothing to wait for. */
  private endIfIdle(): void {
    const isBusy = this.servers.size > 0 || this.parts.network.openOf(this.owner) > 0;
    if (!isBusy && !this.hasEnded) this.endWith(this.hasReturned ? this.wantedCode : 13);
  }

  /** Handles an error that nothing in the program has caught. */
  private fail(error: unknown): void {
    if (error instanceof Exited || this.hasEnded) return;
    try {
      if (this.events.emit("uncaughtException", error, "uncaughtException")) return;
      this.shownProcess.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
      this.endWith(1);
    } catch (thrown) {
      if (!(thrown instanceof Exited)) this.endWith(7);
    }
  }
}

const mebibyte = 1024 * 1024;
/** The memory of a process is not a part of what is simulated. */
const steadyMemory = {
  rss: 64 * mebibyte,
  heapTotal: 32 * mebibyte,
  heapUsed: 16 * mebibyte,
  external: 0,
  arrayBuffers: 0,
};
