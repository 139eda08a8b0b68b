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

import { openCrd } from "tsop/testing";
import { describe, expect, it } from "vitest";
import { Certificate } from "../../../given/certificate.ts";
import { serveWebhooks } from "../../suite.ts";

// An API server that calls your webhooks, like the API server of a cluster.
// If your webhooks depend on the schema of the kind, replace the open CRD with the real one.
const env = serveWebhooks({ crds: [openCrd(Certificate)] });
const home = Certificate.scope === "Namespaced" ? { namespace: "default" } : {};
const sample: Omit<Certificate, "metadata"> = {};

const certificate = (name: string, copyOf: string): Certificate => ({
  ...sample,
  metadata: { ...home, name, annotations: { "cert-manager.io/copy-of": copyOf } },
});

describe("CertificateValidator", () => {
  it("accepts creation, update and deletion of a valid Certificate", async () => {
    const created = await env.client.create(Certificate, certificate("good", "other"));
    created.metadata.annotations = { "cert-manager.io/copy-of": "another" };
    const updated = await env.client.update(Certificate, created);
    expect(updated.metadata.annotations).toMatchObject({ "cert-manager.io/copy-of": "another" });
    await env.client.delete(Certificate, { ...home, name: "good" });
  });

  it("rejects an invalid Certificate with the reason", async () => {
    const creation = env.client.create(Certificate, certificate("bad", "bad"));
    await expect(creation).rejects.toThrow("denied the request: Certificate bad cannot be a copy of itself");
  });

  it("rejects an invalid update", async () => {
    const created = await env.client.create(Certificate, certificate("changed", "other"));
    created.metadata.annotations = { "cert-manager.io/copy-of": "changed" };
    const update = env.client.update(Certificate, created);
    await expect(update).rejects.toThrow("denied the request: Certificate changed cannot be a copy of itself");
  });
});
