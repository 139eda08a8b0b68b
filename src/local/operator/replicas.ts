import type { OperatorEnd, OperatorProcess } from "./operator-process.ts";

/** A replica of the operator, yet to be started. */
export interface Replica {
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
