import type { StoredEvent } from "../../apiserver/storage/event-ring.ts";
import type { AuditEvent } from "../../apiserver/audit/audit-event.ts";
import type { ReportMessage } from "../../runtime/report/report-message.ts";
import type {
  Batch,
  CauseRow,
  Dropped,
  Hello,
  ObjectRow,
  ReconcileDetail,
  ReconcileRow,
  RequestDetail,
  RequestRow,
  Writer,
} from "./contract.ts";
import { ObjectHistory, type HistoryLimits, type ObjectChange } from "./history/object-history.ts";
import { fieldManagerOf, isShown } from "./work/describe-request.ts";
import { ReconcileLog } from "./work/reconcile-log.ts";
import { RequestLog, type TracedWrite } from "./work/request-log.ts";

/** Receives lines that are new or have changed. */
export interface RecordListener {
  object(row: ObjectRow): void;
  request(row: RequestRow): void;
  reconcile(row: ReconcileRow): void;
}

export interface RecorderOptions {
  readonly history?: HistoryLimits;
  readonly requests?: number;
  readonly reconciles?: number;
  readonly now?: () => number;
}

/** Joins the work of the server with the messages of the operator: objects, requests and reconciles. */
export class Recorder {
  readonly history: ObjectHistory;
  readonly requests: RequestLog;
  readonly reconciles: ReconcileLog;
  /** `silent` once an operator was started. */
  operator: Hello["operator"] = "none";
  private readonly now: () => number;
  private readonly listeners = new Set<RecordListener>();

  constructor({ history, requests, reconciles, now = Date.now }: RecorderOptions = {}) {
    this.history = new ObjectHistory(history);
    this.requests = new RequestLog(requests);
    this.reconciles = new ReconcileLog(reconciles);
    this.now = now;
  }

  /** Returns a function that ends the listening. */
  listen(listener: RecordListener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  get dropped(): Dropped {
    return { ...this.history.dropped, requests: this.requests.dropped, reconciles: this.reconciles.dropped };
  }

  /** The whole state, in parts. */
  *batches(): Generator<Batch> {
    for (const objects of inParts(this.history.rows())) yield { objects };
    for (const requests of inParts(this.requests.rows())) yield { requests };
    for (const reconciles of inParts(this.reconciles.rows())) yield { reconciles };
    yield { dropped: this.dropped, operator: this.operator, ready: true };
  }

  /** Records a change of the embedded server's storage. */
  stored(resource: string, { type, key, object }: StoredEvent): void {
    this.changed({ id: `${resource} ${key}`, at: this.now(), type, object });
  }

  changed(change: ObjectChange): void {
    const row = this.history.add(change);
    for (const listener of this.listeners) listener.object(row);
  }

  /** Records a request that the embedded server has answered. */
  audited(event: AuditEvent): void {
    const reconcile = this.reconcileOf(event.id);
    const shown = isShown(event);
    const writer: Writer = {
      user: event.user.username,
      manager: fieldManagerOf(event),
      ...(shown && { request: this.requests.next }),
      ...(reconcile !== undefined && { reconcile }),
    };
    const writes = event.changes.map(({ group, plural, key, before, after }): TracedWrite => {
      const object = `${group}/${plural} ${key}`;
      const resourceVersion = after?.metadata.resourceVersion;
      const to = this.history.attribute(object, resourceVersion, writer);
      const from = to === undefined || !before ? undefined : to - 1;
      const { kind = plural } = after ?? before ?? {};
      return {
        object,
        kind,
        key,
        resourceVersion,
        ...(from !== undefined && { from }),
        ...(to !== undefined && { to }),
      };
    });
    if (!shown) return;
    const row = this.requests.add(event, reconcile, writes);
    const counted = reconcile === undefined ? undefined : this.reconciles.count(reconcile, row.writes);
    for (const listener of this.listeners) {
      listener.request(row);
      if (counted) listener.reconcile(counted);
    }
  }

  /** Records a message of the operator. */
  reported(message: ReportMessage): void {
    this.operator = "reports";
    const rows = [...this.reconciles.read(message, (cause) => this.writerOf(cause)?.reconcile)];
    // A request can overtake the message about its reconcile.
    if (message.type === "start")
      for (const { writes } of this.requests.ofReconcile(message.id))
        rows.push(this.reconciles.count(message.id, writes)!);
    for (const row of rows) for (const listener of this.listeners) listener.reconcile(row);
  }

  /** Keeps a line of the operator's log with its reconcile. */
  logged(line: string): void {
    this.reconciles.readLogLine(line);
  }

  requestDetail(n: number): RequestDetail | undefined {
    const detail = this.requests.detail(n);
    if (!detail) return undefined;
    const writes = this.requests.writesOf(n);
    const caused = writes.flatMap(({ key, resourceVersion }) => this.reconciles.causedBy(key, resourceVersion));
    return { ...detail, caused: [...new Map(caused.map((row) => [row.id, row])).values()] };
  }

  reconcileDetail(id: string): ReconcileDetail | undefined {
    const detail = this.reconciles.detail(id);
    if (!detail) return undefined;
    const causedBy = detail.row.causes.map((cause) => this.writerOf(cause));
    return { ...detail, requests: this.requests.ofReconcile(id), causedBy };
  }

  private writerOf({ type, key = "", resourceVersion = "" }: CauseRow): RequestRow | undefined {
    return this.requests.writerOf(key, type === "delete" ? "deleted" : resourceVersion);
  }

  /** The `Audit-ID` of a request of a reconcile is its ID with a number. */
  private reconcileOf(auditId: string): string | undefined {
    return this.operator === "none" ? undefined : /^([0-9a-f-]{36})\.\d+$/.exec(auditId)?.[1];
  }
}

const partSize = 2_000;

function* inParts<T>(rows: Iterable<T>): Generator<T[]> {
  let part: T[] = [];
  for (const row of rows) {
    part.push(row);
    if (part.length < partSize) continue;
    yield part;
    part = [];
  }
  if (part.length > 0) yield part;
}
