import type { Readable } from "node:stream";
import { ChunkQueue } from "./chunk-queue.ts";
import { lost } from "./lost.ts";

/**
 * Yields a body as it arrives. Data since the last read is one chunk, up to a limit that Node's own iterator lacks.
 * Leaving the loop ends the stream; a truncated stream throws.
 */
export async function* eachChunk(
  stream: Readable,
  failed: (error: Error) => Error = (error) => error,
): AsyncGenerator<Uint8Array> {
  const queue = new ChunkQueue({
    pause: () => stream.pause(),
    resume: () => stream.resume(),
    stop: () => stream.destroy(),
  });
  stream.on("data", (chunk: Buffer) => queue.push(chunk));
  stream.once("end", () => queue.end());
  stream.on("error", (error) => queue.end(error));
  stream.once("close", () => queue.end(lost()));
  if (stream.destroyed) queue.end(stream.errored ?? lost());
  yield* queue.read(failed);
}
