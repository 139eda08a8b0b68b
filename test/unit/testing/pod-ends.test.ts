import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { parseYamlDocuments } from "../../../src/apimachinery/yaml/parse.ts";
import type { UnstructuredObject } from "../../../src/apimachinery/meta.ts";
import { HttpTransport } from "../../../src/client/transport/http-transport.ts";
import { JobKind, PodKind } from "../../../src/sandbox/simulation/context/simulated-kinds.ts";
import { eventually } from "../../../src/testing/eventually.ts";
import { manualClock } from "../../../src/testing/manual-clock.ts";
import { TestEnvironment } from "../../../src/testing/test-environment.ts";
import { blocksOf } from "../../e2e/document-blocks.ts";

const clock = manualClock(new Date("2026-03-19T08:00:00Z"));
const env = new TestEnvironment({ simulate: true, clock, binaryAssetsDirectory: "" });
beforeAll(() => env.start());
afterAll(() => env.stop());

const namespace = "default";
const spec = { restartPolicy: "Never" as const, containers: [{ name: "main", image: "a" }] };

async function phaseOf(name: string, stepMs: number): Promise<unknown> {
  await clock.advance(stepMs);
  return (await env.client.get(PodKind, { namespace, name })).status?.phase;
}

it("ends pods by the clock of the environment: one that has run for its time, one at its deadline", async () => {
  const annotations = { "tsop.dev/run-for": "2m" };
  await env.client.create(PodKind, { metadata: { namespace, name: "long", annotations }, spec });
  await env.client.create(PodKind, {
    metadata: { namespace, name: "late" },
    spec: { ...spec, restartPolicy: "Always", activeDeadlineSeconds: 90 },
  });
  for (const name of ["long", "late"]) await eventually(async () => (await phaseOf(name, 100)) === "Running");
  await clock.advance(60_000);
  for (const name of ["long", "late"]) expect(await phaseOf(name, 0)).toBe("Running");
  await clock.advance(30_000);
  await eventually(async () => (await phaseOf("late", 10)) === "Failed");
  expect((await env.client.get(PodKind, { namespace, name: "late" })).status).toMatchObject({
    reason: "DeadlineExceeded",
    containerStatuses: [{ state: { terminated: { exitCode: 137 } } }],
  });
  expect(await phaseOf("long", 0)).toBe("Running");
  await clock.advance(30_000);
  await eventually(async () => (await phaseOf("long", 10)) === "Succeeded");
});

it("ends a pod that waits for a ConfigMap at its deadline", async () => {
  const containers = [{ ...spec.containers[0]!, envFrom: [{ configMapRef: { name: "absent" } }] }];
  const metadata = { namespace, name: "waits" };
  await env.client.create(PodKind, { metadata, spec: { ...spec, containers, activeDeadlineSeconds: 60 } });
  await eventually(async () => {
    await clock.advance(100);
    const { status } = await env.client.get(PodKind, metadata);
    return status?.containerStatuses?.some(({ state }) => "waiting" in state);
  });
  await clock.advance(60_000);
  await eventually(async () => (await phaseOf("waits", 10)) === "Failed");
});

it("fails a job whose container has been started again as often as its limit says", async () => {
  const annotations = { "tsop.dev/exit-code": "3" };
  const template = { metadata: { annotations }, spec: { ...spec, restartPolicy: "OnFailure" as const } };
  await env.client.create(JobKind, { metadata: { namespace, name: "retries" }, spec: { backoffLimit: 2, template } });
  const selector = { "batch.kubernetes.io/job-name": "retries" };
  const containers = async () => {
    const { items } = await env.client.list(PodKind, { namespace, labels: selector });
    return items.flatMap(({ status }) => status?.containerStatuses ?? []);
  };
  await eventually(async () => {
    await clock.advance(100);
    return (await containers()).some(({ state }) => state["waiting"]);
  });
  expect(await containers()).toMatchObject([{ restartCount: 1, state: { waiting: { reason: "CrashLoopBackOff" } } }]);
  const conditions = async () => (await env.client.get(JobKind, { namespace, name: "retries" })).status?.conditions;
  expect(await conditions()).toBeUndefined();
  await clock.advance(10_000);
  await eventually(async () => {
    await clock.advance(100);
    return (await conditions())?.some(({ type }) => type === "Failed") === true;
  });
  expect(await conditions()).toContainEqual(
    expect.objectContaining({ type: "Failed", reason: "BackoffLimitExceeded" }),
  );
});

it("ends pods whose annotations the admission policy of docs/testing.md adds", async () => {
  const policy = blocksOf("docs/testing.md").find(({ code }) => code.includes("MutatingAdmissionPolicy"));
  for (const object of parseYamlDocuments(policy!.code) as UnstructuredObject[]) {
    const kind = await env.client.kindFor(object.apiVersion!, object.kind!);
    await env.client.create(kind, object);
  }
  const metadata = { namespace, labels: { app: "backup" } };
  let name = "";
  // A policy takes effect a moment after its creation.
  await eventually(async () => {
    const pod = await env.client.create(PodKind, { metadata: { ...metadata, generateName: "backup-" }, spec });
    name = pod.metadata.name;
    return pod.metadata.annotations !== undefined;
  });
  await eventually(async () => (await phaseOf(name, 1_000)) === "Failed");
  const { status } = await env.client.get(PodKind, { namespace, name });
  expect(status?.containerStatuses).toMatchObject([{ state: { terminated: { exitCode: 3 } } }]);
});

it("ends the logs of init containers, which a client may follow", async () => {
  const transport = new HttpTransport(env.config);
  onTestFinished(() => transport.close());
  const readLog = async (pod: string, container: string): Promise<string> => {
    const path = `/api/v1/namespaces/${namespace}/pods/${pod}/log?follow=true&container=${container}`;
    const response = await transport.request({ method: "GET", path });
    return response.text();
  };
  const withInit = { ...spec, initContainers: [{ name: "init", image: "a" }] };
  const annotations = { "tsop.dev/exit-code.init": "1" };
  await env.client.create(PodKind, {
    metadata: { namespace, name: "begun" },
    spec: { ...withInit, restartPolicy: "Always" },
  });
  await eventually(async () => (await phaseOf("begun", 100)) === "Running");
  await env.client.create(PodKind, { metadata: { namespace, name: "stuck", annotations }, spec: withInit });
  await eventually(async () => (await phaseOf("stuck", 100)) === "Failed");
  for (const pod of ["begun", "stuck"]) expect(await readLog(pod, "init")).toMatch(/^This container is simulated/);
});
