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
import type { Ingress } from "tsop/k8s/networking/v1";
import { IngressValidator } from "./ingress_validator.ts";

const validator = new IngressValidator();

function ingress(copyOf: string): Ingress {
  const annotations = { "networking.k8s.io/copy-of": copyOf };
  return { metadata: { name: "test", annotations } } as unknown as Ingress;
}

describe("IngressValidator", () => {
  it("accepts a valid Ingress on creation, update and deletion", () => {
    expect(validator.validateCreate(ingress("other"))).toBeUndefined();
    expect(validator.validateUpdate(ingress("other"), ingress("another"))).toBeUndefined();
    expect(validator.validateDelete()).toBeUndefined();
  });

  it("rejects an invalid Ingress with the reason", () => {
    expect(() => validator.validateCreate(ingress("test"))).toThrow("cannot be a copy of itself");
    expect(() => validator.validateUpdate(ingress("other"), ingress("test"))).toThrow("copy of itself");
  });
});
