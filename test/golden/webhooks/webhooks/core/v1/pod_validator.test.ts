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

import { describe, expect, it } from "vitest";
import { Pod } from "tsop/k8s/core/v1";
import { serveWebhooks } from "../../suite.ts";

// An API server that calls your webhooks, like the API server of a cluster.
const env = serveWebhooks();
const sample: Omit<Pod, "metadata"> = { spec: { containers: [{ name: "main", image: "example.com/image:v1" }] } };

const pod = (name: string, copyOf: string): Pod => ({
  ...sample,
  metadata: { namespace: "default", name, annotations: { "example.com/copy-of": copyOf } },
});

describe("PodValidator", () => {
  it("accepts creation, update and deletion of a valid Pod", async () => {
    const created = await env.client.create(Pod, pod("good", "other"));
    created.metadata.annotations = { "example.com/copy-of": "another" };
    const updated = await env.client.update(Pod, created);
    expect(updated.metadata.annotations).toMatchObject({ "example.com/copy-of": "another" });
    await env.client.delete(Pod, { namespace: "default", name: "good" });
  });

  it("rejects an invalid Pod with the reason", async () => {
    const creation = env.client.create(Pod, pod("bad", "bad"));
    await expect(creation).rejects.toThrow("denied the request: Pod bad cannot be a copy of itself");
  });

  it("rejects an invalid update", async () => {
    const created = await env.client.create(Pod, pod("changed", "other"));
    created.metadata.annotations = { "example.com/copy-of": "changed" };
    const update = env.client.update(Pod, created);
    await expect(update).rejects.toThrow("denied the request: Pod changed cannot be a copy of itself");
  });
});
