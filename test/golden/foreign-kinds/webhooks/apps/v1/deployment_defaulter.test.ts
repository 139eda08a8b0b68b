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
import { Deployment } from "tsop/k8s/apps/v1";
import { serveWebhooks } from "../../suite.ts";

// An API server that calls your webhooks, like the API server of a cluster.
const env = serveWebhooks();
const sample: Omit<Deployment, "metadata"> = {
  spec: {
    selector: { matchLabels: { app: "test" } },
    template: {
      metadata: { labels: { app: "test" } },
      spec: { containers: [{ name: "main", image: "example.com/image:v1" }] },
    },
  },
};

const deployment = (name: string, labels: Record<string, string> = {}): Deployment => ({
  ...sample,
  metadata: { namespace: "default", name, labels },
});

describe("DeploymentDefaulter", () => {
  it("sets a missing label", async () => {
    const { metadata } = await env.client.create(Deployment, deployment("unlabelled"));
    expect(metadata.labels).toEqual({ "app.kubernetes.io/managed-by": "foreign" });
  });

  it("sets the label again after an update removes it", async () => {
    const { metadata } = await env.client.create(Deployment, deployment("updated"));
    const current = { ...deployment("updated"), metadata: { ...metadata, labels: {} } };
    const updated = await env.client.update(Deployment, current);
    expect(updated.metadata.labels).toEqual({ "app.kubernetes.io/managed-by": "foreign" });
  });

  it("keeps a label set by the user", async () => {
    const labels = { "app.kubernetes.io/managed-by": "me" };
    const { metadata } = await env.client.create(Deployment, deployment("labelled", labels));
    expect(metadata.labels).toEqual(labels);
  });
});
