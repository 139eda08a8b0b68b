import { afterAll, beforeAll, expect, it } from "vitest";
import { mergePatch } from "../../../../../src/client/patches.ts";
import { DaemonSetKind } from "../../../../../src/sandbox/simulation/context/simulated-kinds.ts";
import { keepHistory } from "../../../../../src/sandbox/simulation/workloads/controller-revisions.ts";
import { TestEnvironment } from "../../../../../src/testing/test-environment.ts";

const env = new TestEnvironment({ env: {} });
beforeAll(() => env.start());
afterAll(() => env.stop());

it("creates no revision for a set whose deletion has orphaned it", async () => {
  const key = { namespace: "default", name: "agent" };
  const labels = { app: "agent" };
  const template = { metadata: { labels }, spec: { containers: [{ name: "agent", image: "agent:1" }] } };
  const spec = { selector: { matchLabels: labels }, template };
  const history = async () => {
    const owner = await env.client.get(DaemonSetKind, key);
    return keepHistory(env.client, { kind: DaemonSetKind, owner, template, hashLabel: "hash" });
  };
  await env.client.create(DaemonSetKind, { metadata: key, spec });
  const { current } = await history();
  expect((await history()).revisions).toMatchObject([{ metadata: { name: current } }]);

  await env.client.delete(DaemonSetKind, key, { propagationPolicy: "Orphan" });
  const revision = await env.client.kindFor("apps/v1", "ControllerRevision");
  const orphaned = mergePatch({ metadata: { ownerReferences: null } });
  await env.client.patch(revision, { ...key, name: current }, orphaned);
  expect(await history()).toEqual({ current, revisions: [] });
});
