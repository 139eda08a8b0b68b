import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { defineKind } from "../../src/apimachinery/kind.ts";
import { startSandbox, type Sandbox } from "../../src/sandbox/start-sandbox.ts";
import { makeProject, scenarios } from "../unit/project/helm/scenarios.ts";
import { findProgram, linkPackages, mustRun, repository, temporaryFolder, until } from "./shell.ts";

const helm = findProgram("helm");
const kubectl = findProgram("kubectl");
const missing = [...(helm ? [] : ["helm"]), ...(kubectl ? [] : ["kubectl"])].join(" and ");

const Deployment = defineKind<any>({ group: "apps", version: "v1", kind: "Deployment", plural: "deployments" });
const Crd = defineKind<any>({
  group: "apiextensions.k8s.io",
  version: "v1",
  kind: "CustomResourceDefinition",
  plural: "customresourcedefinitions",
  scope: "Cluster",
});
const Role = defineKind<any>({ group: "rbac.authorization.k8s.io", version: "v1", kind: "Role", plural: "roles" });
const deployment = { namespace: "minimal-system", name: "minimal-controller-manager" };
const crd = { name: "memcacheds.cache.example.com" };

// The targets of the Makefile that `tsop edit --plugins helm` adds, on the embedded server.
describe.skipIf(missing !== "")(`the chart of a project${missing && ` (skipped: no ${missing})`}`, () => {
  const stop = new AbortController();
  const problems: unknown[] = [];
  let folder: ReturnType<typeof temporaryFolder>;
  let sandbox: Sandbox;
  let root = "";

  const run = (program: string, ...args: string[]): Promise<string> =>
    mustRun(program, args, { cwd: root, env: { KUBECONFIG: join(folder.path, "kubeconfig"), HOME: folder.path } });
  const make = (...args: string[]): Promise<string> =>
    run("make", ...args, `HELM=${helm}`, `KUBECTL=${kubectl}`, `TSOP=${process.execPath} ${repository}/bin/tsop.js`);

  beforeAll(async () => {
    folder = temporaryFolder("helm-operator");
    sandbox = await startSandbox({ pace: { min: 5, max: 20 }, onError: (error) => problems.push(error) }, stop.signal);
    writeFileSync(join(folder.path, "kubeconfig"), sandbox.kubeconfig);
    root = join(folder.path, "project");
    await makeProject(
      scenarios.find(({ name }) => name === "api")!,
      root,
    );
    linkPackages(root);
  });
  afterAll(async () => {
    stop.abort();
    await sandbox?.done;
    folder?.remove();
    expect(problems).toEqual([]);
  });

  it("is written by tsop edit --plugins helm, and again by make helm-chart with an image", async () => {
    await run(
      process.execPath,
      join(repository, "bin/tsop.js"),
      "edit",
      "--plugins",
      "helm",
      "--manifests",
      await built(),
    );
    await make("helm-chart", "IMG=example.com/minimal:v1");
    await make("helm-lint");
  });

  it("is installed by make helm-deploy, with its CRD", async () => {
    await make("helm-deploy", "IMG=localhost:5000/minimal:v1");
    const { spec, status } = await sandbox.client.get(Deployment, deployment);
    expect(spec.template.spec.containers[0].image).toBe("localhost:5000/minimal:v1");
    expect(status.availableReplicas).toBe(1);
    expect((await sandbox.client.get(Crd, crd)).status.acceptedNames.kind).toBe("Memcached");
    expect(await make("helm-status")).toContain("STATUS: deployed");
  });

  it("is upgraded with other values, and rolled back", async () => {
    const values = "--set manager.replicas=2,rbac.namespaced=true,metrics.secure=false,metrics.port=8080";
    await make("helm-deploy", "IMG=localhost:5000/minimal", `HELM_EXTRA_ARGS=${values}`);
    const upgraded = await sandbox.client.get(Deployment, deployment);
    expect(upgraded.spec.template.spec.containers[0]).toMatchObject({
      image: "localhost:5000/minimal:0.1.0",
      args: expect.arrayContaining(["--metrics-bind-address=:8080", "--metrics-secure=false"]) as string[],
    });
    expect(upgraded.status.availableReplicas).toBe(2);
    const role = { namespace: "minimal-system", name: "minimal-manager-role" };
    expect((await sandbox.client.get(Role, role)).rules).toHaveLength(3);

    await make("helm-rollback");
    expect((await sandbox.client.get(Deployment, deployment)).spec.replicas).toBe(1);
    expect(await sandbox.client.getOrUndefined(Role, role)).toBeUndefined();
    expect(await make("helm-history")).toMatch(/superseded[^]*superseded[^]*deployed/);
  });

  it("is uninstalled without its CRD, which keeps the objects of users, and adopts it again", async () => {
    await make("helm-uninstall");
    expect(await sandbox.client.getOrUndefined(Deployment, deployment)).toBeUndefined();
    expect((await sandbox.client.get(Crd, crd)).metadata.deletionTimestamp).toBeUndefined();
    await make("helm-deploy", "IMG=example.com/minimal:v1", "HELM_EXTRA_ARGS=--set crd.keep=false");
    await make("helm-uninstall");
    await until(
      "the CRD is gone",
      async () => (await sandbox.client.getOrUndefined(Crd, crd)) === undefined || undefined,
    );
  });

  async function built(): Promise<string> {
    const file = join(folder.path, "built.yaml");
    writeFileSync(file, await run(kubectl!, "kustomize", "config/default"));
    return file;
  }
});
