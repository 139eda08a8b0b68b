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

import { isConditionTrue, isNotFound } from "tsop";
import { Deployment } from "tsop/k8s/apps/v1";
import { reconcileContext, simulate, TestEnvironment, type SimulateOptions } from "tsop/testing";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { Busybox } from "../api/v1alpha1/zz_generated.kinds.ts";
import { BusyboxReconciler } from "./busybox_controller.ts";

// An API server with your CRDs: the embedded one, or the real one in KUBEBUILDER_ASSETS.
const env = new TestEnvironment({ crdPaths: ["config/crd/bases"] });
beforeAll(() => env.start());
afterAll(() => env.stop());

const key = { namespace: "default", name: "test-resource" };
const ctx = reconcileContext();

describe("BusyboxReconciler", () => {
  const reasons: string[] = [];
  const reconcile = async (): Promise<void> => {
    const events = { event: (_object: unknown, _type: string, reason: string) => void reasons.push(reason) };
    const reconciler = new BusyboxReconciler({ client: env.client, events, image: "example.com/image:test" });
    await reconciler.reconcile(key, ctx);
  };

  beforeEach(async () => {
    reasons.length = 0;
    await env.client.create(Busybox, { metadata: key, spec: { size: 1 } });
    await reconcile(); // adds the finalizer
    await reconcile(); // creates the Deployment
  });

  afterEach(async () => {
    const left = await env.client.getOrUndefined(Busybox, key);
    if (left) await env.client.delete(Busybox, key);
    await reconcile(); // releases the finalizer
    await env.client.delete(Deployment, key); // the test server has no garbage collector
  });

  it("creates a Deployment owned by the Busybox", async () => {
    const { metadata, spec } = await env.client.get(Deployment, key);
    expect(metadata.ownerReferences?.[0]).toMatchObject({ kind: "Busybox", name: key.name, controller: true });
    expect(spec?.replicas).toBe(1);
    expect(spec?.template.spec?.containers[0]).toMatchObject({ image: "example.com/image:test" });
    expect(reasons).toEqual(["Created"]);
  });

  it("scales the Deployment to the size", async () => {
    const object = await env.client.get(Busybox, key);
    await env.client.update(Busybox, { ...object, spec: { ...object.spec, size: 2 } });
    await reconcile();
    expect((await env.client.get(Deployment, key)).spec?.replicas).toBe(2);
  });

  it("reports Available when all instances are available", async () => {
    expect(isConditionTrue((await env.client.get(Busybox, key)).status?.conditions, "Available")).toBe(false);
    const deployment = await env.client.get(Deployment, key);
    const status = { replicas: 1, readyReplicas: 1, availableReplicas: 1 };
    await env.client.status.update(Deployment, { ...deployment, status });
    await reconcile();
    expect(isConditionTrue((await env.client.get(Busybox, key)).status?.conditions, "Available")).toBe(true);
  });

  it("releases a deleted Busybox after recording an event", async () => {
    await env.client.delete(Busybox, key);
    await reconcile();
    await expect(env.client.get(Busybox, key)).rejects.toSatisfy(isNotFound);
    expect(reasons).toContain("Deleting");
  });

  // In virtual time: the operator ends right after each of its writes, and a new instance goes on.
  it("survives a crash at each write", async () => {
    const setup: SimulateOptions["setup"] = async (mgr) => {
      const options = { client: mgr.client, events: mgr.eventRecorder("test"), image: "example.com/image:test" };
      await new BusyboxReconciler(options).setupWithManager(mgr);
    };
    const run = (crashAt: number) =>
      simulate({ crdPaths: ["config/crd/bases"], simulate: true, setup }, async (sim) => {
        sim.crashAtWrite(crashAt);
        await sim.client.create(Busybox, { metadata: key, spec: { size: 1 } });
        expect(await sim.settle()).toBe(true);
        return { writes: sim.writes, state: sim.state() };
      });
    const { writes, state } = await run(Infinity);
    for (const [index, write] of writes.entries()) {
      const crashed = await run(index + 1);
      expect(crashed.state, `after a crash at ${write}`).toEqual(state);
    }
  });
});
