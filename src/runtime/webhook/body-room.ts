import type { IncomingMessage } from "node:http";

interface Waiting {
  readonly bytes: number;
  enter(): void;
}

/** Four of the largest reviews of admission, for which a container with the usual limit of 128 MiB has memory. */
const defaultBytes = 32 * 1024 * 1024;
/** The longest `timeoutSeconds` of a webhook: later, the API server reads no answer. */
const defaultTimeoutMs = 30_000;

/**
 * Limits the bytes of the bodies that are read at the same time. Requests get room in the order in which they ask for
 * it. A body that is larger than all of the room is read alone.
 */
export class BodyRoom {
  /** The time in which a body must arrive, with the wait for room. */
  readonly timeoutMs: number;
  private readonly bytes: number;
  private free: number;
  private readonly waiting: Waiting[] = [];

  constructor(bytes: number = defaultBytes, timeoutMs: number = defaultTimeoutMs) {
    this.bytes = bytes;
    this.free = bytes;
    this.timeoutMs = timeoutMs;
  }

  /** Waits for room for a body; the caller must call the returned function when it has read the body. */
  enter(size: number): Promise<() => void> {
    const bytes = Math.min(size, this.bytes);
    const leave = (): void => {
      this.free += bytes;
      this.admit();
    };
    return new Promise((resolve) => {
      this.waiting.push({ bytes, enter: () => resolve(leave) });
      this.admit();
    });
  }

  private admit(): void {
    for (let next; (next = this.waiting[0]) && next.bytes <= this.free; this.waiting.shift()) {
      this.free -= next.bytes;
      next.enter();
    }
  }
}

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
