import type { Writable } from "node:stream";

/** Small enough to fit into the buffer of a connection that waits for nothing. */
const partSize = 16 * 1024;

/**
 * Writes a request to an open connection. With a fence, it is written in parts, each after the system has taken those
 * before, so that the fence is called when a part leaves, and not when it joins a queue. `done` is called when all is
 * written, or with the error of the fence.
 */
export function writeRequest(
  to: Writable,
  bytes: Buffer,
  fence: (() => void) | undefined,
  done: (error?: unknown) => void,
): void {
  const size = fence ? partSize : bytes.length;
  const writeFrom = (at: number): void => {
    try {
      fence?.();
    } catch (error) {
      return done(error);
    }
    const end = at + size;
    to.write(bytes.subarray(at, end), (error) => {
      // The connection reports its errors itself.
      if (error) return;
      if (end < bytes.length) writeFrom(end);
      else done();
    });
  };
  writeFrom(0);
}
