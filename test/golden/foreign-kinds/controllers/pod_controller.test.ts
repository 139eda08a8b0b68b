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

import { reconcileContext, TestEnvironment } from "tsop/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PodReconciler } from "./pod_controller.ts";

// An API server: the embedded one, or the real one in KUBEBUILDER_ASSETS.
const env = new TestEnvironment();
beforeAll(() => env.start());
afterAll(() => env.stop());

const ctx = reconcileContext();

describe("PodReconciler", () => {
  it("does nothing for a deleted Pod", async () => {
    const result = await new PodReconciler(env.client).reconcile({ namespace: "default", name: "gone" }, ctx);

    // Create an object of kind Pod with env.client, reconcile it, and check here the effects of your controller.
    expect(result).toEqual({});
  });
});
