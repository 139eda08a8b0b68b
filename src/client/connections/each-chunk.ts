import type { Readable } from "node:stream";

/** A consumer that is this far behind makes the sender wait. */
const highWaterMark = 256 * 1024;

/**
 * A body as it comes: what has piled up since the last look is one chunk, within the limit above, which Node's own
 * iterator doesn't have. Leaving the loop ends the stream; one that breaks off is an error.
 */
export async function* eachChunk(
  stream: Readable,
  failed: (error: Error) => Error = (error) => error,
): AsyncGenerator<Uint8Array> {
  let chunks: Buffer[] = [];
  let size = 0;
  let end: { readonly error?: Error } | undefined;
  let wake = (): void => undefined;
  const finish = (error?: Error): void => {
    end ??= error ? { error } : {};
    wake();
  };
  stream.on("data", (chunk: Buffer) => {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= highWaterMark) stream.pause();
    wake();
  });
  stream.once("end", () => finish());
  stream.on("error", finish);
  stream.once("close", () => finish(lost()));
  if (stream.destroyed) finish(stream.errored ?? lost());
  try {
    for (;;) {
      const ready = chunks;
      chunks = [];
      size = 0;
      if (ready.length > 0) yield ready.length === 1 ? ready[0]! : Buffer.concat(ready);
      if (chunks.length > 0) continue;
      if (end?.error) throw failed(end.error);
      if (end) return;
      stream.resume();
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  } finally {
    stream.destroy();
  }
}

/** What Node says of a connection that was cut. */
export function lost(): Error {
  return Object.assign(new Error("the connection was closed"), { code: "ECONNRESET" });
}
