import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import type { LocalEvent } from "../../../../src/local/local-event.ts";
import { isOperatorPod, OperatorPods } from "../../../../src/local/bundle/operator-pods.ts";
import { PodKind } from "../../../../src/sandbox/simulation/context/simulated-kinds.ts";
import { startSandbox } from "../../../../src/sandbox/start-sandbox.ts";
import { makeWebhookEndpoint } from "../../../../src/sandbox/webhooks/webhook-endpoint.ts";
import { patience } from "../../../patience.ts";

it("runs no code of a bundle's variables and arguments, and opens no port for them", async () => {
  const root = mkdtempSync(join(tmpdir(), "operator-pods-"));
  const library = join(root, "node_modules/tsop");
  mkdirSync(library, { recursive: true });
  writeFileSync(join(library, "index.js"), "");
  writeFileSync(join(root, "package.json"), "{}");
  writeFileSync(join(root, "main.ts"), "parseManagerFlags();");
  const program = join(root, "main.mjs");
  writeFileSync(
    program,
    "console.log(process.env.LEVEL, process.argv.slice(2).join(' ')); setInterval(() => {}, 1000);",
  );
  const stop = new AbortController();
  const sandbox = await startSandbox({ runsPod: isOperatorPod, pace: { min: 1, max: 5 } }, stop.signal);
  const lines: string[] = [];
  const emit = (event: LocalEvent): void => void (event.type === "output" && lines.push(event.line));
  const webhooks = await makeWebhookEndpoint(join(root, "certificates"));
  const builder = { build: async () => true, close: async () => {} };
  const running = new OperatorPods({ root, program, builder, sandbox, webhooks, env: process.env, emit }).run(
    stop.signal,
  );
  const env = [
    { name: "LEVEL", value: "usual" },
    { name: "NODE_OPTIONS", value: "--import=data:text/javascript,console.log('injected')" },
  ];
  await sandbox.client.create(PodKind, {
    metadata: { namespace: "default", name: "operator", annotations: { "olm.operatorGroup": "group" } },
    spec: {
      containers: [{ name: "manager", image: "operator", env, args: ["--leader-elect", "--pprof-bind-address=:0"] }],
    },
  });
  await vi.waitUntil(() => lines.some((line) => line.startsWith("usual ")), patience);
  stop.abort();
  await Promise.all([running, sandbox.done]);
  rmSync(root, { recursive: true });
  expect(lines.filter((line) => line === "injected")).toEqual([]);
  expect(lines[0]).toContain("--leader-elect");
  expect(lines[0]).not.toContain("pprof");
});
