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
import type { Memcached } from "../../api/v1alpha1/zz_generated.kinds.ts";
import { MemcachedDefaulter } from "./memcached_defaulter.ts";

const memcached = (labels: Record<string, string> = {}): Memcached =>
  ({ metadata: { name: "test", labels } }) as Memcached;

describe("MemcachedDefaulter", () => {
  it("fills in what is missing", () => {
    const object = memcached();
    new MemcachedDefaulter().default(object);
    expect(object.metadata.labels).toEqual({ "app.kubernetes.io/managed-by": "hooks" });
  });

  it("leaves alone what the user has set", () => {
    const object = memcached({ "app.kubernetes.io/managed-by": "me" });
    new MemcachedDefaulter().default(object);
    expect(object.metadata.labels).toEqual({ "app.kubernetes.io/managed-by": "me" });
  });
});
