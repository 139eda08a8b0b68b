import { expect, it, onTestFinished } from "vitest";
import { defineKind } from "../../../src/apimachinery/kind.ts";
import type { KubeObject } from "../../../src/apimachinery/meta.ts";
import { openCrd } from "../../../src/testing/open-crd.ts";
import { TestEnvironment } from "../../../src/testing/test-environment.ts";

it("accepts any field and the status of a kind, also in a group of the Kubernetes project", async () => {
  const Snapshot = defineKind<KubeObject & { spec?: object; status?: object }>({
    group: "snapshot.storage.k8s.io",
    version: "v1",
    kind: "Snapshot",
    plural: "snapshots",
    subresources: ["status"],
  });
  const env = new TestEnvironment({ env: {}, crds: [openCrd(Snapshot)] });
  await env.start();
  onTestFinished(() => env.stop());
  const object = { metadata: { namespace: "default", name: "a" }, spec: { any: ["thing"] } };
  const created = await env.client.create(Snapshot, object);
  const status = { ready: true };
  await env.client.status.update(Snapshot, { ...created, status });
  expect(await env.client.get(Snapshot, object.metadata)).toMatchObject({ ...object, status });
});
