import { Duplex, PassThrough } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, it, vi } from "vitest";
import { SpdySession } from "../../../../src/apiserver/streaming/spdy-session.ts";
import { patience } from "../../../patience.ts";
import { SpdyClient } from "../../sandbox/containers/upgraded.ts";

const KiB = 1024;
const frame = "x".repeat(64 * KiB);
const frames = 64;
const total = frames * frame.length;

/** Starts a session with a client whose frames and windows are counted. */
function startSession() {
  const [toServer, toClient] = [new PassThrough(), new PassThrough()];
  const opened: Duplex[] = [];
  const session = new SpdySession(Duplex.from({ readable: toServer, writable: toClient }), ({ data }) =>
    opened.push(data),
  );
  const windows = new Map<number, number>();
  let pending = Buffer.alloc(0);
  toClient.on("data", (chunk: Buffer) => {
    pending = Buffer.concat([pending, chunk]);
    while (pending.length >= 8 && pending.length >= 8 + pending.readUIntBE(5, 3)) {
      if (pending.readUInt32BE(0) === 0x80030009) {
        const id = pending.readUInt32BE(8);
        windows.set(id, (windows.get(id) ?? 0) + pending.readUInt32BE(12));
      }
      pending = pending.subarray(8 + pending.readUIntBE(5, 3));
    }
  });
  const client = new SpdyClient(toServer);
  return { session, running: session.run(), client, opened, windows, toServer };
}

async function sendAll({ client, opened }: ReturnType<typeof startSession>): Promise<{ id: number; data: Duplex }> {
  const id = await client.open({ streamtype: "stdin" });
  for (let at = 1; at <= frames; at++) client.send(id, frame, at === frames);
  await vi.waitUntil(() => (opened[0]?.readableLength ?? 0) >= 1024 * KiB, patience);
  // The session reads as long as it can.
  for (let turn = 0; turn < 200; turn++) await nextTurn();
  return { id, data: opened[0]! };
}

it("holds at most 1 MiB of a stream that nobody reads, and gives window for what is read", async () => {
  const started = startSession();
  const { id, data } = await sendAll(started);
  expect(data.readableLength).toBe(1024 * KiB);
  expect(started.windows.get(id) ?? 0).toBeLessThan(1024 * KiB);
  let read = 0;
  for await (const chunk of data) read += (chunk as Buffer).length;
  expect(read).toBe(total);
  expect(started.windows.get(0)).toBe(total);
  expect(started.windows.get(id)).toBeGreaterThan(total - 2 * 1024 * KiB);
  started.session.close();
  started.toServer.end();
  await started.running;
});

it.each([
  ["the command ends", ({ session }: ReturnType<typeof startSession>) => session.close()],
  ["the reader goes", ({ opened }: ReturnType<typeof startSession>) => opened[0]!.destroy()],
])("drops what nobody reads when %s", async (_, end) => {
  const started = startSession();
  await sendAll(started);
  end(started);
  started.toServer.end();
  await started.running;
  expect(started.toServer.readableLength).toBe(0);
});

it("ends with headers that could fill the memory", async () => {
  const { running, opened, toServer } = startSession();
  const frame = Buffer.alloc(8 + 10 + 64 * KiB);
  frame.writeUInt32BE(0x80030001);
  frame.writeUInt32BE(frame.length - 8, 4);
  toServer.write(frame);
  await expect(running).rejects.toThrow("the headers are too large");
  expect(opened).toEqual([]);
  expect(toServer.destroyed).toBe(true);
});
