import { expect, it } from "vitest";
import { ChunkQueue } from "../../../../src/client/connections/chunk-queue.ts";

const chunk = Buffer.alloc(100 * 1024);

it("pauses the source of a body at 256 KiB of unread data, and resumes it once the data is read", async () => {
  const calls: string[] = [];
  const queue = new ChunkQueue({
    pause: () => void calls.push("pause"),
    resume: () => void calls.push("resume"),
    stop: () => void calls.push("stop"),
  });
  const body = queue.read((error) => error);
  const readNext = async (): Promise<number | undefined> => ((await body.next()).value as Buffer | undefined)?.length;
  for (const _round of [1, 2]) {
    queue.push(chunk);
    queue.push(chunk);
    expect(calls.splice(0)).toEqual([]);
    queue.push(chunk);
    queue.push(chunk);
    expect(calls.splice(0)).toEqual(["pause"]);
    expect(await readNext()).toBe(4 * chunk.length);
    // The reader waits for more.
    const next = readNext();
    expect(calls.splice(0)).toEqual(["resume"]);
    queue.push(chunk);
    expect(await next).toBe(chunk.length);
  }
  queue.end();
  expect(await readNext()).toBeUndefined();
  expect(calls).toEqual(["stop"]);
});
