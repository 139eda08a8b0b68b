import { Duplex } from "node:stream";
import type { TLSSocket } from "node:tls";
import { writeRequest } from "./write-request.ts";

/**
 * A connection whose bytes are written only while the fences of its requests hold. Node's HTTP/2 writes frames when the
 * window and the event loop allow it, long after a request has been handed to it: only here is known what leaves.
 */
export class FencedSocket extends Duplex {
  private readonly socket: TLSSocket;
  private readonly requests = new Map<() => void, number>();

  constructor(socket: TLSSocket) {
    super();
    this.socket = socket;
    socket.on("data", (chunk: Buffer) => {
      if (!this.push(chunk)) socket.pause();
    });
    socket
      .once("end", () => this.push(null))
      .once("error", (error) => this.destroy(error))
      .once("close", () => this.destroy());
  }

  /** Applies a fence while a request runs; the returned function ends this. */
  hold(fence: () => void): () => void {
    const requests = this.requests;
    requests.set(fence, (requests.get(fence) ?? 0) + 1);
    return () => {
      const left = requests.get(fence)! - 1;
      if (left > 0) requests.set(fence, left);
      else requests.delete(fence);
    };
  }

  override _read(): void {
    this.socket.resume();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error) => void): void {
    const holdAll = (): void => this.requests.forEach((_count, fence) => fence());
    writeRequest(this.socket, chunk, holdAll, (error) => done(error as Error | undefined));
  }

  override _final(done: () => void): void {
    this.socket.end(done);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.socket.destroy();
    done(error);
  }
}
