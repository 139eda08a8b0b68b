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

const certificate = (name: string, labels: Record<string, string> = {}): Certificate => ({
  ...sample,
  metadata: { ...home, name, labels },
});

describe("CertificateDefaulter", () => {
  it("sets a missing label", async () => {
    const { metadata } = await env.client.create(Certificate, certificate("unlabelled"));
    expect(metadata.labels).toEqual({ "app.kubernetes.io/managed-by": "foreign" });
  });

  it("sets the label again after an update removes it", async () => {
    const { metadata } = await env.client.create(Certificate, certificate("updated"));
    const current = { ...certificate("updated"), metadata: { ...metadata, labels: {} } };
    const updated = await env.client.update(Certificate, current);
    expect(updated.metadata.labels).toEqual({ "app.kubernetes.io/managed-by": "foreign" });
  });

  it("keeps a label set by the user", async () => {
    const labels = { "app.kubernetes.io/managed-by": "me" };
    const { metadata } = await env.client.create(Certificate, certificate("labelled", labels));
    expect(metadata.labels).toEqual(labels);
  });
});
