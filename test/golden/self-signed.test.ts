import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { defineKind, type Kind } from "../../src/apimachinery/kind.ts";
import type { UnstructuredObject } from "../../src/apimachinery/meta.ts";
import { createManager } from "../../src/runtime/manager/create-manager.ts";
import { discardLogger } from "../../src/runtime/log/logger.ts";
import type { Manager } from "../../src/runtime/manager/manager.ts";
import { mergeCrdPatches, readCrds } from "../../src/client/manifests/read-crds.ts";
import { readManifests } from "../../src/client/manifests/read-manifests.ts";
import { eventually } from "../../src/testing/eventually.ts";
import { TestEnvironment } from "../../src/testing/test-environment.ts";
import { writeProject } from "./stored-projects.mjs";
import { temporaryFolder } from "../temporary-folder.ts";

const project = temporaryFolder();
const config = join(project, "config");
const kind = (group: string, name: string, scope: "Cluster" | "Namespaced"): Kind<UnstructuredObject> =>
  defineKind({ group, version: "v1", kind: name, plural: `${name.toLowerCase()}s`, scope });
const Crd = kind("apiextensions.k8s.io", "CustomResourceDefinition", "Cluster");
const Validating = kind("admissionregistration.k8s.io", "ValidatingWebhookConfiguration", "Cluster");
const Secret = kind("", "Secret", "Namespaced");
const kinds = [
  Crd,
  Validating,
  ...["Role", "RoleBinding"].map((name) => kind("rbac.authorization.k8s.io", name, "Namespaced")),
  ...["ClusterRole", "ClusterRoleBinding"].map((name) => kind("rbac.authorization.k8s.io", name, "Cluster")),
];

// The API server with roles enforced, and the operator under the ServiceAccount of its deployment.
describe("an operator that creates the certificate of its webhooks", () => {
  const env = new TestEnvironment({ rbac: true });
  const groups = ["system:serviceaccounts", "system:serviceaccounts:default", "system:authenticated"];
  beforeAll(async () => {
    writeProject("self-signed", project);
    await env.start();
  });
  afterAll(async () => {
    await env.stop();
  });

  /** Applies the manifests as kustomize renders them, into the namespace default. */
  const apply = async (objects: UnstructuredObject[]): Promise<void> => {
    for (const object of objects) {
      const placed = JSON.parse(JSON.stringify(object).replaceAll('"system"', '"default"')) as UnstructuredObject;
      await env.client.create(
        kinds.find((each) => each.kind === object.kind)!,
        placed,
      );
    }
  };
  const operator = async (): Promise<Manager> => {
    const user = env.addUser({ username: "system:serviceaccount:default:controller-manager", groups });
    const webhook = { service: "webhook-service", port: 0, host: "127.0.0.1", certName: "not-there.crt" };
    const options = { logger: discardLogger, metrics: { bindAddress: "0" }, webhook };
    const mgr = await createManager({ ...user, namespace: "default" }, options);
    mgr.webhookServer.register("/none", () => ({ allowed: true }));
    return mgr;
  };
  const objectsOf = async (file: string): Promise<UnstructuredObject[]> =>
    (await readManifests(join(config, "webhook", file))).map(({ object }) => object);

  it("reports missing permissions without its roles", async () => {
    const mgr = await operator();
    await expect(mgr.start(new AbortController().signal)).rejects.toThrow('cannot get resource "secrets"');
  });

  it("gets the trust of the API server with its roles", async () => {
    await apply([
      ...(await objectsOf("cert_role.yaml")),
      ...(await objectsOf("cert_role_binding.yaml")),
      ...(await objectsOf("manifests.yaml")),
      ...mergeCrdPatches(await readCrds(join(config, "crd"))),
    ]);
    const mgr = await operator();
    const stopping = new AbortController();
    const running = mgr.start(stopping.signal);
    try {
      await Promise.race([running, eventually(() => mgr.webhookServer.port !== undefined)]);
      const secret = await env.client.get(Secret, {
        namespace: "default",
        name: "webhook-service",
      });
      const caBundle = (secret["data"] as Record<string, string>)["ca.crt"];
      expect(caBundle).toBeTruthy();
      const [crd, webhooks] = await Promise.all([
        env.client.get(Crd, { name: "memcacheds.cache.example.com" }),
        env.client.get(Validating, { name: "validating-webhook-configuration" }),
      ]);
      expect(crd).toMatchObject({ spec: { conversion: { webhook: { clientConfig: { caBundle } } } } });
      expect(webhooks).toMatchObject({ webhooks: [{ clientConfig: { caBundle } }] });
    } finally {
      stopping.abort();
      await running;
    }
  });
});
