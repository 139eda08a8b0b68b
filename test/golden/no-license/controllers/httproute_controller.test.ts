import { readObject, reconcileContext, simulate, TestEnvironment, type SimulateOptions } from "tsop/testing";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { HTTPRoute } from "../api/v1/zz_generated.kinds.ts";
import { HTTPRouteReconciler } from "./httproute_controller.ts";

// An API server with your CRDs: the embedded one, or the real one in KUBEBUILDER_ASSETS.
const env = new TestEnvironment({ crdPaths: ["config/crd/bases"] });
beforeAll(() => env.start());
afterAll(() => env.stop());

const key = { namespace: "default", name: "test-resource" };
const ctx = reconcileContext();

describe("HTTPRouteReconciler", () => {
  const sample = async (): Promise<HTTPRoute> => ({
    ...(await readObject<HTTPRoute>("config/samples/app_v1_httproute.yaml")),
    metadata: key,
  });
  const reconcile = (name = key.name) => new HTTPRouteReconciler(env.client).reconcile({ ...key, name }, ctx);

  beforeEach(async () => env.client.create(HTTPRoute, await sample()));

  afterEach(async () => {
    await env.client.delete(HTTPRoute, key);
    await reconcile(); // releases the finalizer, if your controller adds one
  });

  it("reconciles the sample without changing its spec", async () => {
    const { spec } = await env.client.get(HTTPRoute, key);
    const result = await reconcile();

    expect(result).toEqual({});
    // Check here the effects of your controller: the objects that it created, the conditions that it set.
    const httpRoute = await env.client.get(HTTPRoute, key);
    expect(httpRoute.spec).toEqual(spec);
  });

  it("does nothing for a deleted HTTPRoute", async () => {
    const result = await reconcile("gone");

    expect(result).toEqual({});
  });

  // In virtual time: the operator ends right after each of its writes, and a new instance goes on. The scaffolded controller
  // writes nothing, so that nothing crashes before you add code to it. Change or delete the object here to cover more.
  it("survives a crash at each write", async () => {
    const object = await sample();
    const setup: SimulateOptions["setup"] = async (mgr) => {
      await new HTTPRouteReconciler(mgr.client).setupWithManager(mgr);
    };
    const run = (crashAt: number) =>
      simulate({ crdPaths: ["config/crd/bases"], simulate: true, setup }, async (sim) => {
        sim.crashAtWrite(crashAt);
        await sim.client.create(HTTPRoute, object);
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
