import type { LoggedError } from "./run-record.ts";
import { isUnreached } from "./object-state.ts";

/** The number of equal errors or refusals in one step that make an endless loop. */
export const endless = 6;

/** Finds errors and panics in the operator's log, in the formats of Go, Node, Java and Python programs. */
export class LogWatch {
  private readonly counts = new Map<string, LoggedError>();
  private readonly recent: string[] = [];
  /** The time of the last error. */
  lastError = 0;
  /** Errors about programs that cannot be reached, as workloads are simulated, by step. */
  readonly unreached: Map<string, string> = new Map();
  /** The lines of the last panic, which grow. */
  private trace: string[] = Array.from({ length: longestTrace }, () => "");
  private readonly now: () => number;
  private readonly onPanic: (lines: readonly string[]) => void;

  constructor(onPanic: (lines: readonly string[]) => void, now: () => number = () => performance.now()) {
    this.onPanic = onPanic;
    this.now = now;
  }

  get errors(): readonly LoggedError[] {
    return [...this.counts.values()];
  }

  /** The last lines, for reports. */
  get tail(): readonly string[] {
    return this.recent;
  }

  read(line: string, step: string): void {
    this.recent.push(line);
    if (this.recent.length > 40) this.recent.shift();
    if (this.trace.length < longestTrace) this.trace.push(line);
    if (panic.test(line)) this.onPanic((this.trace = [line]));
    const found = errorIn(line);
    if (found === undefined) return;
    const { message, kind = "" } = found;
    const id = `${step}\n${message}\n${kind}`;
    this.lastError = this.now();
    if (isUnreached.test(message)) {
      if (!this.unreached.has(step)) this.unreached.set(step, message);
      return;
    }
    // Messages that differ each time would fill the memory.
    if (this.counts.size >= mostMessages && !this.counts.has(id)) return;
    this.counts.set(id, { step, message, count: (this.counts.get(id)?.count ?? 0) + 1, last: this.lastError });
  }
}

const longestTrace = 30;

const panic =
  /^panic: |Observed a panic|panic recovered|[Rr]ecovered from (a )?panic|runtime error: (invalid memory|index out of|slice bounds|integer divide)|^(Uncaught|Unhandled) |triggerUncaughtException|Exception in thread "main"/;

const mostMessages = 1_000;

/** Returns the error of a line, and the kind that it concerns: all watches report the same end of a server. */
function errorIn(line: string): { readonly message: string; readonly kind?: string } | undefined {
  if (line.startsWith("{")) {
    try {
      const { level, msg, error, message, kind } = JSON.parse(line) as Record<string, unknown>;
      if (!/^(error|fatal|panic)$/i.test(String(level))) return undefined;
      return { message: maskNumbers(`${describe(msg ?? message)}: ${describe(error)}`), kind: describe(kind) };
    } catch {
      // A line of another format follows.
    }
  }
  return /\bERROR\b|^E\d{4} |level=error/.test(line) ? { message: maskNumbers(line) } : undefined;
}

function describe(error: unknown): string {
  return typeof error === "string" ? error : JSON.stringify(error ?? "");
}

/** Replaces the parts that differ between two reports of the same error. */
function maskNumbers(text: string): string {
  return text
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, "<uid>")
    .replace(/\d{4}-\d{2}-\d{2}[T ][\d:.]+\S*/g, "<time>")
    .replace(/\d{3,}/g, "<n>")
    .slice(0, 400);
}
