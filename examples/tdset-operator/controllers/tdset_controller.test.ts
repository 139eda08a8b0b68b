/*
Copyright 2026.

Licensed under the Apache License, Version 2.0 (the "License");
you may not use this file except in compliance with the License.
You may obtain a copy of the License at

    http://www.apache.org/licenses/LICENSE-2.0

Unless required by applicable law or agreed to in writing, software
distributed under the License is distributed on an "AS IS" BASIS,
WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
See the License for the specific language governing permissions and
limitations under the License.
*/

import { isConditionTrue, isConflict, isInvalid, mergePatch, type Client } from "tsop";
import { Deployment } from "tsop/k8s/apps/v1";
import { Service } from "tsop/k8s/core/v1";
import { reconcileContext, simulate, TestEnvironment, type SimulateOptions } from "tsop/testing";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { TDSet } from "../api/v1/zz_generated.kinds.ts";
import { TDSetReconciler } from "./tdset_controller.ts";

// An API server with your CRDs: the embedded one, or the real one in KUBEBUILDER_ASSETS. Neither runs the Deployment
// controller here, so the tests act as that controller.
const env = new TestEnvironment({ crdPaths: ["config/crd/bases"] });
beforeAll(() => env.start());
afterAll(() => env.stop());

const key = { namespace: "default", name: "test-resource" };
const ctx = reconcileContext();
const spec: TDSet["spec"] = {
  container: { image: "crccheck/hello-world", port: 8000 },
  service: { port: 80 },
  schedulingConfig: [
    { startTime: 9, endTime: 17, replica: 5 },
    { startTime: 22, endTime: 6, replica: 2 },
  ],
  defaultReplica: 3,
  intervalMint: 10,
};

describe("TDSetReconciler", () => {
  let hour = 12;
  const now = () => new Date(Date.UTC(2026, 2, 19, hour, 30));
  const reconcile = (client: Client = env.client) => new TDSetReconciler(client, now).reconcile(key, ctx);
  const replicas = async () => (await env.client.get(Deployment, key)).spec?.replicas;

  beforeEach(async () => {
    hour = 12;
    await env.client.create(TDSet, { metadata: key, spec });
  });

  afterEach(async () => {
    await env.client.delete(TDSet, key);
    if (await env.client.getOrUndefined(Deployment, key)) await env.client.delete(Deployment, key);
    if (await env.client.getOrUndefined(Service, key)) await env.client.delete(Service, key);
  });

  it("creates a Deployment and a Service for the hour, and requeues after the interval", async () => {
    expect(await reconcile()).toEqual({ requeueAfter: 600_000 });

    const deployment = await env.client.get(Deployment, key);
    expect(deployment.spec?.replicas).toBe(5);
    expect(deployment.metadata.ownerReferences?.[0]).toMatchObject({ kind: "TDSet", controller: true });
    expect((await env.client.get(Service, key)).spec?.ports?.[0]).toMatchObject({ port: 80, targetPort: 8000 });
  });

  it("deletes its Service when the spec no longer has one, and no Service of others", async () => {
    await reconcile();
    const tdset = await env.client.get(TDSet, key);
    delete tdset.spec.service;
    await env.client.update(TDSet, tdset);
    await reconcile();
    expect(await env.client.getOrUndefined(Service, key)).toBeUndefined();

    await env.client.create(Service, { metadata: key, spec: { ports: [{ port: 80 }] } });
    await reconcile();
    expect((await env.client.get(Service, key)).metadata.ownerReferences).toBeUndefined();
  });

  it("opens a port on each node if the service has that type, and closes it again", async () => {
    await reconcile();
    const services: [TDSet["spec"]["service"], unknown, unknown][] = [
      [{ type: "NodePort", port: 80, nodePort: 30080 }, "NodePort", 30080],
      [{ type: "NodePort", port: 80 }, "NodePort", 30080], // the cluster keeps the port
      [{ port: 80 }, "ClusterIP", undefined],
    ];
    for (const [service, type, nodePort] of services) {
      const tdset = await env.client.get(TDSet, key);
      await env.client.update(TDSet, { ...tdset, spec: { ...tdset.spec, service } });
      await reconcile();
      const written = await env.client.get(Service, key);
      expect([written.spec?.type, written.spec?.ports?.[0]?.nodePort]).toEqual([type, nodePort]);
    }
    const mixed = { type: "ClusterIP", port: 80, nodePort: 30080 };
    const change = mergePatch({ spec: { service: mixed } });
    const refusal: unknown = await env.client.patch(TDSet, key, change).catch((error: unknown) => error);
    expect([isInvalid(refusal), String(refusal)]).toEqual([
      true,
      expect.stringContaining("nodePort is not allowed when type is ClusterIP"),
    ]);
  });

  it("writes nothing that is right already", async () => {
    const versions = async () => {
      const objects = [await env.client.get(Deployment, key), await env.client.get(Service, key)];
      return objects.map(({ metadata }) => metadata.resourceVersion);
    };
    await reconcile();
    const before = await versions();
    await reconcile();
    expect(await versions()).toEqual(before);
  });

  it("reverts changes by others", async () => {
    await reconcile();
    const deployment = await env.client.get(Deployment, key);
    await env.client.update(Deployment, { ...deployment, spec: { ...deployment.spec!, replicas: 1 } });

    await reconcile();

    expect(await replicas()).toBe(5);
  });

  it("fails with a conflict instead of overwriting a concurrent change of the Deployment, then succeeds", async () => {
    await reconcile();
    const stale = await env.client.get(Deployment, key);
    await env.client.update(Deployment, { ...stale, metadata: { ...stale.metadata, labels: { changed: "yes" } } });
    hour = 18;
    const lagging = Object.create(env.client, {
      getOrUndefined: {
        value: async (kind: never, at: never) =>
          (kind as unknown) === Deployment ? stale : env.client.getOrUndefined(kind, at),
      },
    }) as Client;

    await expect(reconcile(lagging)).rejects.toSatisfy(isConflict);
    await reconcile();

    expect(await replicas()).toBe(3);
  });

  it("reports Available when the Deployment is available", async () => {
    await reconcile();
    expect(isConditionTrue((await env.client.get(TDSet, key)).status?.conditions, "Available")).toBe(false);

    const deployment = await env.client.get(Deployment, key);
    const status = { replicas: 5, readyReplicas: 5, availableReplicas: 5, updatedReplicas: 5 };
    await env.client.status.update(Deployment, { ...deployment, status });
    await reconcile();

    expect(isConditionTrue((await env.client.get(TDSet, key)).status?.conditions, "Available")).toBe(true);
  });

  it.each([
    [
      "an hour that no day has",
      { schedulingConfig: [{ startTime: 24, endTime: 1, replica: 1 }] },
      "startTime in body should be less than or equal to 23",
    ],
    [
      "an interval of more than a day",
      { intervalMint: 1441 },
      "spec.intervalMint in body should be less than or equal to 1440",
    ],
    [
      "no replicas by default",
      { defaultReplica: 0 },
      "spec.defaultReplica in body should be greater than or equal to 1",
    ],
  ])("has %s refused by the API server", async (_name, change, message) => {
    const bad = { metadata: { ...key, name: "bad" }, spec: { ...spec, ...change } };
    const refusal: unknown = await env.client.create(TDSet, bad).catch((error: unknown) => error);

    expect(isInvalid(refusal)).toBe(true);
    expect(String(refusal)).toContain(message);
  });
});

// A cluster with a Deployment controller, and the operator, in virtual time.
describe("the operator", () => {
  const setup: SimulateOptions["setup"] = async (mgr) => {
    await new TDSetReconciler(mgr.client).setupWithManager(mgr);
  };
  const options = {
    crdPaths: ["config/crd/bases"],
    simulate: true,
    setup,
    start: new Date("2026-03-19T08:30:00Z"),
  };

  it("follows the hours of a day, also across midnight", async () => {
    await simulate(options, async (sim) => {
      await sim.client.create(TDSet, { metadata: key, spec });
      const seen: string[] = [];
      for (let hour = 9; hour < 9 + 24; hour++) {
        await sim.advance(3_600_000);
        const { status } = await sim.client.get(Deployment, key);
        const size = `${status?.availableReplicas}`;
        if (size !== seen.at(-1)?.split(" ")[0]) seen.push(`${size} at ${sim.now().getUTCHours()}:30`);
      }
      expect(seen).toEqual(["5 at 9:30", "3 at 17:30", "2 at 22:30", "3 at 6:30"]);
      expect((await sim.client.get(TDSet, key)).status?.replicas).toBe(3);
    });
  });

  it("survives a crash at each write", async () => {
    const run = (crashAt: number) =>
      simulate(options, async (sim) => {
        sim.crashAtWrite(crashAt);
        await sim.client.create(TDSet, { metadata: key, spec });
        expect(await sim.settle()).toBe(true);
        return { writes: sim.writes, state: sim.state() };
      });
    const { writes, state } = await run(Infinity);
    expect(writes).not.toEqual([]);
    for (const [index, write] of writes.entries()) {
      const crashed = await run(index + 1);
      expect(crashed.state, `after a crash at ${write}`).toEqual(state);
    }
  });
});
