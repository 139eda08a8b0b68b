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
import { IngressDefaulter } from "./ingress_defaulter.ts";

function ingress(labels: Record<string, string> = {}): Ingress {
  return { metadata: { name: "test", labels } } as Ingress;
}

describe("IngressDefaulter", () => {
  it("sets a missing label", () => {
    const object = ingress();
    new IngressDefaulter().default(object);
    expect(object.metadata.labels).toEqual({ "app.kubernetes.io/managed-by": "foreign" });
  });

  it("keeps a label set by the user", () => {
    const object = ingress({ "app.kubernetes.io/managed-by": "me" });
    new IngressDefaulter().default(object);
    expect(object.metadata.labels).toEqual({ "app.kubernetes.io/managed-by": "me" });
  });
});
