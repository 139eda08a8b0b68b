import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { ConfigMap } from "../../../../src/k8s/core/v1.ts";
import { Lease } from "../../../../src/k8s/coordination/v1.ts";
import { controllerManagedBy } from "../../../../src/runtime/builders/builder.ts";
import { createCluster } from "../../../../src/runtime/manager/cluster.ts";
import { createManager } from "../../../../src/runtime/manager/create-manager.ts";
import { enqueueForObject } from "../../../../src/runtime/controller/handlers.ts";
import { discardLogger } from "../../../../src/runtime/log/logger.ts";
import type { ManagerOptions } from "../../../../src/runtime/manager/manager.ts";
import type { Request } from "../../../../src/runtime/controller/request.ts";
import { kindSource } from "../../../../src/runtime/controller/sources.ts";
import { TestEnvironment } from "../../../../src/testing/test-environment.ts";
import { until } from "../until.ts";

const [home, away] = [new TestEnvironment({ env: {} }), new TestEnvironment({ env: {} })];
const namespace = "default";
let end: () => Promise<void> = () => Promise.resolve();

beforeAll(async () => {
  await Promise.all([home.start(), away.start()]);
});
afterEach(() => end());
afterAll(async () => {
  await Promise.all([home.stop(), away.stop()]);
});

async function start(options: ManagerOptions = {}) {
  const mgr = await createManager(home.config, { logger: discardLogger, ...options });
  const stop = new AbortController();
  const run = (): void => {
    const done = mgr.start(stop.signal);
    end = () => {
      stop.abort();
      return done;
    };
  };
  return { mgr, run };
}

describe("another cluster", () => {
  it("syncs before controllers start, is watched by them, and supports reads and writes", async () => {
    const metadata = { namespace, name: "away" };
    await away.client.create(ConfigMap, { metadata });
    const { mgr, run } = await start();
    const remote = createCluster(away.config);
    remote.indexField(ConfigMap, "data.color", ({ data }) => [data?.["color"] ?? ""]);
    mgr.add(remote);
    const seen: { request: Request; data: unknown; synced: boolean }[] = [];
    await controllerManagedBy(mgr)
      .named("copies")
      .watchesSource(kindSource({ cache: remote.cache, kind: ConfigMap, handler: enqueueForObject() }))
      .complete({
        async reconcile(request) {
          const synced = remote.cache.informer(ConfigMap).hasSynced;
          const { data } = await remote.client.get(ConfigMap, request);
          seen.push({ request, data, synced });
          if (request.name === "away" && !data)
            await remote.client.update(ConfigMap, { metadata, data: { color: "red" } });
        },
      });
    run();
    await until("a round after the write", () => seen.some(({ data }) => data !== undefined));
    expect(seen.every(({ synced }) => synced)).toBe(true);
    const { items } = await remote.client.list(ConfigMap, { fields: { "data.color": "red" } });
    expect(items.map((each) => each.metadata.name)).toEqual(["away"]);
    expect((await remote.apiReader.get(ConfigMap, metadata)).data).toEqual({ color: "red" });
    expect(await home.client.getOrUndefined(ConfigMap, metadata)).toBeUndefined();
  });

  it("can hold the lease", async () => {
    const leaderElection = { enabled: true, id: "away.example.com", namespace, config: away.config };
    const { mgr, run } = await start({ leaderElection });
    run();
    await mgr.elected;
    const key = { namespace, name: "away.example.com" };
    expect((await away.client.get(Lease, key)).spec?.holderIdentity).toBeTruthy();
    expect(await home.client.getOrUndefined(Lease, key)).toBeUndefined();
  });
});
