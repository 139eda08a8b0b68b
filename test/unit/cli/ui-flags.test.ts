import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, it, vi } from "vitest";
import { main } from "../../../src/cli/main.ts";
import { startSandbox } from "../../../src/sandbox/start-sandbox.ts";
import { patience } from "../../patience.ts";
import { memoryIo } from "./memory-io.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

let cwd: string;
beforeEach(() => void (cwd = temporaryFolder()));

/** Runs a command until `stop`. */
function start(line: string, env: Readonly<Record<string, string>> = {}) {
  const stopping = new AbortController();
  const io = { ...memoryIo({ cwd }), env, signal: stopping.signal };
  const done = main(line.split(" "), io);
  const stop = () => {
    stopping.abort();
    return done;
  };
  return { io, stop, done };
}

it.each([
  ["sandbox --ui-port 8090", "--ui-port needs --ui"],
  ["sandbox --ui-read-only", "--ui-read-only needs --ui"],
  ["run --local --ui-port 8090", "--ui-port needs --ui"],
  ["sandbox --ui --ui-port x", "--ui-port"],
])("tsop %s is rejected", async (line, message) => {
  const { io, done } = start(line);
  expect(await done).not.toBe(0);
  expect(io.err()).toContain(message);
});

it("tsop sandbox listens for a page only with --ui, and prints one URL", async () => {
  const listeners = () => process.getActiveResourcesInfo().filter((name) => name === "TCPServerWrap").length;
  const before = listeners();
  const plain = start("sandbox --simulate off");
  await vi.waitUntil(() => plain.io.err().includes("kubectl:"), patience);
  expect(listeners() - before).toBe(1);
  expect(plain.io.err()).not.toContain("window:");
  await plain.stop();

  const shown = start("sandbox --simulate off --ui");
  await vi.waitUntil(() => shown.io.err().includes("window:"), patience);
  expect(listeners() - before).toBe(2);
  const urls = shown.io.err().match(/http:\/\/\S+/g)!;
  expect(urls).toEqual([expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/#token=[\w-]{43}$/)]);
  await shown.stop();
  await vi.waitUntil(() => listeners() === before, patience);
});

it("tsop ui shows a cluster and refuses to write to it", async () => {
  const stop = new AbortController();
  const sandbox = await startSandbox({ simulate: false }, stop.signal);
  writeFileSync(join(cwd, "kubeconfig"), sandbox.kubeconfig);
  const { io, stop: end } = start(`ui --kubeconfig ${join(cwd, "kubeconfig")}`);
  const [, origin, token] = await vi.waitUntil(() => /window: (\S+)\/#token=(\S+)/.exec(io.err()), patience);
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const ask = (path: string) => fetch(`${origin}/api/${path}`, { headers });
  await vi.waitUntil(async () => (await ask("object?id=/namespaces%20default")).ok, patience);
  const body = JSON.stringify({ id: "/namespaces default" });
  expect((await fetch(`${origin}/api/delete`, { method: "POST", headers, body })).status).toBe(403);
  expect(await end()).toBe(0);
  stop.abort();
  await sandbox.done;
});

it("tsop ui reports a cluster that does not answer", async () => {
  const config = {
    clusters: [{ name: "a", cluster: { server: "http://127.0.0.1:9" } }],
    contexts: [{ name: "a", context: { cluster: "a", user: "a" } }],
    users: [{ name: "a", user: {} }],
    "current-context": "a",
  };
  writeFileSync(join(cwd, "kubeconfig"), JSON.stringify(config));
  const { io, done } = start(`ui --kubeconfig ${join(cwd, "kubeconfig")}`);
  expect(await done).toBe(1);
  expect(io.err()).toContain("127.0.0.1:9");
});
