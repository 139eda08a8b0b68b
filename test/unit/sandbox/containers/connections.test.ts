import { spawnSync } from "node:child_process";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { Pod } from "../../../../src/k8s/core/v1.ts";
import { startSandbox, type Sandbox } from "../../../../src/sandbox/start-sandbox.ts";
import { patience } from "../../../patience.ts";
import { readMessages, sendMessage, spdyHeaders, SpdyClient, textOf, upgrade, webSocketHeaders } from "./upgraded.ts";

const pod = "/api/v1/namespaces/default/pods/web";
const node = process.execPath;
const stop = new AbortController();
let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await startSandbox({ runCommands: true, pace: { min: 1, max: 5 } }, stop.signal);
  const env = [
    { name: "GREETING", value: "hello" },
    { name: "TEAM", valueFrom: { fieldRef: { fieldPath: "metadata.labels['team']" } } },
  ];
  const command = [node, "-e", "setInterval(() => console.log('tick'), 20)"];
  await sandbox.client.create(Pod, {
    metadata: { namespace: "default", name: "web", labels: { team: "blue" } },
    spec: { restartPolicy: "Never", containers: [{ name: "main", image: "node", env, command }] },
  });
  await vi.waitUntil(async () => {
    const { status } = await sandbox.client.get(Pod, { namespace: "default", name: "web" });
    return status?.containerStatuses?.[0]?.state?.running !== undefined;
  }, patience);
});
afterAll(async () => {
  stop.abort();
  await sandbox.done;
});

const exec = (script: string, streams = "stdout=true&stderr=true"): string =>
  `${pod}/exec?${new URLSearchParams([node, "-e", script].map((word): [string, string] => ["command", word])).toString()}&${streams}`;

describe("exec over a WebSocket", () => {
  const webSocket = (path: string, protocol = "v5.channel.k8s.io") =>
    upgrade(sandbox.config, path, { method: "GET", headers: webSocketHeaders(protocol) });

  it("runs a command in the environment of the container, and tells its exit code", async () => {
    const script =
      "const { GREETING, TEAM, HOSTNAME } = process.env; console.log(GREETING, TEAM, HOSTNAME); console.error('bad'); process.exitCode = 3";
    const { status, headers, socket } = await webSocket(exec(script));
    expect([status, headers["sec-websocket-protocol"]]).toEqual([101, "v5.channel.k8s.io"]);
    expect(headers["sec-websocket-accept"]).toBe("s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
    const messages = await readMessages(socket!);
    expect([textOf(messages, 1), textOf(messages, 2)]).toEqual(["hello blue web\n", "bad\n"]);
    expect(JSON.parse(textOf(messages, 3))).toEqual({
      status: "Failure",
      message: "command terminated with non-zero exit code: exit status 3",
      reason: "NonZeroExitCode",
      details: { causes: [{ reason: "ExitCode", message: "3" }] },
    });
  });

  it("sends input, until the client closes it", async () => {
    const { socket } = await webSocket(exec("process.stdin.pipe(process.stdout)", "stdin=true&stdout=true"));
    const big = Buffer.alloc(300_000, "x");
    sendMessage(socket!, Buffer.concat([Buffer.of(0), big]));
    sendMessage(socket!, Buffer.of(255, 0));
    const messages = await readMessages(socket!);
    expect(textOf(messages, 1)).toBe(big.toString());
    expect(JSON.parse(textOf(messages, 3))).toEqual({ status: "Success" });
  });

  it("answers a ping, and kills the command if the client goes", async () => {
    const { socket } = await webSocket(exec("console.log('pid', process.pid); setInterval(() => {}, 1000)"));
    sendMessage(socket!, Buffer.from("are you there"), 9);
    let received = "";
    socket!.on("data", (chunk: Buffer) => (received += chunk.toString("latin1")));
    await vi.waitUntil(() => /pid (\d+)\n/.test(received) && received.includes("are you there"), patience);
    const pid = Number(/pid (\d+)\n/.exec(received)![1]);
    expect(process.kill(pid, 0)).toBe(true);
    socket!.destroy();
    await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow("ESRCH"), patience);
  });

  it("names a program that does not exist", async () => {
    const { socket } = await webSocket(`${pod}/exec?command=no-such-program&stdout=true`);
    expect(JSON.parse(textOf(await readMessages(socket!), 3))).toMatchObject({
      code: 500,
      message: expect.stringContaining('exec: "no-such-program": executable file not found in $PATH'),
    });
  });
});

const withoutScript = spawnSync("script", ["--version"], { encoding: "utf8" }).stdout?.includes("util-linux")
  ? ""
  : "script of util-linux is not installed";

describe.skipIf(withoutScript !== "")(`exec at a terminal ${withoutScript && `(${withoutScript})`}`, () => {
  const sh = (script: string): string =>
    `${pod}/exec?${new URLSearchParams(["sh", "-c", script].map((word): [string, string] => ["command", word])).toString()}` +
    "&stdin=true&stdout=true&tty=true";
  const resize = (Width: number, Height: number): Buffer =>
    Buffer.concat([Buffer.of(4), Buffer.from(JSON.stringify({ Width, Height }))]);

  it("has the size that the client's window has at the start", async () => {
    const script = "tty; stty size; echo $GREETING; exit 3";
    const { socket } = await upgrade(sandbox.config, sh(script), {
      method: "GET",
      headers: webSocketHeaders("v5.channel.k8s.io"),
    });
    sendMessage(socket!, resize(99, 33));
    sendMessage(socket!, resize(120, 40));
    const messages = await readMessages(socket!);
    expect(textOf(messages, 1)).toMatch(/^\/dev\/\S+\r\n33 99\r\nhello\r\n$/);
    expect(JSON.parse(textOf(messages, 3))).toMatchObject({ details: { causes: [{ message: "3" }] } });
  });

  it("echoes its input, and Ctrl-C interrupts the command", async () => {
    // Short sleeps: the shell runs the trap after its current command, which it may start just after the signal.
    const script = "trap 'echo interrupted; exit 4' INT; read word; echo got $word; while :; do sleep 0.05; done";
    const { socket } = await upgrade(sandbox.config, sh(script), { headers: spdyHeaders("v4.channel.k8s.io") });
    const client = new SpdyClient(socket!);
    const ids: number[] = [];
    for (const streamtype of ["error", "stdin", "stdout", "resize"]) ids.push(await client.open({ streamtype }));
    const [error = 0, stdin = 0, stdout = 0] = ids;
    client.send(stdin, "word\r", false);
    let isInterrupted = false;
    const texts = await client.read((received) => {
      if (isInterrupted || !received.get(stdout)?.includes("got word")) return false;
      isInterrupted = true;
      client.send(stdin, "\u0003", false);
      return false;
    });
    expect(texts.get(stdout)).toBe("word\r\ngot word\r\n^Cinterrupted\r\n");
    expect(texts.get(error)).toContain("exit status 4");
  });
});

it("exec over SPDY has a stream each for input, output and the end", async () => {
  const path = exec("process.stdin.pipe(process.stdout)", "stdin=true&stdout=true");
  const { status, headers, socket } = await upgrade(sandbox.config, path, {
    headers: spdyHeaders("v4.channel.k8s.io"),
  });
  expect([status, headers["x-stream-protocol-version"]]).toEqual([101, "v4.channel.k8s.io"]);
  const client = new SpdyClient(socket!);
  const [error, stdin, stdout] = [
    await client.open({ streamtype: "error" }),
    await client.open({ streamtype: "stdin" }),
    await client.open({ streamtype: "stdout" }),
  ];
  client.send(stdin, "to and ", false);
  client.send(stdin, "fro");
  const texts = await client.read();
  expect([texts.get(stdout), texts.get(error)]).toEqual(["to and fro", ""]);
});

it("attach shows what the container prints from now on", async () => {
  const headers = webSocketHeaders("v4.channel.k8s.io");
  const { socket } = await upgrade(sandbox.config, `${pod}/attach?stdout=true`, { method: "GET", headers });
  let received = "";
  socket!.on("data", (chunk: Buffer) => (received += chunk.toString("latin1")));
  await vi.waitUntil(() => received.includes("\u0001tick\n"), patience);
  socket!.destroy();
});

it("attach drops its input, which would hide the end of the client", async () => {
  const path = `${pod}/attach?stdin=true&stdout=true`;
  const { socket } = await upgrade(sandbox.config, path, { headers: spdyHeaders("v4.channel.k8s.io") });
  const client = new SpdyClient(socket!);
  await client.open({ streamtype: "error" });
  const stdin = await client.open({ streamtype: "stdin" });
  await client.open({ streamtype: "stdout" });
  socket!.resume();
  // More than the server and the connection hold.
  for (let sent = 0; sent < 512; sent++) client.send(stdin, "x".repeat(65_536), false);
  await vi.waitUntil(() => socket!.writableLength === 0, patience);
  socket!.destroy();
});

describe("port-forward", () => {
  const web = createServer((_request, response) => response.end("from the pod"));
  let port: string;
  beforeAll(async () => {
    await new Promise<void>((resolve) => web.listen(0, "127.0.0.1", resolve));
    port = String((web.address() as AddressInfo).port);
  });
  afterAll(() => web.close());

  it("forwards a connection, and tells why it can't", async () => {
    const { socket } = await upgrade(sandbox.config, `${pod}/portforward`, {
      headers: spdyHeaders("portforward.k8s.io"),
    });
    const client = new SpdyClient(socket!);
    await client.open({ streamtype: "error", port, requestid: "0" });
    const data = await client.open({ streamtype: "data", port, requestid: "0" });
    client.send(data, "GET / HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n");
    const error = await client.open({ streamtype: "error", port: "1", requestid: "1" });
    await client.open({ streamtype: "data", port: "1", requestid: "1" });
    const isComplete = (texts: ReadonlyMap<number, string>): boolean =>
      (texts.get(data) ?? "").includes("from the pod") && (texts.get(error) ?? "") !== "";
    const texts = await client.read(isComplete);
    expect(texts.get(error)).toContain("ECONNREFUSED");
    socket!.destroy();
  });

  it("forwards to the ports of a request over channels, and tells why it can't", async () => {
    const { headers, socket } = await upgrade(sandbox.config, `${pod}/portforward?ports=${port}&ports=1`, {
      method: "GET",
      headers: webSocketHeaders("v5.channel.k8s.io, v4.channel.k8s.io"),
    });
    expect(headers["sec-websocket-protocol"]).toBe("v4.channel.k8s.io");
    sendMessage(socket!, Buffer.from("\0GET / HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n"));
    const messages = await readMessages(socket!);
    const firstOf = (channel: number): number => messages.find(([first]) => first === channel)!.readUInt16LE(1);
    expect([0, 1, 2, 3].map(firstOf)).toEqual([Number(port), Number(port), 1, 1]);
    expect(textOf(messages, 0)).toContain("from the pod");
    // The channel of errors has the number of its port only.
    expect(messages.filter(([channel]) => channel === 1).map(({ length }) => length)).toEqual([1 + 2]);
    expect(textOf(messages, 3)).toContain("ECONNREFUSED");
  });

  it("tells over channels that nobody listens on the only port, and ends", async () => {
    const { socket } = await upgrade(sandbox.config, `${pod}/portforward?ports=1`, {
      method: "GET",
      headers: webSocketHeaders("v4.channel.k8s.io"),
    });
    expect(textOf(await readMessages(socket!), 1)).toContain("ECONNREFUSED");
  });

  it("ends the connection to the port with a client of channels", async () => {
    const { socket } = await upgrade(sandbox.config, `${pod}/portforward?ports=${port}`, {
      method: "GET",
      headers: webSocketHeaders("v4.channel.k8s.io"),
    });
    await vi.waitFor(async () => expect(await connectionsOf(web)).toBe(1), patience);
    socket!.destroy();
    await vi.waitFor(async () => expect(await connectionsOf(web)).toBe(0), patience);
  });
});

function connectionsOf(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
  });
}

describe("refusals", () => {
  it.each([
    ["a request that stays HTTP", `${pod}/exec?command=a&stdout=true`, {}, 400, "Upgrade request required"],
    ["no command", `${pod}/exec?stdout=true`, spdyHeaders("v4.channel.k8s.io"), 422, "command: Required value"],
    [
      "no stream",
      `${pod}/exec?command=a`,
      spdyHeaders("v4.channel.k8s.io"),
      400,
      "at least 1 of stdin, stdout, stderr",
    ],
    [
      "an unknown protocol",
      `${pod}/exec?command=a&stdout=true`,
      spdyHeaders("v9"),
      500,
      "unable to negotiate protocol",
    ],
    ["an unknown pod", `${pod}2/portforward`, spdyHeaders("portforward.k8s.io"), 404, 'pods \\"web2\\" not found'],
    [
      "channels without a port",
      `${pod}/portforward`,
      webSocketHeaders("v4.channel.k8s.io"),
      400,
      'query parameter \\"port\\" is required',
    ],
  ])("%s", async (_title, path, headers, ...[code, message]) => {
    const { status, body } = await upgrade(sandbox.config, path, { headers });
    expect([status, body]).toEqual([code, expect.stringContaining(message)]);
  });

  it("a server that runs no containers", async () => {
    const ended = new AbortController();
    const other = await startSandbox({ pace: { min: 1, max: 5 } }, ended.signal);
    const headers = spdyHeaders("v4.channel.k8s.io");
    const { status, body } = await upgrade(other.config, `${pod}/exec?command=a&stdout=true`, { headers });
    expect([status, body]).toEqual([501, expect.stringContaining("no containers run here")]);
    ended.abort();
    await other.done;
  });
});
