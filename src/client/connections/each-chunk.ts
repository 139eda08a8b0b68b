import type { Readable } from "node:stream";
import { ChunkQueue } from "./chunk-queue.ts";

/**
 * A body as it comes: what has piled up since the last look is one chunk, within a limit, which Node's own iterator
 * doesn't have. Leaving the loop ends the stream; one that breaks off is an error.
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

/** What Node says of a connection that was cut. */
export function lost(): Error {
  return Object.assign(new Error("the connection was closed"), { code: "ECONNRESET" });
}
