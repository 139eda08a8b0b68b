import { expect, it, vi } from "vitest";
import { ConfigMapKind } from "../../../src/sandbox/simulation/context/simulated-kinds.ts";
import { startSandbox } from "../../../src/sandbox/start-sandbox.ts";
import { Recorder } from "../../../src/window/recorder.ts";
import { watchCluster } from "../../../src/window/watch-cluster.ts";
import { patience } from "../../patience.ts";

it("records the objects of a cluster with their field managers", async () => {
  const stop = new AbortController();
  const sandbox = await startSandbox({ simulate: false }, stop.signal);
  const recorder = new Recorder();
  const watching = watchCluster(recorder, sandbox.config, stop.signal);
  const { client } = sandbox;
  const map = { metadata: { name: "seen", namespace: "default" }, data: { a: "b" } };
  await client.create(ConfigMapKind, map, { fieldOwner: "somebody" });
  const revisions = () => recorder.history.get("/configmaps default/seen")?.revisions ?? [];
  await vi.waitUntil(() => revisions().length === 1, patience);
  await client.delete(ConfigMapKind, map);
  await vi.waitUntil(() => revisions().at(-1)?.type === "DELETED", patience);
  expect(revisions()[0]!.by).toEqual({ user: "", manager: "somebody" });
  stop.abort();
  await Promise.all([watching, sandbox.done]);
});
