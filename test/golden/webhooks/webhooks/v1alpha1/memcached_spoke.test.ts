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

import { apiVersionOf, cloneJson } from "tsop";
import { describe, expect, it } from "vitest";
import { Memcached as Hub } from "../../api/v1/zz_generated.kinds.ts";
import { Memcached } from "../../api/v1alpha1/zz_generated.kinds.ts";
import { memcachedConverter } from "../v1/memcached_conversion.ts";

const sample: Memcached = {
  apiVersion: "cache.example.com/v1alpha1",
  kind: "Memcached",
  metadata: { name: "test", labels: { keep: "me" } },
  spec: { foo: "bar" },
};

describe("Memcached v1alpha1", () => {
  it("becomes v1", async () => {
    const hub = await memcachedConverter.convert(sample, apiVersionOf(Hub));
    expect(hub).toEqual({ ...sample, apiVersion: apiVersionOf(Hub) });
  });

  it("survives the way to v1 and back", async () => {
    const hub = await memcachedConverter.convert(cloneJson(sample), apiVersionOf(Hub));
    expect(await memcachedConverter.convert(hub, apiVersionOf(Memcached))).toEqual(sample);
  });
});
