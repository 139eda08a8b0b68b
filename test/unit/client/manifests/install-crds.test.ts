import { expect, it, onTestFinished } from "vitest";
import { defineKind } from "../../../../src/apimachinery/kind.ts";
import type { UnstructuredObject } from "../../../../src/apimachinery/meta.ts";
import { installCrds } from "../../../../src/client/manifests/install-crds.ts";
import { TestEnvironment } from "../../../../src/testing/test-environment.ts";

const Cache = defineKind({ group: "example.com", version: "v1", kind: "Cache", plural: "caches" });

const crdWith = (stored: string, more: object, ...versions: string[]): UnstructuredObject => ({
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "caches.example.com" },
  spec: {
    group: "example.com",
    scope: "Namespaced",
    names: { kind: "Cache", plural: "caches" },
    versions: versions.map((name) => ({
      name,
      served: true,
      storage: name === stored,
      schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
    })),
    ...more,
  },
});

it("adds a version to a kind with objects while the operator that converts them is away", async () => {
  const env = new TestEnvironment({ binaryAssetsDirectory: "" });
  onTestFinished(() => env.stop());
  await env.start();
  await installCrds(env.client, [crdWith("v1", {}, "v1")]);
  await env.client.create(Cache, { metadata: { namespace: "default", name: "old" } });

  const clientConfig = { url: "https://127.0.0.1:1/convert" };
  const conversion = { strategy: "Webhook", webhook: { clientConfig, conversionReviewVersions: ["v1"] } };
  await installCrds(env.client, [crdWith("v2", { conversion }, "v1", "v2")]);

  await expect(env.client.list({ ...Cache, version: "v2" })).rejects.toThrow("conversion webhook");
});
