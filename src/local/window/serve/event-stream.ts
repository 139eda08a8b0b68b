import type { ServerResponse } from "node:http";
import type { Batch, Hello, ObjectRow, ReconcileRow, RequestRow } from "../contract.ts";
import type { Recorder, RecordListener } from "../recorder.ts";

/** Rows are sent together this often, so that a burst of writes is a few messages. */
const batchMs = 100;
/** A comment keeps the connection from being taken for dead. */
const idleMs = 15_000;

/**
 * Sends the whole state and then all that changes, as server-sent events. While the page is slow to read, each row
 * waits in its latest state only, so that a slow page costs no more memory than the rows themselves.
 */
export class EventStream implements RecordListener {
  private readonly response: ServerResponse;
  private readonly recorder: Recorder;
  private readonly objects = new Map<string, ObjectRow>();
  private readonly requests = new Map<number, RequestRow>();
  private readonly reconciles = new Map<string, ReconcileRow>();
  private timer: NodeJS.Timeout | undefined;
  private isBlocked = false;

  constructor(response: ServerResponse, recorder: Recorder) {
    this.response = response;
    this.recorder = recorder;
  }

  /** Runs until the page disconnects. */
  async run(hello: Hello): Promise<void> {
    const { response, recorder } = this;
    response.writeHead(200, { "content-type": "text/event-stream" });
    // Changes during the first batches follow them.
    const stop = recorder.listen(this);
    const closed = new Promise<void>((resolve) => response.once("close", resolve));
    const beat = setInterval(() => response.write(":\n\n"), idleMs);
    try {
      this.send("hello", hello);
      for (const batch of recorder.batches()) {
        if (!this.send("batch", batch)) await Promise.race([this.drained(), closed]);
        if (response.destroyed) return;
      }
      await closed;
    } finally {
      stop();
      clearInterval(beat);
      clearTimeout(this.timer);
    }
  }

  object(row: ObjectRow): void {
    this.objects.set(row.id, row);
    this.schedule();
  }

  request(row: RequestRow): void {
    this.requests.set(row.n, row);
    this.schedule();
  }

  reconcile(row: ReconcileRow): void {
    this.reconciles.set(row.id, row);
    this.schedule();
  }

  private schedule(): void {
    if (!this.isBlocked) this.timer ??= setTimeout(() => this.flush(), batchMs);
  }

  private flush(): void {
    this.timer = undefined;
    if (this.isBlocked) return;
    const { objects, requests, reconciles, recorder } = this;
    const batch: Batch = {
      ...(objects.size > 0 && { objects: [...objects.values()] }),
      ...(requests.size > 0 && { requests: [...requests.values()] }),
      ...(reconciles.size > 0 && { reconciles: [...reconciles.values()] }),
      dropped: recorder.dropped,
      operator: recorder.operator,
    };
    for (const rows of [objects, requests, reconciles]) rows.clear();
    if (!this.send("batch", batch)) void this.drained();
  }

  /** Returns false if the page has not read the batches before. */
  private send(event: string, data: Hello | Batch): boolean {
    return this.response.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  }

  private async drained(): Promise<void> {
    this.isBlocked = true;
    await new Promise<void>((resolve) => this.response.once("drain", resolve));
    this.isBlocked = false;
    if (this.objects.size + this.requests.size + this.reconciles.size > 0) this.schedule();
  }
}
