import type { Socket } from "node:net";
import type { TransportResponse } from "../transport.ts";
import { ChunkQueue } from "./chunk-queue.ts";
import type { PoolRequest } from "./connection-pool.ts";
import { lost } from "./lost.ts";
import { Http1AnswerReader, type Http1Answer, type Http1Head } from "./http1-answer.ts";
import { onceOpen, type OpenSocket } from "./open-socket.ts";
import { writeRequest } from "./write-request.ts";

/**
 * A connection for one streamed response, such as a watch. Bytes go directly from the socket to the reader: with Node's
 * streams and parser, the initial state of a cache takes twice the time.
 */
export class Http1Stream {
  private readonly onClose: (stream: Http1Stream) => void;
  private readonly request: PoolRequest;
  private readonly socket: Socket;
  private readonly reader = new Http1AnswerReader();
  private readonly queue: ChunkQueue;
  private readonly abort = (): void => this.fail(new Error("the request was aborted"));
  private answered = (_head: Http1Head): void => undefined;
  private refused = (_error: Error): void => undefined;

  /** Starts the request; `bytes` is its encoding. */
  constructor(open: OpenSocket, request: PoolRequest, bytes: Buffer, onClose: (stream: Http1Stream) => void) {
    this.onClose = onClose;
    this.request = request;
    this.socket = open((bytes) => this.read(bytes));
    const socket = this.socket;
    this.queue = new ChunkQueue({
      pause: () => socket.pause(),
      resume: () => socket.resume(),
      stop: () => socket.destroy(),
    });
    socket.on("error", (error) => this.fail(error)).on("close", () => this.closed());
    request.signal?.addEventListener("abort", this.abort);
    onceOpen(socket, () => {
      writeRequest(socket, bytes, request.fence, (error) => {
        if (error) this.fail(error as Error);
      });
    });
  }

  /** Resolves with the head of the response. */
  answer(): Promise<TransportResponse> {
    return new Promise((resolve, reject) => {
      this.refused = reject;
      this.answered = (head) => {
        const queue = this.queue;
        const request = this.request;
        resolve(new StreamedResponse(head, queue, request));
      };
      if (this.request.signal?.aborted) this.abort();
    });
  }

  destroy(): void {
    this.fail(lost());
  }

  private read(bytes: Buffer): void {
    try {
      const answer = this.reader.push(bytes);
      const head = this.reader.takeHead();
      if (head) this.answered(head);
      if (answer) this.finish(answer);
      else for (const part of this.reader.takeBody()) this.queue.push(part);
    } catch (error) {
      this.fail(error as Error);
    }
  }

  private finish({ body }: Http1Answer): void {
    for (const part of body) this.queue.push(part);
    this.queue.end();
    this.socket.destroy();
  }

  private closed(): void {
    const answer = this.reader.end();
    if (answer) this.finish(answer);
    this.fail(lost());
    this.request.signal?.removeEventListener("abort", this.abort);
    this.onClose(this);
  }

  private fail(error: Error): void {
    this.refused(error);
    this.queue.end(error);
    this.socket.destroy();
  }
}

class StreamedResponse implements TransportResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  private readonly queue: ChunkQueue;
  private readonly request: PoolRequest;

  constructor({ status, headers }: Http1Head, queue: ChunkQueue, request: PoolRequest) {
    this.status = status;
    this.headers = headers;
    this.queue = queue;
    this.request = request;
  }

  get body(): AsyncIterable<Uint8Array> {
    return this.queue.read(this.request.failed);
  }

  async text(): Promise<string> {
    const chunks: Uint8Array[] = [];
    for await (const chunk of this.body) chunks.push(chunk);
    const whole = Buffer.concat(chunks);
    this.request.onReceived?.(whole.length);
    return whole.toString();
  }
}
