import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import type { UnstructuredObject } from "../../../src/apimachinery/meta.ts";
import { act } from "../../../src/check/world/act.ts";
import { World } from "../../../src/check/world/world.ts";
import { realDisk } from "../../../src/files/real-disk.ts";
import { openCheckedOperator } from "../../../src/local/checked-operator.ts";
import { ConfigMapKind } from "../../../src/sandbox/simulation/context/simulated-kinds.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

const repository = fileURLToPath(new URL("../../..", import.meta.url));

const crd = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: things.example.com }
spec:
  group: example.com
  names: { kind: Thing, plural: things, singular: thing, listKind: ThingList }
  scope: Namespaced
  versions:
  - { name: v1, served: true, storage: true, schema: { openAPIV3Schema: { type: object } } }
`;

const manager = `apiVersion: apps/v1
kind: Deployment
metadata: { name: manager }
spec:
  template:
    spec:
      containers:
      - name: manager
        env:
        - { name: WATCH_NAMESPACE, valueFrom: { fieldRef: { fieldPath: metadata.namespace } } }
`;

function project(namespaced: boolean): string {
  const root = temporaryFolder();
  const files = {
    PROJECT: `domain: example.com\nlayout:\n- typescript.tsop.dev/v1\nnamespaced: ${namespaced}\nprojectName: demo\nrepo: demo\nversion: "3"\n`,
    "package.json": '{ "type": "module" }',
    "main.ts": "export {};\n",
    "config/crd/bases/things.yaml": crd,
    "config/manager/manager.yaml": manager,
    "config/samples/thing.yaml": "apiVersion: example.com/v1\nkind: Thing\nmetadata: { name: sample }\n",
  };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(root, path, ".."), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  mkdirSync(join(root, "node_modules"));
  symlinkSync(repository, join(root, "node_modules/tsop"));
  symlinkSync(join(repository, "node_modules/esbuild"), join(root, "node_modules/esbuild"));
  return root;
}

it.each([
  ["its own namespace if it is one of a namespace", true, "demo-system"],
  ["the default namespace", false, "default"],
])("checks an operator with its roles in %s", async (_, namespaced, expected) => {
  const host = { cwd: project(namespaced), env: {}, disk: realDisk() };
  const { subject } = await openCheckedOperator(host, { rbac: true });
  expect(subject.command.env["WATCH_NAMESPACE"]).toBe("demo-system");
  const world = new World(subject);
  onTestFinished(() => world.close());
  await world.open();
  const target = { apiVersion: "v1", kind: "ConfigMap", name: "sample" };
  const sample = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "sample" } };
  await act(world, { type: "apply", objects: [sample] });
  await act(world, { type: "patch", target, patch: { data: { a: "b" } } });
  const { data } = await world.client.get(ConfigMapKind, { namespace: expected, name: "sample" });
  expect(data).toEqual({ a: "b" });
  await act(world, { type: "delete", targets: [target] });
  expect(
    (await world.client.list(ConfigMapKind, { namespace: expected })).items.map(({ metadata }) => metadata.name),
  ).not.toContain("sample");
});

describe("a kind of another project, whose types the project has", () => {
  const files = {
    "api/boats/v1/groupversion_info.ts": "// +tsop:external\n// +groupName=sea.example.org\n\nexport {};\n",
    "api/boats/v1/boat_types.ts": `import type { ObjectMeta } from "tsop";
/** +kubebuilder:object:root=true */
export interface Boat { metadata: ObjectMeta; spec?: { color?: string } }
`,
  };
  const boat =
    "{ domain: example.org, external: true, group: sea, kind: Boat, path: ./api/boats/v1/kinds.ts, version: v1 }";

  async function open(sample = "", apply: readonly string[] = []) {
    const root = project(false);
    writeFileSync(join(root, "PROJECT"), `resources:\n- ${boat}\n`, { flag: "a" });
    mkdirSync(join(root, "api/boats/v1"), { recursive: true });
    for (const [path, text] of Object.entries(files)) writeFileSync(join(root, path), text);
    writeFileSync(
      join(root, "real.yaml"),
      crd.replaceAll("example.com", "sea.example.org").replaceAll(/thing/gi, "boat"),
    );
    writeFileSync(join(root, "config/samples/more.yaml"), sample);
    const { subject } = await openCheckedOperator({ cwd: root, env: {}, disk: realDisk() }, { apply });
    const names = (objects: readonly UnstructuredObject[]) => objects.map(({ metadata }) => metadata.name);
    return { crds: names(subject.crds), before: names(subject.before.map(({ object }) => object)), subject };
  }

  it("exists before the operator starts", async () => {
    expect(await open()).toMatchObject({ crds: ["things.example.com"], before: ["boats.sea.example.org"] });
  });

  it("belongs to the operator's API if a sample is of the kind", async () => {
    const opened = await open("apiVersion: sea.example.org/v1\nkind: Boat\nmetadata: { name: sample }\n");
    expect(opened).toMatchObject({ crds: ["things.example.com", "boats.sea.example.org"], before: [] });
  });

  it("has the CRD of --apply instead if there is one", async () => {
    const opened = await open("", ["real.yaml"]);
    expect(opened).toMatchObject({ crds: ["things.example.com", "boats.sea.example.org"], before: [] });
    const given = opened.subject.crds[1]?.["spec"] as { versions: unknown[] };
    expect(given.versions).toEqual([expect.objectContaining({ schema: { openAPIV3Schema: { type: "object" } } })]);
  });
});

it("treats a Kustomization of Flux as a sample, but not one of kustomize", async () => {
  const root = project(false);
  const samples = join(root, "config/samples/more.yaml");
  const flux = "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: { name: flux }\n";
  const kustomize = "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nmetadata: { name: kustomize }\n";
  writeFileSync(samples, `${flux}---\n${kustomize}`);
  const opened = await openCheckedOperator({ cwd: root, env: {}, disk: realDisk() }, {});
  expect(opened.samples.map(({ metadata }) => metadata.name)).toEqual(["flux", "sample"]);
});

it("names the environment variables that a run depends on, and no others", async () => {
  const env = { ENABLE_WEBHOOKS: "false", WATCH_NAMESPACE: "demo-system", NODE_ENV: "development", PASSWORD: "secret" };
  const host = { cwd: project(true), env, disk: realDisk() };
  const webhooksOff = { ENABLE_WEBHOOKS: "false" };
  // config/manager has the same namespace.
  expect((await openCheckedOperator(host, { rbac: true })).env).toEqual(webhooksOff);
  const { env: chosen, subject } = await openCheckedOperator(host, { env: { WATCH_NAMESPACE: "other" } });
  expect(chosen).toEqual({ ...webhooksOff, WATCH_NAMESPACE: "other" });
  expect(subject.command.env).toMatchObject({ ...env, WATCH_NAMESPACE: "other" });
});
