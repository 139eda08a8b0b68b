import { setTimeout as wait } from "node:timers/promises";
import {
  spawnOperator,
  type OperatorOptions,
  type OperatorProcess,
  type WaitingOperator,
  type OperatorEnd,
} from "./operator-process.ts";

interface Standby {
  /** The options that cannot be changed once a process runs. */
  readonly key: string;
  readonly cancel: AbortController;
  /** The process; undefined until it has started. */
  process?: WaitingOperator;
  readonly settled: Promise<void>;
}

/** Starts operators one after the other, each in a process that was started ahead of time. */
export class OperatorStarter {
  private readonly restMs: number;
  private standby: Standby | undefined;

  /** Delays the next process, so that it takes no time from the operator that has just started. */
  constructor(restMs = 1_000) {
    this.restMs = restMs;
  }

  /** Reports whether a process fits the options. Other arguments or variables, or a debugger's port, need a new one. */
  async start(options: OperatorOptions): Promise<OperatorProcess> {
    const key = JSON.stringify([options.args, options.env]);
    const { process, key: readyKey } = this.standby ?? {};
    const isUsable = readyKey === key && process?.isAlive;
    if (!isUsable) await this.stop();
    else this.standby = undefined;
    const operator = (isUsable ? process : await spawnOperator(options)).begin();
    if (options.inspect === undefined) this.standby = standBy(options, key, this.restMs);
    return operator;
  }

  /** Stops the process that waits, not the operator. */
  async stop(): Promise<void> {
    const standby = this.standby;
    this.standby = undefined;
    standby?.cancel.abort();
    await standby?.settled;
    await standby?.process?.stop();
  }
}

function standBy(options: OperatorOptions, key: string, restMs: number): Standby {
  const cancel = new AbortController();
  const getReady = async (): Promise<void> => {
    try {
      await wait(restMs, undefined, { signal: cancel.signal, ref: false });
      standby.process = await spawnOperator(options);
    } catch {
      // Cancelled, or a failure that is reported when the operator is started without it.
    }
  };
  const standby: Standby = { key, cancel, settled: Promise.resolve().then(getReady) };
  return standby;
}

/** A replica of the operator, yet to be started. */
interface Replica {
  readonly name: string;
  readonly start: () => Promise<OperatorProcess>;
}

/**
 * Starts the replicas of an operator, which end with the last of them. A replica that ends earlier is not started
 * again, so that the others can be seen to take over its work; `onEnd` is called.
 */
export async function startReplicas(
  replicas: readonly Replica[],
  onEnd: (name: string, end: OperatorEnd, left: number) => void,
): Promise<OperatorProcess> {
  const running = new Map<string, OperatorProcess>();
  let stopping = false;
  const stop = async (graceMs: number): Promise<void> => {
    stopping = true;
    await Promise.all([...running.values()].map((process) => process.stop(graceMs)));
  };
  try {
    for (const { name, start } of replicas) running.set(name, await start());
  } catch (error) {
    await stop(0);
    throw error;
  }
  const all = [...running];
  const ended = new Promise<OperatorEnd>((resolve) => {
    for (const [name, process] of all) {
      void process.ended.then((end) => {
        running.delete(name);
        if (running.size === 0) resolve(end);
        else if (!stopping) onEnd(name, end, running.size);
      });
    }
  });
  return { pid: all[0]![1].pid, ended, stop };
}
