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
import type { Pod } from "tsop/k8s/core/v1";
import { PodValidator } from "./pod_validator.ts";

const validator = new PodValidator();
const pod = (copyOf: string): Pod =>
  ({ metadata: { name: "test", annotations: { "example.com/copy-of": copyOf } } }) as unknown as Pod;

describe("PodValidator", () => {
  it("lets a good Pod pass, on creation and on update", () => {
    expect(validator.validateCreate(pod("other"))).toBeUndefined();
    expect(validator.validateUpdate(pod("other"), pod("another"))).toBeUndefined();
    expect(validator.validateDelete()).toBeUndefined();
  });

  it("refuses a bad Pod with the reason", () => {
    expect(() => validator.validateCreate(pod("test"))).toThrow("can't be a copy of itself");
    expect(() => validator.validateUpdate(pod("other"), pod("test"))).toThrow("copy of itself");
  });
});
