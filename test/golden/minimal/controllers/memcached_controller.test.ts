/*
Copyright 2026 The Minimal Authors.

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

import { readObject, reconcileContext, simulate, TestEnvironment, type SimulateOptions } from "tsop/testing";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { Memcached } from "../api/v1alpha1/zz_generated.kinds.ts";
import { MemcachedReconciler } from "./memcached_controller.ts";

// An API server with your CRDs: the embedded one, or the real one in KUBEBUILDER_ASSETS.
const env = new TestEnvironment({ crdPaths: ["config/crd/bases"] });
beforeAll(() => env.start());
afterAll(() => env.stop());

const key = { namespace: "default", name: "test-resource" };
const ctx = reconcileContext();

describe("MemcachedReconciler", () => {
  const sample = async (): Promise<Memcached> => ({
    ...(await readObject<Memcached>("config/samples/cache_v1alpha1_memcached.yaml")),
    metadata: key,
  });
  const reconcile = (name = key.name) => new MemcachedReconciler(env.client).reconcile({ ...key, name }, ctx);

  beforeEach(async () => env.client.create(Memcached, await sample()));

  afterEach(async () => {
    await env.client.delete(Memcached, key);
    await reconcile(); // releases the finalizer, if your controller adds one
  });

  it("reconciles the sample without changing its spec", async () => {
    const { spec } = await env.client.get(Memcached, key);
    const result = await reconcile();

    expect(result).toEqual({});
    // Check here the effects of your controller: the objects that it created, the conditions that it set.
    const memcached = await env.client.get(Memcached, key);
    expect(memcached.spec).toEqual(spec);
  });

  it("does nothing for a deleted Memcached", async () => {
    const result = await reconcile("gone");

    expect(result).toEqual({});
  });

  // In virtual time: the operator ends right after each of its writes, and a new instance goes on. The scaffolded controller
  // writes nothing, so that nothing crashes before you add code to it. Change or delete the object here to cover more.
  it("survives a crash at each write", async () => {
    const object = await sample();
    const setup: SimulateOptions["setup"] = async (mgr) => {
      await new MemcachedReconciler(mgr.client).setupWithManager(mgr);
    };
    const run = (crashAt: number) =>
      simulate({ crdPaths: ["config/crd/bases"], simulate: true, setup }, async (sim) => {
        sim.crashAtWrite(crashAt);
        await sim.client.create(Memcached, object);
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
