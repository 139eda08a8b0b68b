import { setTimeout as wait } from "node:timers/promises";
import { spawnOperator, type OperatorOptions, type OperatorProcess, type WaitingOperator } from "./operator-process.ts";

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
