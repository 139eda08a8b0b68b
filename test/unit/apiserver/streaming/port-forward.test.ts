import { Duplex, PassThrough, Writable } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, it, vi } from "vitest";
import { servePortForward } from "../../../../src/apiserver/streaming/port-forward.ts";
import { patience } from "../../../patience.ts";
import { sendMessage, SpdyClient } from "../../sandbox/containers/upgraded.ts";

const handshake = { headers: {}, transport: "websocket", protocol: "SPDY/3.1+portforward.k8s.io" } as const;
const MiB = 1024 * 1024;

it("does not read a WebSocket whose port takes nothing", async () => {
  const [toServer, toClient] = [new PassThrough(), new PassThrough()];
  const socket = Duplex.from({ readable: toServer, writable: toClient });
  toClient.resume();
  let isConnected = false;
  const connect = async (): Promise<Duplex> => {
    isConnected = true;
    // It never asks for more than the first bytes.
    return new Duplex({ read() {}, write() {} });
  };
  const serving = servePortForward(handshake, { socket, head: Buffer.alloc(0) }, [], connect);
  const messages = new Writable({
    write(chunk: Buffer, _encoding, done) {
      sendMessage(toServer, chunk);
      done();
    },
  });
  const client = new SpdyClient(messages as Duplex);
  const ids = { port: "80", requestid: "0" };
  await client.open({ streamtype: "error", ...ids });
  const data = await client.open({ streamtype: "data", ...ids });
  await vi.waitUntil(() => isConnected, patience);
  for (let at = 0; at < 64; at++) client.send(data, "x".repeat(MiB / 16), false);
  // The session reads as long as it can.
  for (let turn = 0; turn < 300; turn++) await nextTurn();
  const left = toServer.readableLength + toServer.writableLength;
  expect(left).toBeGreaterThan(2 * MiB);
  expect(left).toBeLessThan(3.5 * MiB);
  socket.destroy();
  await serving;
});
