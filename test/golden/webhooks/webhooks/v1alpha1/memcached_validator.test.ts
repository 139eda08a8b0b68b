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

import { readObject } from "tsop/testing";
import { describe, expect, it } from "vitest";
import { Memcached } from "../../api/v1alpha1/zz_generated.kinds.ts";
import { serveWebhooks } from "../suite.ts";

// An API server that calls your webhooks, like the API server of a cluster.
const env = serveWebhooks();
const sample = await readObject<Memcached>("config/samples/cache_v1alpha1_memcached.yaml");

const memcached = (name: string, copyOf: string): Memcached => ({
  ...sample,
  metadata: { namespace: "default", name, annotations: { "cache.example.com/copy-of": copyOf } },
});

describe("MemcachedValidator", () => {
  it("accepts creation, update and deletion of a valid Memcached", async () => {
    const created = await env.client.create(Memcached, memcached("good", "other"));
    created.metadata.annotations = { "cache.example.com/copy-of": "another" };
    const updated = await env.client.update(Memcached, created);
    expect(updated.metadata.annotations).toMatchObject({ "cache.example.com/copy-of": "another" });
    await env.client.delete(Memcached, { namespace: "default", name: "good" });
  });

  it("rejects an invalid Memcached with the reason", async () => {
    const creation = env.client.create(Memcached, memcached("bad", "bad"));
    await expect(creation).rejects.toThrow("denied the request: Memcached bad cannot be a copy of itself");
  });

  it("rejects an invalid update", async () => {
    const created = await env.client.create(Memcached, memcached("changed", "other"));
    created.metadata.annotations = { "cache.example.com/copy-of": "changed" };
    const update = env.client.update(Memcached, created);
    await expect(update).rejects.toThrow("denied the request: Memcached changed cannot be a copy of itself");
  });
});
