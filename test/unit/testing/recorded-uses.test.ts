import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { serviceAccountUser } from "../../../src/apimachinery/service-account.ts";
import { createClient } from "../../../src/client/create-client.ts";
import { ConfigMap, Secret } from "../../../src/k8s/core/v1.ts";
import { ClusterRole } from "../../../src/k8s/rbac/v1.ts";
import { readUses } from "../../../src/sandbox/use-file.ts";
import { TestEnvironment } from "../../../src/testing/test-environment.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "tsop-uses-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const key = { namespace: "default", name: "settings" };

it("records the requests of the manager and of service accounts, and not those of the test", async () => {
  const file = join(folder, "deep", "uses.jsonl");
  for (const _run of [1, 2]) {
    const env = new TestEnvironment({ env: { TSOP_ROLES: file } });
    await env.start();
    await env.client.create(Secret, { metadata: key });
    const operator = createClient({ config: env.config });
    await operator.apply(ConfigMap, { metadata: key, data: { a: "1" } }, { fieldOwner: "operator" });
    await operator.apply(ConfigMap, { metadata: key, data: { a: "2" } }, { fieldOwner: "operator" });
    await operator.list(ConfigMap, { namespace: "default", fields: { "metadata.name": "settings" } });
    const rules = [{ verbs: ["get"], apiGroups: [""], resources: ["pods"] }];
    await operator.create(ClusterRole, { metadata: { name: "granted" }, rules });
    const account = createClient({ config: env.addUser(serviceAccountUser("default", "helper")) });
    await account.getOrUndefined(ConfigMap, { namespace: "other", name: "missing" });
    await env.stop();
  }
  const { runs, uses } = await readUses([file]);
  expect(runs).toBe(2);
  expect(uses.map(({ example: _example, ...use }) => use)).toEqual([
    { verb: "patch", group: "", resource: "configmaps", ...key, own: true, count: 4 },
    { verb: "create", group: "", resource: "configmaps", ...key, own: true, count: 2 },
    { verb: "list", group: "", resource: "configmaps", ...key, own: true, count: 2 },
    {
      verb: "create",
      group: "rbac.authorization.k8s.io",
      resource: "clusterroles",
      count: 2,
      grants: [{ verbs: ["get"], apiGroups: [""], resources: ["pods"] }],
    },
    { verb: "get", group: "", resource: "configmaps", namespace: "other", name: "missing", count: 2 },
  ]);
  expect(uses[0]?.example).toBe("PATCH /api/v1/namespaces/default/configmaps/settings");
});

it("leaves the user of a test alone if nothing is recorded", async () => {
  const env = new TestEnvironment({ env: {} });
  await env.start();
  expect(env.kubeconfig).toContain(env.config.token);
  await env.stop();
});
