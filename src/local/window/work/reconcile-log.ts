import type { ReportedCause, ReportMessage } from "../../../runtime/report/report-message.ts";
import type { ReconcileRow } from "../contract.ts";
import { BoundedLog } from "./bounded-log.ts";

interface Entry {
  row: ReconcileRow;
  /** The number of reconciles of the object, each caused by a write of the one before. */
  readonly chain: number;
  readonly logs: string[];
  stack?: string | undefined;
}

/**
 * A loop: an object is reconciled because of its own reconciles' writes, again and again, or very often for any reason.
 * Bringing up a workload takes a few rounds and many events.
 */
const loop = { chain: 12, times: 100, withinMs: 10_000 };
/** The log lines that are kept of a reconcile, and of each the characters. */
const mostLines = 200;
const longestLine = 8 * 1024;

/** The newest reconciles, as the operator reported them. */
export class ReconcileLog {
  private readonly log: BoundedLog<string, Entry>;
  /** The reconciles that a version of an object has caused, by `namespace/name version`. */
  private readonly effects = new Map<string, string[]>();
  /** The latest starts of each request. */
  private readonly starts = new Map<string, number[]>();
  private unread = 0;

  constructor(capacity = 10_000) {
    const onDrop = ({ row }: Entry): void => {
      for (const cause of row.causes) this.effects.delete(causeId(cause));
    };
    this.log = new BoundedLog({ capacity, onDrop });
  }

  get dropped(): number {
    return this.log.dropped + this.unread;
  }

  /**
   * Reads a message of the operator; returns the lines that have changed. `writerOf` returns the reconcile that wrote the
   * version of a cause.
   */
  read(message: ReportMessage, writerOf: (cause: ReportedCause) => string | undefined): readonly ReconcileRow[] {
    switch (message.type) {
      case "hello":
        return this.abandon();
      case "dropped":
        this.unread += message.count;
        return [];
      case "start":
        return [this.start(message, writerOf)];
      case "end":
        return this.end(message);
    }
  }

  /** Keeps a line of the operator's log that names its reconcile; returns that reconcile. */
  readLogLine(line: string): ReconcileRow | undefined {
    const id = /"reconcileID":"([^"]+)"/.exec(line)?.[1];
    const entry = id === undefined ? undefined : this.log.get(id);
    if (entry && entry.logs.length < mostLines) entry.logs.push(line.slice(0, longestLine));
    return entry?.row;
  }

  /** Counts a request of a reconcile. */
  count(id: string, writes: number): ReconcileRow | undefined {
    const entry = this.log.get(id);
    if (!entry) return undefined;
    const { row } = entry;
    return (entry.row = { ...row, requests: row.requests + 1, writes: row.writes + writes });
  }

  *rows(): Generator<ReconcileRow> {
    for (const { row } of this.log.values()) yield row;
  }

  /** Returns the reconciles that a version of an object has caused; without a version, its deletion. */
  causedBy(key: string, resourceVersion: string | undefined): ReconcileRow[] {
    const ids = this.effects.get(`${key} ${resourceVersion ?? "deleted"}`) ?? [];
    return ids.flatMap((id) => this.log.get(id)?.row ?? []);
  }

  detail(
    id: string,
  ): { readonly row: ReconcileRow; readonly stack?: string; readonly logs: readonly string[] } | undefined {
    const entry = this.log.get(id);
    if (!entry) return undefined;
    const { row, stack, logs } = entry;
    return { row, logs, ...(stack !== undefined && { stack }) };
  }

  private start(
    { id, controller, request, at, attempt, depth, causes }: Extract<ReportMessage, { type: "start" }>,
    writerOf: (cause: ReportedCause) => string | undefined,
  ): ReconcileRow {
    const chains = causes.map((cause) => {
      const writer = this.log.get(writerOf(cause) ?? "");
      return writer?.row.controller === controller && writer.row.request === request ? writer.chain : 0;
    });
    const chain = 1 + Math.max(0, ...chains);
    const hot = this.isFrequent(`${controller} ${request}`, at) || chain >= loop.chain;
    const known = { id, controller, request, started: at, attempt, depth, causes, hot } as const;
    const row: ReconcileRow = { ...known, outcome: "running", requests: 0, writes: 0 };
    this.log.add(id, { row, chain, logs: [] });
    for (const cause of causes) {
      const effects = this.effects.get(causeId(cause));
      if (effects) effects.push(id);
      else this.effects.set(causeId(cause), [id]);
    }
    return row;
  }

  private end({ id, took, outcome, requeueAfter, error, stack }: Extract<ReportMessage, { type: "end" }>) {
    const entry = this.log.get(id);
    if (!entry) return [];
    entry.stack = stack;
    entry.row = {
      ...entry.row,
      took,
      outcome,
      ...(requeueAfter !== undefined && { requeueAfter }),
      ...(error !== undefined && { error }),
    };
    return [entry.row];
  }

  /** Ends the reconciles of an operator that was replaced. */
  private abandon(): ReconcileRow[] {
    const rows: ReconcileRow[] = [];
    for (const entry of this.log.values())
      if (entry.row.outcome === "running")
        rows.push((entry.row = { ...entry.row, outcome: "error", took: 0, error: "the operator ended meanwhile" }));
    return rows;
  }

  private isFrequent(request: string, at: number): boolean {
    const since = at - loop.withinMs;
    const times = (this.starts.get(request) ?? []).filter((time) => time > since).slice(1 - loop.times);
    times.push(at);
    this.starts.delete(request);
    this.starts.set(request, times);
    if (this.starts.size > 10_000) this.starts.delete(this.starts.keys().next().value!);
    return times.length >= loop.times;
  }
}

function causeId({ type, key = "", resourceVersion = "" }: ReportedCause): string {
  return `${key} ${type === "delete" ? "deleted" : resourceVersion}`;
}
