import type { PodLogRequest } from "../../../apiserver/verbs/request/call.ts";

interface Line {
  readonly time: string;
  readonly text: string;
}

interface Log {
  readonly lines: Line[];
  /** The number of lines that were dropped before the first one. */
  dropped: number;
  /** The length of all lines. */
  size: number;
  ended: boolean;
  /** Callbacks of readers that follow. */
  readonly waiting: Set<() => void>;
  /** The log before the container was started again. */
  readonly previous?: Log;
}

/** The most characters that a log keeps, as many as the bytes of a kubelet's file. */
const mostKept = 10 * 1024 * 1024;

/** The logs of containers. */
export class ContainerLogs {
  private readonly logs = new Map<string, Log>();

  append(container: ContainerAddress, time: string, text: string): void {
    const log = this.logOf(container);
    log.lines.push({ time, text });
    log.size += text.length;
    if (log.size > mostKept) dropHalf(log);
    wake(log);
  }

  /** Ends the log of a container, and with it the readers that follow. */
  end(container: ContainerAddress): void {
    const log = this.logOf(container);
    log.ended = true;
    wake(log);
  }

  /** Begins the log of a container that starts again. */
  restart(container: ContainerAddress): void {
    this.end(container);
    const { previous: _dropped, ...ended } = this.logOf(container);
    this.logs.set(keyOf(container), { ...emptyLog(), previous: ended });
  }

  /** Deletes the logs of a pod. */
  delete(namespace: string, pod: string): void {
    for (const [key, log] of this.logs) {
      if (!key.startsWith(`${namespace}/${pod}/`)) continue;
      this.logs.delete(key);
      log.ended = true;
      wake(log);
    }
  }

  /** Reads the lines of a request; with `follow`, also the next ones until the container ends. */
  async *read(request: PodLogRequest): AsyncGenerator<string> {
    const { namespace, name, container, follow, timestamps, signal } = request;
    const current = this.logOf({ namespace, pod: name, container });
    const log = request.previous && !current.ended ? (current.previous ?? current) : current;
    let next = log.dropped + firstLine(log.lines, request);
    let room = request.limitBytes ?? Infinity;
    for (;;) {
      next = Math.max(next, log.dropped);
      // A slow reader misses lines that were dropped.
      for (; next < log.dropped + log.lines.length; next = Math.max(next + 1, log.dropped)) {
        const { time, text } = log.lines[next - log.dropped]!;
        const line = timestamps ? `${time} ${text}\n` : `${text}\n`;
        if (Buffer.byteLength(line) >= room) return yield Buffer.from(line).subarray(0, room).toString();
        room -= Buffer.byteLength(line);
        yield line;
      }
      if (!follow || log.ended || signal.aborted) return;
      await untilWoken(log, signal);
    }
  }

  private logOf(container: ContainerAddress): Log {
    const key = keyOf(container);
    const log = this.logs.get(key) ?? emptyLog();
    this.logs.set(key, log);
    return log;
  }
}

export interface ContainerAddress {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
}

function keyOf({ namespace, pod, container }: ContainerAddress): string {
  return `${namespace}/${pod}/${container}`;
}

function emptyLog(): Log {
  return { lines: [], dropped: 0, size: 0, ended: false, waiting: new Set() };
}

function dropHalf(log: Log): void {
  const gone = log.lines.splice(0, Math.ceil(log.lines.length / 2));
  log.dropped += gone.length;
  log.size -= gone.reduce((size, { text }) => size + text.length, 0);
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
