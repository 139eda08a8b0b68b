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

const memcached = (name: string, labels: Record<string, string> = {}): Memcached => ({
  ...sample,
  metadata: { namespace: "default", name, labels },
});

describe("MemcachedDefaulter", () => {
  it("sets a missing label", async () => {
    const { metadata } = await env.client.create(Memcached, memcached("unlabelled"));
    expect(metadata.labels).toEqual({ "app.kubernetes.io/managed-by": "hooks" });
  });

  it("sets the label again after an update removes it", async () => {
    const { metadata } = await env.client.create(Memcached, memcached("updated"));
    const current = { ...memcached("updated"), metadata: { ...metadata, labels: {} } };
    const updated = await env.client.update(Memcached, current);
    expect(updated.metadata.labels).toEqual({ "app.kubernetes.io/managed-by": "hooks" });
  });

  it("keeps a label set by the user", async () => {
    const labels = { "app.kubernetes.io/managed-by": "me" };
    const { metadata } = await env.client.create(Memcached, memcached("labelled", labels));
    expect(metadata.labels).toEqual(labels);
  });
});
