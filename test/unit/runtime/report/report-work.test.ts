import { afterAll, beforeAll, expect, it, vi } from "vitest";
import type { AuditEvent } from "../../../../src/apiserver/audit/audit-event.ts";
import { ConfigMap } from "../../../../src/k8s/core/v1.ts";
import { createClient } from "../../../../src/client/create-client.ts";
import { HttpTransport } from "../../../../src/client/transport/http-transport.ts";
import { Cache } from "../../../../src/runtime/cache/cache.ts";
import { Controller } from "../../../../src/runtime/controller/controller.ts";
import { enqueueForObject } from "../../../../src/runtime/controller/handlers.ts";
import type { Reconciler } from "../../../../src/runtime/controller/reconciler.ts";
import { kindSource } from "../../../../src/runtime/controller/sources.ts";
import { discardLogger } from "../../../../src/runtime/log/logger.ts";
import { createManager } from "../../../../src/runtime/manager/create-manager.ts";
import { PriorityQueue } from "../../../../src/runtime/queue/priority-queue.ts";
import type { ReportMessage } from "../../../../src/runtime/report/report-message.ts";
import { createWorkReport } from "../../../../src/runtime/report/report-work.ts";
import { requestKey, type Request } from "../../../../src/runtime/controller/request.ts";
import { startSandbox, type Sandbox } from "../../../../src/sandbox/start-sandbox.ts";
import { patience } from "../../../patience.ts";

const stop = new AbortController();
const audits: string[] = [];
let sandbox: Sandbox;

beforeAll(async () => {
  const onAudit = ({ request, id }: AuditEvent) => {
    if (request.headers["audit-id"] !== undefined) audits.push(id);
  };
  sandbox = await startSandbox({ simulate: false, onAudit }, stop.signal);
});

afterAll(async () => {
  stop.abort();
  await sandbox.done;
});

/** Runs a controller of ConfigMaps that reports its work. */
function tellingController(reconciler: (client: ReturnType<typeof createClient>) => Reconciler) {
  const messages: ReportMessage[] = [];
  const report = createWorkReport((message) => messages.push(message), 7);
  const client = createClient({ transport: new HttpTransport(sandbox.config, { headers: () => report.headers() }) });
  const cache = new Cache(client, discardLogger);
  const queue = new PriorityQueue<Request>({ keyOf: requestKey });
  const options = { name: "maps", queue, log: discardLogger, logOf: () => discardLogger, observer: report };
  const controller = new Controller<Request>({ ...options, reconciler: reconciler(client) });
  void controller.watch(kindSource({ cache, kind: ConfigMap, handler: enqueueForObject() }));
  const ending = new AbortController();
  const done = Promise.all([cache.start(ending.signal), controller.start(ending.signal)]);
  const of = (name: string) => {
    const starts = messages.filter((each) => each.type === "start" && each.request === `default/${name}`);
    return (starts as Extract<ReportMessage, { type: "start" }>[]).map((start) => {
      const end = messages.find((each) => each.type === "end" && each.id === start.id);
      return { ...start, end: end as Extract<ReportMessage, { type: "end" }> | undefined };
    });
  };
  const end = async (): Promise<void> => {
    ending.abort();
    await done;
  };
  return { of, end };
}

it("reports each reconcile with its cause, outcome and requests", async () => {
  const { of, end } = tellingController((client) => ({
    async reconcile(request) {
      const map = await client.getOrUndefined(ConfigMap, request);
      if (!map || map.data?.["seen"]) return;
      await client.update(ConfigMap, { ...map, data: { seen: "yes" } });
      return { requeueAfter: 10 };
    },
  }));
  const created = await sandbox.client.create(ConfigMap, { metadata: { name: "one", namespace: "default" } });
  await vi.waitUntil(() => of("one").filter((each) => each.end).length >= 2, patience);
  const [first, second] = of("one");
  const { resourceVersion } = created.metadata;
  expect(first).toMatchObject({
    controller: "maps",
    attempt: 1,
    causes: [{ type: "create", kind: "ConfigMap", key: "default/one", resourceVersion }],
    end: { outcome: "requeue_after", requeueAfter: 10 },
  });
  expect(["update", "requeue"]).toContain(second!.causes[0]!.type);
  expect(audits.filter((id) => id.startsWith(first!.id))).toEqual([`${first!.id}.1`, `${first!.id}.2`]);
  await end();
});

it("reports errors with their stack, and names retries", async () => {
  let failures = 2;
  const { of, end } = tellingController(() => ({
    async reconcile({ name }) {
      if (name === "bad" && failures-- > 0) throw new Error("not yet");
    },
  }));
  await sandbox.client.create(ConfigMap, { metadata: { name: "bad", namespace: "default" } });
  await vi.waitUntil(() => of("bad").some((each) => each.end?.outcome === "success"), patience);
  const told = of("bad");
  expect(told.map(({ attempt, causes, end }) => [attempt, causes[0]!.type, end?.outcome])).toEqual([
    [1, "create", "error"],
    [2, "retry", "error"],
    [3, "retry", "success"],
  ]);
  expect(told[0]!.end).toMatchObject({ error: "not yet", stack: expect.stringContaining("report-work.test.ts") });
  await end();
});

it.each([
  ["without the variable", undefined],
  ["in a program that the operator has started", `4@${process.pid}`],
])("costs nothing %s: no observer, no header, no resource", async (_where, variable) => {
  vi.stubEnv("TSOP_REPORT_FD", variable);
  const before = audits.length;
  const resources = process.getActiveResourcesInfo().length;
  const manager = await createManager(sandbox.config, { logger: discardLogger });
  expect(manager.observer).toBeUndefined();
  expect(process.getActiveResourcesInfo()).toHaveLength(resources);
  await manager.apiReader.list(ConfigMap);
  expect(audits).toHaveLength(before);
  vi.unstubAllEnvs();
});
