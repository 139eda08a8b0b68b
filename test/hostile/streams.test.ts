import { once } from "node:events";
import type { Duplex } from "node:stream";
import { constants, deflateSync } from "node:zlib";
import { beforeAll, expect, it, vi } from "vitest";
import { spdyDictionary } from "../../src/apiserver/streaming/spdy-session.ts";
import { patience } from "../patience.ts";
import { spdyHeaders, SpdyClient, upgrade, webSocketHeaders } from "../unit/sandbox/containers/upgraded.ts";
import { describeEmbedded } from "./server.ts";

const pods = "/api/v1/namespaces/default/pods";
const exec = `${pods}/p/exec?command=cat&stdin=true&stdout=true`;
const forward = `${pods}/p/portforward`;

describeEmbedded("streams", ["--run-commands"], (server) => {
  const spdy = async (path: string, protocol: string): Promise<Duplex> =>
    (await upgrade(server.config, path, { headers: spdyHeaders(protocol) })).socket!;
  const webSocket = async (): Promise<Duplex> =>
    (await upgrade(server.config, exec, { method: "GET", headers: webSocketHeaders("v5.channel.k8s.io") })).socket!;

  beforeAll(async () => {
    const containers = [{ name: "c", image: "i" }];
    expect((await server.ask("POST", pods, { metadata: { name: "p" }, spec: { containers } })).status).toBe(201);
    const isRunning = async () => (await server.ask("GET", `${pods}/p`)).body.status.phase === "Running";
    await vi.waitUntil(isRunning, patience);
  });

  it.each([
    ["exec", exec, "v4.channel.k8s.io"],
    ["port-forward", forward, "portforward.k8s.io"],
  ])("end a session of %s whose headers are not compressed", async (_, path, protocol) => {
    const socket = await spdy(path, protocol);
    socket.write(spdyFrame(1, Buffer.concat([Buffer.alloc(10), Buffer.from("garbage!")])));
    await untilClosed(socket);
  });

  it("end a session whose headers fill the memory when they are decompressed", async () => {
    const socket = await spdy(exec, "v4.channel.k8s.io");
    const options = { dictionary: spdyDictionary(), finishFlush: constants.Z_SYNC_FLUSH };
    const block = deflateSync(Buffer.alloc(10_000_000), options);
    expect(block.length).toBeLessThan(20_000);
    socket.write(spdyFrame(1, Buffer.concat([Buffer.alloc(10), block])));
    await untilClosed(socket);
  });

  it("answer 200,000 pings", async () => {
    const socket = await spdy(forward, "portforward.k8s.io");
    const pings = Buffer.concat(Array<Buffer>(200_000).fill(spdyFrame(6, Buffer.from([0, 0, 0, 1]))));
    socket.write(pings);
    let size = 0;
    socket.on("data", (chunk: Buffer) => (size += chunk.length));
    await expect.poll(() => size).toBe(pings.length);
    socket.destroy();
  });

  it("refuse more than 1,000 streams of a session", async () => {
    const socket = await spdy(forward, "portforward.k8s.io");
    const client = new SpdyClient(socket);
    for (let at = 0; at <= 1_000; at++) await client.open({ streamtype: "error", requestid: `${at}` });
    let answer = Buffer.alloc(0);
    socket.on("data", (chunk: Buffer) => (answer = Buffer.concat([answer, chunk])));
    const refused = spdyFrame(3, Buffer.from([0, 0, 0x07, 0xd1, 0, 0, 0, 3]));
    await expect.poll(() => answer.indexOf(refused)).toBeGreaterThan(0);
    socket.destroy();
  });

  it("ignore input after its end", async () => {
    const socket = await webSocket();
    socket.write(Buffer.concat([webSocketFrame(2, [255, 0]), webSocketFrame(2, [0, 120])]));
    await untilClosed(socket);
  });

  it("join 16,000 fragments of a message, and end with more", async () => {
    const socket = await webSocket();
    const fragments = (count: number): Buffer =>
      Buffer.concat(Array.from({ length: count }, (_, at) => webSocketFrame(at === 0 ? 2 : 0, [0], false)));
    socket.write(Buffer.concat([fragments(16_000), webSocketFrame(0, [0])]));
    socket.write(fragments(60_000));
    await untilClosed(socket);
  });

  it("end with a frame that is too large", async () => {
    const socket = await webSocket();
    const length = Buffer.alloc(8);
    length.writeBigUInt64BE(64n << 20n);
    socket.write(Buffer.concat([Buffer.from([0x82, 0xff]), length, Buffer.alloc(4)]));
    await untilClosed(socket);
  });
});

/** A control frame of SPDY/3.1. */
function spdyFrame(type: number, body: Buffer): Buffer {
  const length = [body.length >> 16, body.length >> 8, body.length];
  return Buffer.concat([Buffer.from([0x80, 3, 0, type, 0, ...length]), body]);
}

/** A frame of a WebSocket with a mask of zeros. */
function webSocketFrame(opcode: number, message: readonly number[], isFinal = true): Buffer {
  return Buffer.from([(isFinal ? 128 : 0) | opcode, 128 | message.length, 0, 0, 0, 0, ...message]);
}

async function untilClosed(socket: Duplex): Promise<void> {
  socket.on("error", () => {}).resume();
  if (!socket.destroyed) await once(socket, "close");
}
