import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, it } from "vitest";
import { noteUses } from "../../../src/cli/steps/report-roles.ts";
import { usesFile } from "../../../src/sandbox/use-file.ts";
import { memoryIo } from "./memory-io.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

let root: string;
beforeEach(async () => {
  root = temporaryFolder();
});

const used = { runs: 1, uses: [{ verb: "get", group: "", resource: "pods", count: 1, example: "GET /api/v1/pods" }] };
const account = "subjects: [{ kind: ServiceAccount, namespace: a, name: b }]";
const roles = `
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: { name: r }
rules: [{ apiGroups: [""], resources: [pods], verbs: [delete] }]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: { name: r }
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: r }
${account}
`;

it("prints a line with the command that shows more, if the manifests have roles", async () => {
  const file = join(root, "install.yaml");
  await writeFile(file, roles);
  const io = memoryIo();
  await noteUses(io, { root, exec: "./bin/manager", apply: [file] }, used);
  expect(io.err()).toBe(`role: 1 verb never used, 1 missing; tsop roles --apply ${file} shows them\n`);
});

it("is silent about a program without roles", async () => {
  const io = memoryIo();
  await noteUses(io, { root, exec: "./bin/manager", apply: undefined }, used);
  expect(io.err()).toBe("");
});

it("does not fail if the record can't be written or read", async () => {
  const io = memoryIo();
  await mkdir(join(root, ".tsop/roles"), { recursive: true });
  await writeFile(join(root, usesFile), "broken\n");
  await noteUses(io, { root, exec: "./bin/manager", apply: undefined }, used);
  await rm(join(root, ".tsop"), { recursive: true });
  await writeFile(join(root, ".tsop"), "");
  await noteUses(io, { root, exec: "./bin/manager", apply: undefined }, used);
  expect(io.err().split("\n")).toEqual([
    expect.stringMatching(/^role: not recorded: .*uses\.jsonl is not a record of requests: line 1 is not a use$/),
    expect.stringMatching(/^role: not recorded: E/),
    "",
  ]);
});
