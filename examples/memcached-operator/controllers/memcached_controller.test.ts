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

import { findCondition, isConditionTrue, isInvalid, isNotFound } from "tsop";
import { Deployment } from "tsop/k8s/apps/v1";
import { reconcileContext, simulate, TestEnvironment, type SimulateOptions } from "tsop/testing";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { Memcached } from "../api/v1alpha1/zz_generated.kinds.ts";
import { MemcachedReconciler } from "./memcached_controller.ts";

// An API server with your CRDs: the embedded one, or the real one in KUBEBUILDER_ASSETS. Neither runs the Deployment
// controller here, so the tests act as that controller.
const env = new TestEnvironment({ crdPaths: ["config/crd/bases"] });
beforeAll(() => env.start());
afterAll(() => env.stop());

const key = { namespace: "default", name: "test-resource" };
const ctx = reconcileContext();

describe("MemcachedReconciler", () => {
  const events: string[] = [];
  const recorder = { event: (_: unknown, type: string, reason: string) => void events.push(`${type} ${reason}`) };
  const reconcile = () => new MemcachedReconciler(env.client, recorder, "memcached:test").reconcile(key, ctx);

  /** The first call adds the finalizer, the second one creates the Deployment. */
  const reconcileTwice = async () => {
    await reconcile();
    await reconcile();
  };

  beforeEach(async () => {
    events.length = 0;
    await env.client.create(Memcached, { metadata: key, spec: { size: 2 } });
  });

  afterEach(async () => {
    if (await env.client.getOrUndefined(Memcached, key)) await env.client.delete(Memcached, key);
    await reconcile(); // removes the finalizer
    if (await env.client.getOrUndefined(Deployment, key)) await env.client.delete(Deployment, key);
  });

  it("creates a Deployment with the desired size and image, owned by the Memcached", async () => {
    await reconcileTwice();

    const deployment = await env.client.get(Deployment, key);
    const memcached = await env.client.get(Memcached, key);
    expect(deployment.spec?.replicas).toBe(2);
    expect(deployment.spec?.template.spec?.containers[0]?.image).toBe("memcached:test");
    expect(deployment.metadata.ownerReferences).toEqual([
      expect.objectContaining({ kind: "Memcached", uid: memcached.metadata.uid, controller: true }),
    ]);
    expect(events).toEqual(["Normal Created"]);
  });

  it("restores the size of a changed Deployment", async () => {
    await reconcileTwice();
    const deployment = await env.client.get(Deployment, key);
    await env.client.update(Deployment, { ...deployment, spec: { ...deployment.spec!, replicas: 7 } });

    await reconcile();

    expect((await env.client.get(Deployment, key)).spec?.replicas).toBe(2);
  });

  it("reports Available when the Deployment is available", async () => {
    await reconcileTwice();
    const waiting = await env.client.get(Memcached, key);
    expect(isConditionTrue(waiting.status?.conditions, "Available")).toBe(false);
    expect(isConditionTrue(waiting.status?.conditions, "Progressing")).toBe(true);

    const deployment = await env.client.get(Deployment, key);
    const status = { replicas: 2, readyReplicas: 2, availableReplicas: 2, updatedReplicas: 2 };
    await env.client.status.update(Deployment, { ...deployment, status });
    await reconcile();

    const memcached = await env.client.get(Memcached, key);
    expect(isConditionTrue(memcached.status?.conditions, "Available")).toBe(true);
    expect(memcached.status?.replicas).toBe(2);
  });

  it("applies another port, and another image after an update of the operator", async () => {
    await reconcileTwice();
    const memcached = await env.client.get(Memcached, key);
    await env.client.update(Memcached, { ...memcached, spec: { ...memcached.spec, containerPort: 11212 } });

    await new MemcachedReconciler(env.client, recorder, "memcached:next").reconcile(key, ctx);

    const [container] = (await env.client.get(Deployment, key)).spec!.template.spec!.containers;
    expect(container).toMatchObject({ image: "memcached:next", ports: [{ containerPort: 11212 }] });
    expect(container?.command).toContain("--port=11212");
    expect(events).toEqual(["Normal Created", "Normal Updated"]);
  });

  it("reports Degraded when the Deployment fails", async () => {
    await reconcileTwice();
    expect(isConditionTrue((await env.client.get(Memcached, key)).status?.conditions, "Degraded")).toBe(false);

    const deployment = await env.client.get(Deployment, key);
    const conditions = [
      { type: "Progressing", status: "False", reason: "ProgressDeadlineExceeded", message: "timed out progressing" },
    ] as const;
    await env.client.status.update(Deployment, { ...deployment, status: { conditions: [...conditions] } });
    await reconcile();

    expect(findCondition((await env.client.get(Memcached, key)).status?.conditions, "Degraded")).toMatchObject({
      status: "True",
      reason: "ProgressDeadlineExceeded",
    });
  });

  it("writes nothing if nothing has changed", async () => {
    await reconcileTwice();
    const before = await env.client.get(Memcached, key);

    await reconcile();

    expect((await env.client.get(Memcached, key)).metadata.resourceVersion).toBe(before.metadata.resourceVersion);
  });

  it("records the deletion and removes the finalizer", async () => {
    await reconcileTwice();
    await env.client.delete(Memcached, key);

    await reconcile();

    expect(events).toContain("Warning Deleting");
    await expect(env.client.get(Memcached, key)).rejects.toSatisfy(isNotFound);
  });

  it("relies on the API server to reject an invalid size", async () => {
    const tooLarge = { metadata: { ...key, name: "too-large" }, spec: { size: 4 } };
    const refusal: unknown = await env.client.create(Memcached, tooLarge).catch((error: unknown) => error);

    expect(isInvalid(refusal)).toBe(true);
    expect(String(refusal)).toContain("spec.size in body should be less than or equal to 3");
  });
});

// A cluster with a Deployment controller, and the operator, in virtual time.
describe("the operator", () => {
  const setup: SimulateOptions["setup"] = async (mgr) => {
    const reconciler = new MemcachedReconciler(mgr.client, mgr.eventRecorder("memcached"), "memcached:test");
    await reconciler.setupWithManager(mgr);
  };
  const options = { crdPaths: ["config/crd/bases"], simulate: true, setup };

  it("follows the size, although it sees Deployments late and is refused at first", async () => {
    await simulate(options, async (sim) => {
      const created = await sim.client.create(Memcached, { metadata: key, spec: { size: 1 } });
      expect(await sim.settle()).toBe(true);
      sim.lag(Deployment, 3_000);
      sim.inject({ verbs: ["update"], resource: "deployments", reason: "Conflict", times: 2 });

      const current = await sim.client.get(Memcached, key);
      await sim.client.update(Memcached, { ...current, spec: { ...created.spec, size: 3 } });

      expect(await sim.settle()).toBe(true);
      const { status } = await sim.client.get(Memcached, key);
      expect(status?.nodes).toHaveLength(3);
      expect(isConditionTrue(status?.conditions, "Available")).toBe(true);
    });
  });

  it("survives a crash at each write", async () => {
    const run = (crashAt: number) =>
      simulate(options, async (sim) => {
        sim.crashAtWrite(crashAt);
        await sim.client.create(Memcached, { metadata: key, spec: { size: 1 } });
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
