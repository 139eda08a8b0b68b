import { afterEach, expect, it } from "vitest";
import { ClusterRoleKind } from "../../../../../src/sandbox/olm/account-rules.ts";
import { ConfigMapKind } from "../../../../../src/sandbox/simulation/context/simulated-kinds.ts";
import { startSandbox } from "../../../../../src/sandbox/start-sandbox.ts";

const stopping = new AbortController();
afterEach(() => stopping.abort());

it("deletes the dependents of an owner whose kind is written in lower case", async () => {
  const { client } = await startSandbox({ pace: { min: 1, max: 5 } }, stopping.signal);
  const owner = await client.create(ClusterRoleKind, { metadata: { name: "owner" }, rules: [] });
  const { name, uid = "" } = owner.metadata;
  const reference = { apiVersion: "rbac.authorization.k8s.io/v1", kind: "clusterrole", name, uid };
  const key = { namespace: "default", name: "owned" };
  await client.create(ConfigMapKind, { metadata: { ...key, ownerReferences: [reference] } });
  await client.delete(ClusterRoleKind, { name: "owner" });
  await expect.poll(() => client.getOrUndefined(ConfigMapKind, key), { timeout: 10_000 }).toBeUndefined();
});
