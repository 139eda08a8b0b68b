import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { realDisk } from "../../../../src/files/real-disk.ts";
import { readSide, sharedWith, type SideHost } from "../../../../src/release/crd/read-side.ts";
import { TestEnvironment } from "../../../../src/testing/index.ts";
import { boatCrd } from "../../codegen/from-crd/boat-crd.ts";
import { temporaryFolder } from "../../../temporary-folder.ts";

const env = new TestEnvironment({ env: {}, crds: [{ ...boatCrd({ type: "object" }) }] });
const root = temporaryFolder();
const git: SideHost["git"] = async (args, cwd) => {
  try {
    return { exitCode: 0, ...(await promisify(execFile)("git", [...args], { cwd })) };
  } catch (error) {
    return { exitCode: 1, stdout: "", stderr: String(error) };
  }
};
const write = (path: string, ...descriptions: string[]): void => {
  mkdirSync(join(root, path, ".."), { recursive: true });
  const crds = descriptions.map((description) => JSON.stringify(boatCrd({ type: "object", description })));
  writeFileSync(join(root, path), crds.join("\n---\n"));
};
const host: SideHost = {
  cwd: join(root, "operator"),
  disk: realDisk(),
  crdFolder: join(root, "operator/config/crd/bases"),
  git,
  connect: async () => env.client,
};
const read = async (side: string, more: Partial<SideHost> = {}): Promise<unknown[]> =>
  (await readSide(side, { ...host, ...more })).map(
    ({ spec }) => spec.versions[0]?.schema?.openAPIV3Schema?.properties?.["spec"]?.description ?? spec.names.kind,
  );

beforeAll(async () => {
  await env.start();
  // The project is a folder of the repository.
  write("operator/config/crd/bases/boats.yaml", "old");
  write("operator/other.yaml", "other");
  for (const args of [
    ["init", "--quiet"],
    ["add", "."],
    ["-c", "user.name=t", "-c", "user.email=t@example.com", "commit", "--quiet", "-m", "one"],
    ["tag", "v1"],
  ])
    expect((await git(args, root)).exitCode).toBe(0);
  write("operator/config/crd/bases/boats.yaml", "new");
});
afterAll(async () => {
  await env.stop();
});

it.each([
  ["a folder", "config/crd/bases", ["new"]],
  ["a file", "config/crd/bases/boats.yaml", ["new"]],
  ["the project in a revision", "v1", ["old"]],
  ["a folder in a revision", "v1:config/crd", ["old"]],
  ["a file in a revision", "v1:other.yaml", ["other"]],
  ["a path above the current folder in a revision", "v1:../operator/other.yaml", ["other"]],
  ["the cluster", "cluster", ["Boat"]],
])("reads %s", async (_title, side, expected) => {
  expect(await read(side)).toEqual(expected);
});

it.each(["v9", "v1:absent.yaml", "--help"])("refuses %s", async (side) => {
  await expect(read(side)).rejects.toMatchObject({ code: "TSOP_CRD_SIDE" });
});

it("asks for a path outside of a project, and names a source without CRDs", async () => {
  await expect(read("v1", { crdFolder: undefined })).rejects.toMatchObject({ code: "TSOP_CRD_SIDE" });
  writeFileSync(join(root, "operator/map.yaml"), "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n");
  await expect(read("map.yaml")).rejects.toMatchObject({ code: "TSOP_CRD_NONE" });
});

it("keeps of a cluster what the other side has", async () => {
  const crds = await readSide("cluster", host);
  expect(sharedWith(crds, crds)).toEqual(crds);
  expect(sharedWith(crds, [])).toEqual([]);
});
