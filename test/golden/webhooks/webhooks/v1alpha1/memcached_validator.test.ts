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
import { MemcachedValidator } from "./memcached_validator.ts";

const validator = new MemcachedValidator();
const memcached = (copyOf: string): Memcached =>
  ({ metadata: { name: "test", annotations: { "cache.example.com/copy-of": copyOf } } }) as unknown as Memcached;

describe("MemcachedValidator", () => {
  it("lets a good Memcached pass, on creation and on update", () => {
    expect(validator.validateCreate(memcached("other"))).toBeUndefined();
    expect(validator.validateUpdate(memcached("other"), memcached("another"))).toBeUndefined();
    expect(validator.validateDelete()).toBeUndefined();
  });

  it("refuses a bad Memcached with the reason", () => {
    expect(() => validator.validateCreate(memcached("test"))).toThrow("can't be a copy of itself");
    expect(() => validator.validateUpdate(memcached("other"), memcached("test"))).toThrow("copy of itself");
  });
});
