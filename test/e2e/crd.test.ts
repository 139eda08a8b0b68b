import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { installCrds } from "../../src/client/manifests/install-crds.ts";
import { TestEnvironment } from "../../src/testing/index.ts";
import { repository, run, temporaryFolder } from "./shell.ts";

// An API whose objects are stored in v1, and whose next release has v2 only.
const env = new TestEnvironment({ env: {} });
const folder = temporaryFolder("crd");
const name = "boats.sea.example.com";
const version = (each: string, storage: boolean, maximum: number) => ({
  name: each,
  served: true,
  storage,
  schema: {
    openAPIV3Schema: {
      type: "object",
      properties: { spec: { type: "object", properties: { crew: { type: "integer", maximum } } } },
    },
  },
});
const crd = (...versions: object[]) => ({
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name },
  spec: { group: "sea.example.com", scope: "Namespaced", names: { kind: "Boat", plural: "boats" }, versions },
});
const tsop = (...args: string[]) =>
  run(process.execPath, [join(repository, "bin/tsop.js"), ...args], {
    cwd: folder.path,
    env: { KUBECONFIG: join(folder.path, "kubeconfig") },
  });

beforeAll(async () => {
  await env.start();
  writeFileSync(join(folder.path, "kubeconfig"), env.kubeconfig);
  await installCrds(env.client, [crd(version("v1", true, 9))]);
  const Boat = await env.client.kindFor("sea.example.com/v1", "Boat");
  for (const boat of ["a", "b"])
    await env.client.create(Boat, {
      apiVersion: "sea.example.com/v1",
      kind: "Boat",
      metadata: { namespace: "default", name: boat },
    });
});
afterAll(async () => {
  await env.stop();
  folder.remove();
});

it("compares the CRDs of a cluster with files, and fails if a change is not safe", async () => {
  writeFileSync(join(folder.path, "next.json"), JSON.stringify(crd(version("v1", true, 5))));
  const { code, stdout, stderr } = await tsop("crd", "diff", "cluster", "next.json");
  expect([code, stdout]).toEqual([
    1,
    `${name}
  breaks writers: v1 spec.crew: maximum 9 → 5
    Objects with values that were valid are refused, also those that exist when the value changes.
1 change: 1 breaks writers
`,
  ]);
  expect(stderr).toContain("1 change of the CRDs may break users");
  expect(await tsop("crd", "diff", "next.json", "next.json")).toMatchObject({ code: 0, stdout: "no changes\n" });
  const usage = await tsop("crd", "diff", "cluster");
  expect([usage.code, usage.stderr]).toEqual([2, expect.stringContaining("needs two arguments")]);
});

it("shows the versions in which objects are stored, and stores them in one", async () => {
  await installCrds(env.client, [crd(version("v1", false, 9), version("v2", true, 9))]);
  const before = await tsop("crd", "versions", name);
  expect(before.stdout).toBe(`NAME                     SERVED    STORED    LEFT\n${name}    v1,v2     v2        v1\n`);
  expect(before.stderr).toContain("add --migrate");
  const after = await tsop("crd", "versions", name, "--migrate");
  expect(after.stderr).toBe(`${name}: 2 of 2 objects written\n`);
  expect(after.stdout).toBe(`NAME                     SERVED    STORED    LEFT\n${name}    v1,v2     v2        -\n`);
  await installCrds(env.client, [crd(version("v2", true, 9))]);
  const absent = await tsop("crd", "versions", "cars.road.org");
  expect([absent.code, absent.stderr]).toEqual([
    1,
    expect.stringContaining("has no CustomResourceDefinition cars.road.org"),
  ]);
});
