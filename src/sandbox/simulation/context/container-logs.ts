import type { PodLogRequest } from "../../../apiserver/verbs/request/call.ts";

interface Line {
  readonly time: string;
  readonly text: string;
}

interface Log {
  readonly lines: Line[];
  ended: boolean;
  /** Wakes readers that follow. */
  readonly waiting: Set<() => void>;
}

/** What the containers of pods have printed, by namespace, pod and container. */
export class ContainerLogs {
  readonly #logs = new Map<string, Log>();

  append(container: ContainerAddress, time: string, text: string): void {
    const log = this.#logOf(container);
    log.lines.push({ time, text });
    wake(log);
  }

  /** No more lines will come: whoever follows has read all. */
  end(container: ContainerAddress): void {
    const log = this.#logOf(container);
    log.ended = true;
    wake(log);
  }

  /** Forgets the logs of a pod that is gone. */
  delete(namespace: string, pod: string): void {
    for (const [key, log] of this.#logs) {
      if (!key.startsWith(`${namespace}/${pod}/`)) continue;
      this.#logs.delete(key);
      log.ended = true;
      wake(log);
    }
  }

  /** The lines that a reader asks for, and with `follow` those that come. */
  async *read(request: PodLogRequest): AsyncGenerator<string> {
    const { namespace, name, container, follow, timestamps, signal } = request;
    const log = this.#logOf({ namespace, pod: name, container });
    let next = firstLine(log.lines, request);
    let room = request.limitBytes ?? Infinity;
    for (;;) {
      for (; next < log.lines.length; next++) {
        const { time, text } = log.lines[next]!;
        const line = timestamps ? `${time} ${text}\n` : `${text}\n`;
        if (Buffer.byteLength(line) >= room) return yield Buffer.from(line).subarray(0, room).toString();
        room -= Buffer.byteLength(line);
        yield line;
      }
      if (!follow || log.ended || signal.aborted) return;
      await untilWoken(log, signal);
    }
  }

  #logOf({ namespace, pod, container }: ContainerAddress): Log {
    const key = `${namespace}/${pod}/${container}`;
    const known = this.#logs.get(key);
    if (known) return known;
    const log: Log = { lines: [], ended: false, waiting: new Set() };
    this.#logs.set(key, log);
    return log;
  }
}

export interface ContainerAddress {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
}

function firstLine(lines: readonly Line[], { since, tailLines }: PodLogRequest): number {
  const recent = since === undefined ? 0 : lines.findIndex(({ time }) => Date.parse(time) >= since);
  const begin = recent < 0 ? lines.length : recent;
  return tailLines === undefined ? begin : Math.max(begin, lines.length - tailLines);
}

function wake(log: Log): void {
  for (const resume of log.waiting) resume();
  log.waiting.clear();
}

async function untilWoken(log: Log, signal: AbortSignal): Promise<void> {
  let stop = (): void => {};
  await new Promise<void>((resolve) => {
    stop = () => resolve();
    log.waiting.add(stop);
    signal.addEventListener("abort", stop, { once: true });
  });
  signal.removeEventListener("abort", stop);
  log.waiting.delete(stop);
}
