import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { isOperatorPod, OperatorPods } from "../../../../src/local/bundle/operator-pods.ts";
import { PodWebhooks } from "../../../../src/local/bundle/pod-webhooks.ts";
import type { LocalEvent } from "../../../../src/local/local-event.ts";
import { PodKind, type Container } from "../../../../src/sandbox/simulation/context/simulated-kinds.ts";
import { startSandbox } from "../../../../src/sandbox/start-sandbox.ts";
import { makeWebhookEndpoint } from "../../../../src/sandbox/webhooks/webhook-endpoint.ts";
import { patience } from "../../../patience.ts";
import { temporaryFolder } from "../../../temporary-folder.ts";

/** Follows the pods of a sandbox, each of which runs `code`. */
async function followPods(code: string) {
  const root = temporaryFolder();
  const library = join(root, "node_modules/tsop");
  mkdirSync(library, { recursive: true });
  writeFileSync(join(library, "index.js"), "");
  writeFileSync(join(root, "package.json"), "{}");
  writeFileSync(join(root, "main.ts"), "parseManagerFlags();");
  mkdirSync(join(root, "config/manager"), { recursive: true });
  writeFileSync(join(root, "config/manager/manager.yaml"), "env: [{ name: LEVEL, value: usual }]\n");
  const program = join(root, "main.mjs");
  writeFileSync(program, code);
  const stop = new AbortController();
  const sandbox = await startSandbox({ runsPod: isOperatorPod, pace: { min: 1, max: 5 } }, stop.signal);
  const lines: string[] = [];
  const emit = (event: LocalEvent): void => void (event.type === "output" && lines.push(event.line));
  const webhooks = new PodWebhooks(await makeWebhookEndpoint(join(root, "certificates")));
  const builder = { build: async () => true, close: async () => {} };
  const running = new OperatorPods({ root, program, builder, sandbox, webhooks, env: process.env, emit }).run(
    stop.signal,
  );
  return {
    client: sandbox.client,
    webhooks,
    lines,
    createPod: async (name: string, container: Partial<Container> = {}) => {
      await sandbox.client.create(PodKind, {
        metadata: { namespace: "default", name, annotations: { "olm.operatorGroup": "group" } },
        spec: { containers: [{ name: "manager", image: "operator", ...container }] },
      });
    },
    close: async () => {
      stop.abort();
      await Promise.all([running, sandbox.done]);
    },
  };
}

it("runs no code of a bundle's variables and arguments, and opens no port for them", async () => {
  const { lines, createPod, close } = await followPods(
    "console.log(process.env.LEVEL, process.argv.slice(2).join(' ')); setInterval(() => {}, 1000);",
  );
  const env = [
    { name: "LEVEL", value: "usual" },
    { name: "NODE_OPTIONS", value: "--import=data:text/javascript,console.log('injected')" },
  ];
  await createPod("operator", { env, args: ["--leader-elect", "--pprof-bind-address=:0"] });
  await vi.waitUntil(() => lines.some((line) => line.startsWith("usual ")), patience);
  await close();
  expect(lines.filter((line) => line === "injected")).toEqual([]);
  expect(lines[0]).toContain("--leader-elect");
  expect(lines[0]).not.toContain("pprof");
});

it("gives each pod a port for webhooks, and calls the pod that became ready last", async () => {
  const { webhooks, lines, client, createPod, close } = await followPods(`
    import { createServer } from "node:http";
    const flag = (name) => process.argv.find((argument) => argument.startsWith(name)).split(/[=:]/).at(-1);
    const port = flag("--webhook-port");
    createServer().listen(port, "127.0.0.1", () => {
      console.log(port);
      createServer((_, response) => response.end()).listen(flag("--health-probe-bind-address"), "127.0.0.1");
    });
  `);
  const called = (index: number): boolean => webhooks.url === `https://127.0.0.1:${lines[index]}`;
  await createPod("old");
  await vi.waitUntil(() => called(0), patience);
  await createPod("new");
  await vi.waitUntil(() => called(1), patience);
  await client.delete(PodKind, { namespace: "default", name: "new" }, { gracePeriodSeconds: 0 });
  await vi.waitUntil(() => called(0), patience);
  await close();
  expect(new Set(lines).size).toBe(2);
});
