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
import { Kraken } from "../../api/sea-creatures/v1beta1/zz_generated.kinds.ts";
import { KrakenReconciler } from "./kraken_controller.ts";

// An API server with your CRDs: the embedded one, or the real one in KUBEBUILDER_ASSETS.
const env = new TestEnvironment({ crdPaths: ["config/crd/bases"] });
beforeAll(() => env.start());
afterAll(() => env.stop());

const key = { namespace: "default", name: "test-resource" };
const ctx = reconcileContext();

describe("KrakenReconciler", () => {
  const sample = async (): Promise<Kraken> => ({
    ...(await readObject<Kraken>("config/samples/sea-creatures_v1beta1_kraken.yaml")),
    metadata: key,
  });
  const reconcile = (name = key.name) => new KrakenReconciler(env.client).reconcile({ ...key, name }, ctx);

  beforeEach(async () => env.client.create(Kraken, await sample()));

  afterEach(async () => {
    await env.client.delete(Kraken, key);
    await reconcile(); // releases the finalizer, if your controller adds one
  });

  it("reconciles the sample without changing its spec", async () => {
    const { spec } = await env.client.get(Kraken, key);
    const result = await reconcile();

    expect(result).toEqual({});
    // Check here the effects of your controller: the objects that it created, the conditions that it set.
    const kraken = await env.client.get(Kraken, key);
    expect(kraken.spec).toEqual(spec);
  });

  it("does nothing for a deleted Kraken", async () => {
    const result = await reconcile("gone");

    expect(result).toEqual({});
  });
});
