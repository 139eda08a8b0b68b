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

import { readObject, reconcileContext, TestEnvironment } from "tsop/testing";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { Frigate } from "../../api/ship/v1beta1/zz_generated.kinds.ts";
import { FrigateReconciler } from "./frigate_controller.ts";

// An API server with your CRDs: the embedded one, or the real one in KUBEBUILDER_ASSETS.
const env = new TestEnvironment({ crdPaths: ["config/crd/bases"] });
beforeAll(() => env.start());
afterAll(() => env.stop());

const key = { namespace: "default", name: "test-resource" };
const ctx = reconcileContext();

describe("FrigateReconciler", () => {
  const sample = async (): Promise<Frigate> => ({
    ...(await readObject<Frigate>("config/samples/ship_v1beta1_frigate.yaml")),
    metadata: key,
  });
  const reconcile = (name = key.name) => new FrigateReconciler(env.client).reconcile({ ...key, name }, ctx);

  beforeEach(async () => env.client.create(Frigate, await sample()));

  afterEach(async () => {
    await env.client.delete(Frigate, key);
    await reconcile(); // releases the finalizer, if your controller adds one
  });

  it("reconciles the sample without changing its spec", async () => {
    const { spec } = await env.client.get(Frigate, key);
    const result = await reconcile();

    expect(result).toEqual({});
    // Check here the effects of your controller: the objects that it created, the conditions that it set.
    const frigate = await env.client.get(Frigate, key);
    expect(frigate.spec).toEqual(spec);
  });

  it("does nothing for a deleted Frigate", async () => {
    const result = await reconcile("gone");

    expect(result).toEqual({});
  });
});
