import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import {
  ClusterRoleKind,
  ConfigMapKind,
  SecretKind,
} from "../../../../../src/sandbox/simulation/context/simulated-kinds.ts";
import { startSandbox, type Sandbox, type SandboxOptions } from "../../../../../src/sandbox/start-sandbox.ts";

async function start(options: SandboxOptions): Promise<Sandbox & { stop(): Promise<void> }> {
  const stopping = new AbortController();
  const sandbox = await startSandbox(options, stopping.signal);
  const stop = async (): Promise<void> => {
    stopping.abort();
    await sandbox.done;
  };
  onTestFinished(stop);
  return { ...sandbox, stop };
}

const namespace = "default";

/** Starts a server without simulation that keeps a ConfigMap, and a Secret which it owns. */
async function storeFamily() {
  const persist = mkdtempSync(join(tmpdir(), "tsop-orphans-"));
  onTestFinished(() => rmSync(persist, { recursive: true }));
  const before = await start({ persist, simulate: false });
  const { metadata } = await before.client.create(ConfigMapKind, { metadata: { name: "owner", namespace } });
  const reference = { apiVersion: "v1", kind: "ConfigMap", name: "owner", uid: metadata.uid ?? "" };
  await before.client.create(SecretKind, { metadata: { name: "child", namespace, ownerReferences: [reference] } });
  return { persist, before };
}

it("deletes the dependents of an owner whose kind is written in lower case", async () => {
  const { client } = await start({ pace: { min: 1, max: 5 } });
  const owner = await client.create(ClusterRoleKind, { metadata: { name: "owner" }, rules: [] });
  const { name, uid = "" } = owner.metadata;
  const reference = { apiVersion: "rbac.authorization.k8s.io/v1", kind: "clusterrole", name, uid };
  const key = { namespace: "default", name: "owned" };
  await client.create(ConfigMapKind, { metadata: { ...key, ownerReferences: [reference] } });
  await client.delete(ClusterRoleKind, { name: "owner" });
  await expect.poll(() => client.getOrUndefined(ConfigMapKind, key), { timeout: 10_000 }).toBeUndefined();
});

it("orphans the dependents of an owner that was deleted before it started", async () => {
  const { persist, before } = await storeFamily();
  await before.client.delete(ConfigMapKind, { namespace, name: "owner" }, { propagationPolicy: "Orphan" });
  await before.stop();

  const { client } = await start({ persist, pace: { min: 0, max: 0 } });
  await expect
    .poll(() => client.getOrUndefined(ConfigMapKind, { namespace, name: "owner" }), { timeout: 20_000 })
    .toBeUndefined();
  const child = await client.get(SecretKind, { namespace, name: "child" });
  expect(child.metadata.ownerReferences).toBeUndefined();
});
