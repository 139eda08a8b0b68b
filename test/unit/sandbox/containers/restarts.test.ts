import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { HttpTransport } from "../../../../src/client/transport/http-transport.ts";
import { Pod } from "../../../../src/k8s/core/v1.ts";
import { startSandbox, type Sandbox } from "../../../../src/sandbox/start-sandbox.ts";
import { patience } from "../../../patience.ts";

const stop = new AbortController();
let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await startSandbox({ runCommands: true, pace: { min: 1, max: 5 } }, stop.signal);
});
afterAll(async () => {
  stop.abort();
  await sandbox.done;
});

it("runs the command of a pod that stays, and starts it again when it has ended", async () => {
  const key = { namespace: "default", name: "crashes" };
  const script = "console.log('ready', process.pid); setTimeout(process.exit, 100, 5)";
  const containers = [
    { name: "main", image: "node", command: [process.execPath, "-e", script] },
    { name: "other", image: "redis", command: ["no-such-program"] },
  ];
  await sandbox.client.create(Pod, { metadata: key, spec: { containers } });
  const statuses = async () => (await sandbox.client.get(Pod, key)).status?.containerStatuses ?? [];
  await vi.waitUntil(async () => (await statuses()).some(({ state }) => state?.waiting), patience);
  expect(await statuses()).toMatchObject([
    {
      ready: false,
      restartCount: 1,
      state: { waiting: { reason: "CrashLoopBackOff" } },
      lastState: { terminated: { exitCode: 5, reason: "Error" } },
    },
    { ready: true, restartCount: 0, state: { running: {} } },
  ]);
  const transport = new HttpTransport(sandbox.config);
  const log = async (query: string): Promise<string> => {
    const path = `/api/v1/namespaces/default/pods/crashes/log?${query}`;
    return (await transport.request({ method: "GET", path })).text();
  };
  expect(await log("container=main")).toMatch(/^ready \d+\n$/);
  expect(await log("container=other")).toContain("This machine has no program no-such-program.");
  transport.close();
});

it("runs the commands of stored pods after a restart of the server", async () => {
  const persist = mkdtempSync(join(tmpdir(), "tsop-restarts-"));
  const key = { namespace: "default", name: "serves" };
  const pids: number[] = [];
  for (const restartCount of [0, 1]) {
    const ended = new AbortController();
    const one = await startSandbox({ persist, runCommands: true, pace: { min: 1, max: 5 } }, ended.signal);
    if (restartCount === 0) {
      const containers = [{ name: "main", image: "web:1", command: ["sh", "-c", "echo $$; sleep 1000"] }];
      await one.client.create(Pod, { metadata: key, spec: { containers } });
    }
    const transport = new HttpTransport(one.config);
    const path = "/api/v1/namespaces/default/pods/serves/log";
    const pid = await vi.waitUntil(async () => {
      const answer = await transport.request({ method: "GET", path }).catch(() => undefined);
      return Number(/^(\d+)\n/.exec((await answer?.text()) ?? "")?.[1]);
    }, patience);
    expect(process.kill(pid, 0)).toBe(true);
    await vi.waitFor(async () => {
      const { status } = await one.client.get(Pod, key);
      expect(status?.containerStatuses).toMatchObject([{ ready: true, restartCount, state: { running: {} } }]);
    }, patience);
    pids.push(pid);
    transport.close();
    ended.abort();
    await one.done;
    await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow("ESRCH"), patience);
  }
  expect(pids[0]).not.toBe(pids[1]);
  rmSync(persist, { recursive: true });
});
