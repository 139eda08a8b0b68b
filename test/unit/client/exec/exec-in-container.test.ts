import { createServer, type Server } from "node:http";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { webSocketAccept } from "../../../../src/apimachinery/streaming/web-socket.ts";
import type { ClientConfig } from "../../../../src/client/config/config.ts";
import { execInContainer } from "../../../../src/client/exec/exec-in-container.ts";
import { Pod } from "../../../../src/k8s/core/v1.ts";
import { startSandbox, type Sandbox } from "../../../../src/sandbox/start-sandbox.ts";
import { patience } from "../../../patience.ts";
import { listen, startTunnels } from "../listen.ts";

const stop = new AbortController();
const key = { namespace: "default", name: "web" };
let sandbox: Sandbox;
const run = (command: string[], config: ClientConfig = sandbox.config, signal = stop.signal) =>
  execInContainer(config, { namespace: "default", pod: "web", container: "main", command }, signal);
const node = (script: string): string[] => [process.execPath, "-e", script];

beforeAll(async () => {
  sandbox = await startSandbox({ runCommands: true, pace: { min: 1, max: 5 } }, stop.signal);
  const command = node("setInterval(() => {}, 1000)");
  await sandbox.client.create(Pod, {
    metadata: key,
    spec: { restartPolicy: "Never", containers: [{ name: "main", image: "node", command }] },
  });
  await vi.waitUntil(async () => {
    const { status } = await sandbox.client.get(Pod, key);
    return status?.containerStatuses?.[0]?.state?.running !== undefined;
  }, patience);
});
afterAll(async () => {
  stop.abort();
  await sandbox.done;
});

it("returns all that a command prints, byte for byte", async () => {
  const script = "process.stdout.write(Buffer.alloc(3e5, 200)); process.stderr.write('bad')";
  const { stdout, stderr, failure } = await run(node(script));
  expect(stdout.equals(Buffer.alloc(3e5, 200))).toBe(true);
  expect([stderr.toString(), failure]).toEqual(["bad", undefined]);
});

it("says how a command failed, and keeps its output", async () => {
  const { stdout, failure } = await run(node("console.log('half'); process.exitCode = 3"));
  expect([stdout.toString(), failure]).toEqual(["half\n", expect.stringContaining("exit status 3")]);
  expect((await run(["no-such-program"])).failure).toContain("executable file not found");
});

it("passes through a proxy", async () => {
  const { url: proxyUrl, asked } = await startTunnels();
  const { stdout } = await run(node("console.log('through')"), { ...sandbox.config, proxyUrl });
  expect([stdout.toString(), asked]).toEqual(["through\n", [new URL(sandbox.config.server).host]]);
});

it("reports the server's reason for a rejection at once", async () => {
  const { token: _, ...anonymous } = sandbox.config;
  await expect(run(["true"], { ...anonymous, token: "none" })).rejects.toThrow("Unauthorized");
  const absent = { namespace: "default", pod: "absent", container: "main", command: ["true"] };
  await expect(execInContainer(sandbox.config, absent, stop.signal)).rejects.toThrow('pods "absent" not found');
});

it("runs nothing but the command, whatever the name of the pod", async () => {
  const print = new URLSearchParams(node("console.log('injected')").map((word): [string, string] => ["command", word]));
  const options = `container=main&stdout=true&${print.toString()}`;
  const target = { namespace: "default", container: "main", command: ["true"] };
  const named = (pod: string) => execInContainer(sandbox.config, { ...target, pod }, stop.signal);
  await expect(named(`web/exec?${options}`)).rejects.toMatchObject({ code: "TSOP_NAME_INVALID" });
  await expect(named("web?")).rejects.toThrow('pods "web?" not found');
});

it("reports that a server runs no containers", async () => {
  const end = new AbortController();
  const simulated = await startSandbox({ pace: { min: 1, max: 5 } }, end.signal);
  await expect(run(["true"], simulated.config)).rejects.toThrow("pods/exec is not served: no containers run here");
  end.abort();
  await simulated.done;
});

it("reports a server that closes the connection instead of an answer", async () => {
  const closing = createServer().on("upgrade", (_, socket) => socket.destroy());
  await expect(run(["true"], await configOf(closing))).rejects.toMatchObject({ code: "TSOP_SERVER_UNREACHABLE" });
});

it("ends with its signal, and the command with it", async () => {
  const ending = new AbortController();
  const running = run(node("setInterval(() => {}, 1000)"), sandbox.config, ending.signal);
  ending.abort(new Error("enough"));
  await expect(running).rejects.toThrow("enough");
});

it("reports a connection that is lost before the command has ended", async () => {
  const cutting = createServer().on("upgrade", ({ headers }, socket) => {
    const accept = webSocketAccept(headers["sec-websocket-key"]!);
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
    );
    // A message of three bytes on stdout, and no end.
    socket.end(Buffer.from([0x82, 3, 1, 104, 105]));
  });
  await expect(run(["true"], await configOf(cutting))).rejects.toMatchObject({ code: "TSOP_EXEC_LOST" });
});

async function configOf(server: Server): Promise<ClientConfig> {
  return { server: `http://127.0.0.1:${await listen(server)}`, namespace: "default", source: "test" };
}
