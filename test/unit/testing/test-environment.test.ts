import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { defineKind } from "../../../src/apimachinery/kind.ts";
import { loadConfig } from "../../../src/client/config/load-config.ts";
import { createClient } from "../../../src/client/create-client.ts";
import { ConfigMap, Namespace, Pod } from "../../../src/k8s/core/v1.ts";
import { Role, RoleBinding } from "../../../src/k8s/rbac/v1.ts";
import { eventually } from "../../../src/testing/eventually.ts";
import { manualClock } from "../../../src/testing/manual-clock.ts";
import { TestEnvironment, type TestEnvironmentOptions } from "../../../src/testing/test-environment.ts";
import { patience, startTimeoutMs } from "../../patience.ts";

const folder = mkdtempSync(join(tmpdir(), "tsop-testing-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const crd = (plural: string, kind: string) => `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: ${plural}.example.com }
spec:
  group: example.com
  scope: Namespaced
  names: { kind: ${kind}, listKind: ${kind}List, plural: ${plural}, singular: ${kind.toLowerCase()} }
  versions:
  - { name: v1, served: true, storage: true, schema: { openAPIV3Schema: { type: object, x-kubernetes-preserve-unknown-fields: true } } }
`;
writeFileSync(join(folder, "a.yaml"), `${crd("widgets", "Widget")}---\n${crd("gadgets", "Gadget")}`);
writeFileSync(join(folder, "kustomization.yaml"), "resources: [a.yaml]\n");

const Widget = defineKind({ group: "example.com", version: "v1", kind: "Widget", plural: "widgets" });
const Gadget = defineKind({ group: "example.com", version: "v1", kind: "Gadget", plural: "gadgets" });

async function use(
  options: TestEnvironmentOptions,
  test: (environment: TestEnvironment) => Promise<void>,
): Promise<void> {
  const environment = new TestEnvironment({ env: {}, ...options });
  await environment.start();
  try {
    await test(environment);
  } finally {
    await environment.stop();
  }
}

it("serves the version of Kubernetes that is named", async () => {
  await use({ simulate: true }, async ({ client, config }) => {
    const migration = {
      metadata: { name: "of-maps" },
      spec: { resource: { group: "", resource: "configmaps" } },
      status: undefined as { conditions?: { type: string; status: string }[] } | undefined,
    };
    const kind = defineKind<typeof migration>({
      group: "storagemigration.k8s.io",
      version: "v1",
      kind: "StorageVersionMigration",
      plural: "storageversionmigrations",
      scope: "Cluster",
    });
    await client.create(kind, migration);
    await eventually(async () => {
      const { status } = await client.get(kind, { name: "of-maps" });
      expect(status?.conditions).toContainEqual(expect.objectContaining({ type: "Succeeded", status: "True" }));
    });
    expect(config.source).toBe("the embedded server");
  });
  await use({ kubernetesVersion: "1.36" }, async ({ client }) => {
    await expect(client.kindFor("storagemigration.k8s.io/v1", "StorageVersionMigration")).rejects.toThrow();
  });
  await expect(new TestEnvironment({ env: {}, kubernetesVersion: "1.20" }).start()).rejects.toMatchObject({
    code: "TSOP_KUBERNETES_VERSION",
    hint: "choose one of 1.37.2, 1.36.3",
  });
});

const assets = process.env["KUBEBUILDER_ASSETS"];
const servers: [string, TestEnvironmentOptions][] = [["the embedded server", {}]];
if (assets) servers.push(["a real control plane", { binaryAssetsDirectory: assets, startTimeoutMs }]);

describe.each(servers)("on %s", (_, server) => {
  const environment = new TestEnvironment({ env: {}, crdPaths: [folder], rbac: true, ...server });
  beforeAll(() => environment.start());
  afterAll(() => environment.stop());

  it("refuses unknown fields, which the server would drop", async () => {
    const { client, config } = environment;
    const object = { metadata: { name: "odd", namespace: "default" }, dta: { a: "b" } };
    await expect(client.create(ConfigMap, object)).rejects.toThrow('unknown field "dta"');
    await createClient({ config }).create(ConfigMap, object);
  });

  it("serves the CRDs of a folder from the moment it has started", async () => {
    const { client, kubeconfig } = environment;
    const widget = await client.create(Widget, { metadata: { name: "a", namespace: "default" }, spec: { size: 1 } });
    expect(widget.metadata.uid).toBeTruthy();
    expect((await client.list(Gadget)).items).toEqual([]);
    const file = join(folder, "kubeconfig");
    writeFileSync(file, kubeconfig);
    const other = createClient({ config: await loadConfig({ kubeconfig: file }) });
    expect(await other.get(Widget, { namespace: "default", name: "a" })).toEqual(widget);
  });

  it("rejects pods that violate the Pod Security level of their namespace", async () => {
    const { client } = environment;
    const name = "strict";
    const labels = { "pod-security.kubernetes.io/enforce": "restricted" };
    await client.create(Namespace, { metadata: { name, labels } });
    const pod = { metadata: { namespace: name, name: "a" }, spec: { containers: [{ name: "c", image: "i" }] } };
    await expect(client.create(Pod, pod)).rejects.toMatchObject({
      code: 403,
      reason: "Forbidden",
      message: expect.stringMatching(
        /^pods "a" is forbidden: violates PodSecurity "restricted:latest": .*, runAsNonRoot != true \(/,
      ),
    });
  });

  it("gives users the permissions of their roles", async () => {
    const { client } = environment;
    const namespace = "roles";
    await client.create(Namespace, { metadata: { name: namespace } });
    const reader = createClient({ config: environment.addUser({ username: "jane", groups: ["readers"] }) });
    const list = () => reader.list(ConfigMap, { namespace });
    await expect(list()).rejects.toMatchObject({
      code: 403,
      message: `configmaps is forbidden: User "jane" cannot list resource "configmaps" in API group "" in the namespace "${namespace}"`,
    });
    const rules = [{ apiGroups: [""], resources: ["configmaps"], verbs: ["list"] }];
    await client.create(Role, { metadata: { name: "readers", namespace }, rules });
    await client.create(RoleBinding, {
      metadata: { name: "readers", namespace },
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "readers" },
      subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind: "Group", name: "readers" }],
    });
    // A real server's authorizer follows the roles with a delay.
    expect((await eventually(list, patience)).items).toEqual([]);
  });
});

it("injects faults into the embedded server only", () =>
  use({}, async (environment) => {
    const { client } = environment;
    const lift = environment.inject({ verbs: ["create"], resource: "configmaps", reason: "Conflict", skip: 1 });
    const create = (name: string) => client.create(ConfigMap, { metadata: { name, namespace: "default" } });
    await create("a");
    await expect(create("b")).rejects.toMatchObject({ code: 409 });
    lift();
    await create("b");
    const file = join(folder, "other");
    writeFileSync(file, environment.kubeconfig);
    await use({ env: { KUBECONFIG: file }, useExistingCluster: true }, async (existing) => {
      expect(() => existing.inject({})).toThrow("needs the embedded server");
    });
  }));

it("uses its clock", async () => {
  const clock = manualClock(new Date("2030-01-01T00:00:00Z"));
  await use({ clock }, async ({ client }) => {
    const made = await client.create(ConfigMap, { metadata: { name: "a", namespace: "default" } });
    expect(made.metadata.creationTimestamp).toBe("2030-01-01T00:00:00Z");
  });
});

it("separates environments", () =>
  use({ crdPaths: [folder] }, ({ client }) =>
    use({ crdPaths: [folder] }, async (second) => {
      await client.create(Widget, { metadata: { name: "a", namespace: "default" } });
      expect((await second.client.list(Widget)).items).toEqual([]);
    }),
  ));

it("uses the last CRD of a name", async () => {
  const v2 = {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "widgets.example.com" },
    spec: {
      group: "example.com",
      scope: "Namespaced",
      names: { kind: "Widget", listKind: "WidgetList", plural: "widgets", singular: "widget" },
      versions: [{ name: "v2", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } }],
    },
  };
  await use({ crdPaths: [folder], crds: [v2] }, async ({ client }) => {
    expect((await client.list({ ...Widget, version: "v2" })).items).toEqual([]);
    await expect(client.list(Widget)).rejects.toMatchObject({ code: "TSOP_RESOURCE_NOT_SERVED" });
  });
});

it.each<[string, TestEnvironmentOptions, string]>([
  ["a missing path", { crdPaths: ["no/such/folder"] }, "TSOP_MANIFEST_NOT_FOUND"],
  ["missing programs", { binaryAssetsDirectory: folder }, "TSOP_ASSETS_MISSING"],
])("says what is wrong with %s", async (_, options, code) => {
  await expect(use(options, async () => {})).rejects.toMatchObject({ code });
});

it.each<[string, TestEnvironmentOptions]>([
  ["its options", { useExistingCluster: true }],
  ["USE_EXISTING_CLUSTER", { env: { USE_EXISTING_CLUSTER: "true" } }],
])("uses the cluster of the kubeconfig with %s, and removes its CRDs on request", (_name, options) =>
  use({}, async (cluster) => {
    const file = join(folder, "cluster");
    writeFileSync(file, cluster.kubeconfig);
    const existing = { ...options, env: { ...options.env, KUBECONFIG: file }, cleanUpAfterUse: true };
    await use({ ...existing, crdPaths: [folder] }, async () => {
      expect((await cluster.client.list(Widget)).items).toEqual([]);
    });
    const listing = () =>
      cluster.client.list(Widget).then(
        () => "served",
        (error: { code: string }) => error.code,
      );
    await expect.poll(listing).toBe("TSOP_RESOURCE_NOT_SERVED");
  }),
);

it("fails before it has started", () => {
  expect(() => new TestEnvironment().client).toThrow("not running");
});

it("starts one server for several calls, and can be started again", async () => {
  const environment = new TestEnvironment({ env: {} });
  await Promise.all([environment.start(), environment.start()]);
  const { server } = environment.config;
  await environment.start();
  expect(environment.config.server).toBe(server);
  await environment.stop();
  await environment.stop();
  expect(() => environment.client).toThrow("not running");
  await environment.start();
  expect((await environment.client.list(ConfigMap, { namespace: "default" })).items).toEqual([]);
  await environment.stop();
});

it("removes its webhooks from a cluster", () =>
  use({}, async (cluster) => {
    const file = join(folder, "cluster");
    writeFileSync(file, cluster.kubeconfig);
    const webhooks = join(folder, "webhooks.yaml");
    writeFileSync(
      webhooks,
      `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: { name: v }
webhooks:
- name: v.example.com
  admissionReviewVersions: [v1]
  sideEffects: None
  clientConfig: { service: { namespace: system, name: webhook-service } }
  rules: [{ apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [configmaps] }]
`,
    );
    const object = { metadata: { name: "a", namespace: "default" } };
    await use({ env: { KUBECONFIG: file }, useExistingCluster: true, webhookPaths: [webhooks] }, async () => {
      await expect(cluster.client.create(ConfigMap, object)).rejects.toThrow("failed calling webhook");
    });
    rmSync(webhooks);
    await cluster.client.create(ConfigMap, object);
  }));

it("stops the server if an object cannot be installed", async () => {
  const group = "example.com";
  const bad = {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "x" },
    spec: { group },
  };
  const environment = new TestEnvironment({ env: {}, crds: [bad] });
  await expect(environment.start()).rejects.toThrow("CustomResourceDefinition.apiextensions.k8s.io");
  expect(() => environment.client).toThrow("not running");
  await environment.stop();
});
