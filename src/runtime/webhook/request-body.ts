import type { IncomingMessage } from "node:http";
import type { BodyRoom } from "./body-room.ts";

/** Most reviews are smaller, and never wait for larger ones. */
const smallBody = 64 * 1024;

/**
 * Reads a body of fewer than `limit` bytes; returns `undefined` if it is larger. While the room for bodies is taken,
 * nothing is read from the connection of a large one, so that its sender waits.
 */
export async function readBody(request: IncomingMessage, limit: number, room?: BodyRoom): Promise<string | undefined> {
  const declared = Number(request.headers["content-length"] ?? limit - 1);
  if (declared >= limit) return undefined;
  const timer = room && setTimeout(() => request.destroy(), room.timeoutMs);
  let leave: (() => void) | undefined;
  try {
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of request as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size >= limit) return undefined;
      chunks.push(chunk);
      if (size > smallBody) leave ??= await room?.enter(declared);
    }
    return Buffer.concat(chunks).toString("utf8");
  } finally {
    clearTimeout(timer);
    leave?.();
  }
}
