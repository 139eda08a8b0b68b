import { expect, it } from "vitest";
import { describeEmbedded, mergePatch } from "./server.ts";

const apps = "/apis/apps/v1/namespaces/default";
const jobs = "/apis/batch/v1/namespaces/default/jobs";
const most = 2_147_483_647;

const template = { metadata: { labels: { app: "a" } }, spec: { containers: [{ name: "c", image: "i" }] } };
const set = { selector: { matchLabels: { app: "a" } }, template };
const work = { spec: { restartPolicy: "Never", containers: [{ name: "c", image: "i" }] } };
const indexed = { template: work, completions: most, completionMode: "Indexed" };
const parallel = { ...set, serviceName: "s", podManagementPolicy: "Parallel", replicas: most };

describeEmbedded("two billion replicas", [], (server) => {
  const pods = async (): Promise<number> =>
    (await server.ask("GET", "/api/v1/namespaces/default/pods")).body.items.length;

  it.each([
    ["a Deployment", `${apps}/deployments`, { ...set, replicas: most }],
    ["a StatefulSet", `${apps}/statefulsets`, parallel],
    ["a Job", jobs, { ...indexed, parallelism: 100_000 }],
  ])("of %s are started in portions", async (_, path, spec) => {
    const before = await pods();
    expect((await server.ask("POST", path, { metadata: { name: "w" }, spec })).status).toBe(201);
    await expect.poll(pods).toBeGreaterThan(before);
    await server.ask("DELETE", `${path}/w?propagationPolicy=Background`);
  });

  it("may be complete as a range of a Job", async () => {
    await server.ask("POST", jobs, { metadata: { name: "j" }, spec: { ...indexed, parallelism: 1 } });
    const status = { completedIndexes: `0-${most - 2}` };
    expect((await server.ask("PATCH", `${jobs}/j/status`, { status }, mergePatch)).status).toBe(200);
    await expect.poll(pods).toBeGreaterThan(0);
  });
});
