import type { Readable } from "node:stream";

/** A consumer that is this far behind makes the sender wait. */
const highWaterMark = 256 * 1024;

/**
 * The chunks of a body just as they come. Node's own iterator joins all that has piled up, which for the initial state
 * of a watch is a copy of everything. Leaving the loop ends the stream; one that breaks off is an error.
 */
export async function* eachChunk(stream: Readable): AsyncGenerator<Uint8Array> {
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
      yield* ready;
      if (chunks.length > 0) continue;
      if (end?.error) throw end.error;
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

function lost(): Error {
  return Object.assign(new Error("the connection was closed"), { code: "ECONNRESET" });
}
