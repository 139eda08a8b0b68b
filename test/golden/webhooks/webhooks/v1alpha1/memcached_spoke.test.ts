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

import { apiVersionOf } from "tsop";
import { checkConversion, readObject } from "tsop/testing";
import { describe, expect, it } from "vitest";
import { Memcached as Hub } from "../../api/v1/zz_generated.kinds.ts";
import { Memcached } from "../../api/v1alpha1/zz_generated.kinds.ts";
import { serveWebhooks } from "../suite.ts";
import { memcachedConverter } from "../v1/memcached_conversion.ts";

// An API server that calls your conversion webhook, like the API server of a cluster.
const env = serveWebhooks();
const sample = await readObject<Memcached>("config/samples/cache_v1alpha1_memcached.yaml");
const hubSample = await readObject<Hub>("config/samples/cache_v1_memcached.yaml");

describe("Memcached v1alpha1", () => {
  it("converts to v1 and back without loss", async () => {
    // Objects are drawn from the schemas of both versions: a finding has the smallest object that is not kept.
    const options = { samples: [sample, hubSample], client: env.client };
    const { report } = await checkConversion(memcachedConverter, [Hub, Memcached], options);
    expect(report).toBe("");
  });

  it("is served in v1", async () => {
    const key = { namespace: "default", name: "created-as-v1alpha1" };
    const created = await env.client.create(Memcached, { ...sample, metadata: key });
    const hub = await env.client.get(Hub, key);
    expect(hub).toMatchObject({ apiVersion: apiVersionOf(Hub), metadata: { uid: created.metadata.uid } });
    // When the versions differ, check the conversion of each field here.
    expect(hub.spec).toEqual(created.spec);
  });
});
