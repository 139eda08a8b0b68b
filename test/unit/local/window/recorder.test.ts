import { expect, it } from "vitest";
import type { ReportMessage } from "../../../../src/runtime/report/report-message.ts";
import { Recorder, type RecorderOptions } from "../../../../src/local/window/recorder.ts";
import { BoundedLog } from "../../../../src/local/window/work/bounded-log.ts";
import { parseReport } from "../../../../src/local/local-window.ts";
import { asker } from "../../apiserver/ask.ts";

const maps = "/api/v1/namespaces/default/configmaps";
const uuid = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;

/** A server whose changes and requests are recorded. */
function recorded(options: RecorderOptions = {}) {
  const recorder = new Recorder(options);
  const server = asker({
    onAudit: (event) => recorder.audited(event),
    onChange: (resource, event) => recorder.stored(resource, event),
  });
  const ask = (method: string, url: string, body?: unknown, headers?: Record<string, string>) =>
    server.ask(method, url, body, headers);
  const agent = (audit: string) => ({ "user-agent": "memcached-operator/v1", "audit-id": audit });
  const put = (body: object, audit: string) => ask("PUT", `${maps}/a`, body, agent(audit));
  return { recorder, ask, put };
}

function start(n: number, resourceVersion: string, more: Partial<ReportMessage> = {}): ReportMessage {
  const cause = { type: "update", kind: "ConfigMap", key: "default/a", resourceVersion } as const;
  const known = { id: uuid(n), controller: "maps", request: "default/a", at: n, attempt: 1, depth: 0 };
  return { type: "start", ...known, causes: [cause], ...more } as ReportMessage;
}

it("joins a reconcile with its requests, the request that caused it, and the reconciles that it causes", async () => {
  const { recorder, ask, put } = recorded();
  const created = await ask("POST", maps, { metadata: { name: "a" } }, { "user-agent": "kubectl/v1.36" });
  recorder.reported(start(1, created.body.metadata.resourceVersion));
  const updated = await put({ ...created.body, data: { a: "b" } }, `${uuid(1)}.1`);
  recorder.reported({ type: "end", id: uuid(1), took: 5, outcome: "success" });
  recorder.reported(start(2, updated.body.metadata.resourceVersion));

  const first = recorder.reconcileDetail(uuid(1))!;
  expect(first.row).toMatchObject({ outcome: "success", took: 5, requests: 1, writes: 1, hot: false });
  expect(first.causedBy).toMatchObject([{ verb: "create", client: "kubectl", by: "people" }]);
  expect(first.requests).toMatchObject([{ verb: "update", name: "a", by: "operator", reconcile: uuid(1) }]);
  const write = recorder.requestDetail(first.requests[0]!.n)!;
  expect(write.writes).toMatchObject([{ object: "/configmaps default/a", from: 1, to: 2 }]);
  expect(write.caused.map(({ id }) => id)).toEqual([uuid(2)]);
  const [, revision] = recorder.history.get("/configmaps default/a")!.revisions;
  expect(revision!.by).toMatchObject({ manager: "memcached-operator", user: "admin", reconcile: uuid(1) });
});

it("counts requests that overtake the message about their reconcile", async () => {
  const { recorder, ask, put } = recorded();
  const { body } = await ask("POST", maps, { metadata: { name: "a" } });
  recorder.reported({ type: "hello", pid: 1 });
  await put({ ...body, data: { a: "b" } }, `${uuid(1)}.1`);
  recorder.reported(start(1, body.metadata.resourceVersion));
  expect(recorder.reconcileDetail(uuid(1))!.row).toMatchObject({ requests: 1, writes: 1 });
});

it("flags writes without effect, conflicts and refusals", async () => {
  const { recorder, ask, put } = recorded();
  const { body } = await ask("POST", maps, { metadata: { name: "a" } });
  await put(body, "x");
  await put({ ...body, data: { a: "b" } }, "x");
  await put({ ...body, data: { a: "c" } }, "x");
  await ask("PUT", `${maps}/a?dryRun=All`, { ...body, metadata: { name: "a" } }, { "user-agent": "manager" });
  await ask("POST", maps, { metadata: { name: "A!" } }, { "user-agent": "manager" });
  const flags = [...recorder.requests.rows()].slice(1).map(({ status, flag }) => [status, flag]);
  expect(flags).toEqual([
    [200, "no-op"],
    [200, undefined],
    [409, "conflict"],
    [200, undefined],
    [422, "failed"],
  ]);
});

it("finds a loop of an object's own writes, not the rounds that bring up a workload", async () => {
  const { recorder, ask, put } = recorded();
  let { body } = await ask("POST", maps, { metadata: { name: "a" } });
  const hot: boolean[] = [];
  for (let n = 1; n <= 15; n++) {
    recorder.reported(start(n, body.metadata.resourceVersion));
    hot.push(recorder.reconcileDetail(uuid(n))!.row.hot);
    ({ body } = await put({ ...body, data: { n: String(n) } }, `${uuid(n)}.1`));
  }
  expect(hot.indexOf(true)).toBe(11);
  // Events by others end the chain.
  const { body: other } = await ask("PUT", `${maps}/a`, { ...body, data: {} }, { "user-agent": "kubectl/v1" });
  recorder.reported(start(20, other.metadata.resourceVersion));
  expect(recorder.reconcileDetail(uuid(20))!.row.hot).toBe(false);
});

it("keeps the stack and the log lines of a reconcile, and the deletion that caused one", async () => {
  const { recorder, ask } = recorded();
  const { body } = await ask("POST", maps, { metadata: { name: "a" } });
  await ask("DELETE", `${maps}/a`, undefined, { "user-agent": "kubectl/v1" });
  const cause = { type: "delete", kind: "ConfigMap", key: "default/a", resourceVersion: body.metadata.resourceVersion };
  recorder.reported(start(1, "", { causes: [cause] } as Partial<ReportMessage>));
  recorder.logged(JSON.stringify({ level: "info", msg: "hello", reconcileID: uuid(1) }));
  recorder.logged("a line of another reconcile");
  recorder.reported({ type: "end", id: uuid(1), took: 1, outcome: "error", error: "boom", stack: "Error: boom at x" });
  const { row, stack, logs, causedBy } = recorder.reconcileDetail(uuid(1))!;
  expect(row).toMatchObject({ outcome: "error", error: "boom" });
  expect(stack).toContain("boom at x");
  expect(logs).toHaveLength(1);
  expect(causedBy).toMatchObject([{ verb: "delete", client: "kubectl" }]);
});

it("ends the reconciles of an operator that was replaced", () => {
  const { recorder } = recorded();
  recorder.reported(start(1, "1"));
  recorder.reported({ type: "hello", pid: 2 });
  expect(recorder.reconcileDetail(uuid(1))!.row).toMatchObject({
    outcome: "error",
    error: expect.stringContaining("ended meanwhile"),
  });
});

it.each(["no JSON", "[]", '"hello"', "{}", '{"type":"other"}', "null"])("ignores %j on the pipe", (line) => {
  expect(parseReport(line)).toBeUndefined();
});

it("drops requests whose bodies are too large in total", () => {
  const dropped: string[] = [];
  const log = new BoundedLog<number, string>({
    capacity: 100,
    sizeOf: (text) => text.length,
    largest: 10,
    onDrop: (text) => dropped.push(text),
  });
  ["aaaa", "bbbb", "cccc", "d".repeat(50)].forEach((text, index) => log.add(index, text));
  expect([...log.values()]).toEqual(["d".repeat(50)]);
  expect([dropped.length, log.dropped]).toEqual([3, 3]);
});

it("limits its logs and reports what it dropped", async () => {
  const { recorder, ask } = recorded({ requests: 2, reconciles: 2 });
  for (const name of ["a", "b", "c"]) await ask("POST", maps, { metadata: { name } });
  for (const n of [1, 2, 3]) recorder.reported(start(n, "1"));
  recorder.reported({ type: "dropped", count: 4 });
  expect(recorder.dropped).toMatchObject({ requests: 1, reconciles: 5 });
  expect([...recorder.requests.rows()].map(({ name }) => name)).toEqual(["b", "c"]);
  expect(recorder.requestDetail(1)).toBeUndefined();
});
