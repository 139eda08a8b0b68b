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

interface CoreEvent {
  readonly type: string;
  readonly reason: string;
  readonly message: string;
  readonly count: number;
  readonly involvedObject: { readonly kind: string };
}

describeEmbedded("two billion replicas", [], (server) => {
  const pods = async (): Promise<number> =>
    (await server.ask("GET", "/api/v1/namespaces/default/pods")).body.items.length;

  /** Returns the messages about pods that are not simulated, with their numbers. */
  const reported = async (kind: string) => {
    const { items } = (await server.ask("GET", "/api/v1/namespaces/default/events")).body as { items: CoreEvent[] };
    return items
      .filter(
        ({ type, reason, involvedObject }) =>
          type === "Warning" && reason === "FailedCreate" && involvedObject.kind === kind,
      )
      .map(({ message, count }) => [message, count]);
  };

  it.each([
    { owner: "Deployment", path: `${apps}/deployments`, spec: { ...set, replicas: most }, kind: "ReplicaSet" },
    { owner: "StatefulSet", path: `${apps}/statefulsets`, spec: parallel, kind: "StatefulSet" },
    { owner: "Job", path: jobs, spec: { ...indexed, parallelism: 100_000 }, kind: "Job", wanted: 100_000 },
  ])(
    "of a $owner are started in batches, and an event of the $kind reports how many",
    async ({ path, spec, kind, wanted = most }) => {
      const before = await pods();
      expect((await server.ask("POST", path, { metadata: { name: "w" }, spec })).status).toBe(201);
      await expect.poll(pods).toBeGreaterThan(before);
      const message = `Error creating: the sandbox simulates 2000 pods of a workload at most, ${wanted} are wanted`;
      await expect.poll(() => reported(kind)).toEqual([[message, 1]]);
      await server.ask("DELETE", `${path}/w?propagationPolicy=Background`);
    },
  );

  it("of a Job can be recorded as one range of completed indexes", async () => {
    await server.ask("POST", jobs, { metadata: { name: "j" }, spec: { ...indexed, parallelism: 1 } });
    const status = { completedIndexes: `0-${most - 2}` };
    expect((await server.ask("PATCH", `${jobs}/j/status`, { status }, mergePatch)).status).toBe(200);
    await expect.poll(pods).toBeGreaterThan(0);
  });
});
