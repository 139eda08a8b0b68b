import { readObject, reconcileContext, TestEnvironment } from "tsop/testing";
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
});
