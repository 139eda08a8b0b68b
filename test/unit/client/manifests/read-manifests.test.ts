import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { readManifests } from "../../../../src/client/manifests/read-manifests.ts";

const folder = mkdtempSync(join(tmpdir(), "tsop-manifests-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let files = 0;
function write(text: string, extension = "yaml"): string {
  const file = join(folder, `${++files}.${extension}`);
  writeFileSync(file, text);
  return file;
}

const names = async (path: string) => (await readManifests(path)).map(({ object }) => object.metadata.name);
const map = (name: string) => `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${name} }\n`;

it("reads every document of a file, and the items of a list", async () => {
  expect(await names(write(`---\n${map("a")}---\n# nothing\n---\n${map("b")}`))).toEqual(["a", "b"]);
  const item = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "c" } };
  expect(await names(write(JSON.stringify({ apiVersion: "v1", kind: "List", items: [item] }), "json"))).toEqual(["c"]);
});

it("reads the files of a folder by name, but neither kustomizations nor deeper folders", async () => {
  const inner = join(folder, "samples");
  for (const name of ["deeper", "d.yaml"]) mkdirSync(join(inner, name), { recursive: true });
  for (const name of ["b.yaml", "a.yml", "deeper/c.yaml"]) writeFileSync(join(inner, name), map(name[0]!));
  writeFileSync(join(inner, "kustomization.yaml"), "resources: [a.yml]\n");
  writeFileSync(join(inner, "README.md"), "# no manifest\n");
  expect(await names(inner)).toEqual(["a", "b"]);
});

it.each([
  ["kind: ConfigMap\nmetadata: { name: a }\n", "has no apiVersion and kind"],
  ["apiVersion: v1\nkind: ConfigMap\n", "a ConfigMap has no name"],
  ["just text\n", "has no apiVersion and kind"],
])("rejects %j", async (text, reason) => {
  await expect(readManifests(write(text))).rejects.toMatchObject({
    code: "TSOP_MANIFEST_INVALID",
    message: expect.stringContaining(reason),
  });
});

it.each([
  ["a: b\na: c\n", ":2:1: duplicated mapping key"],
  ["a: [b\n", ":2:1: "],
])("reports the place of invalid YAML in %j", async (text, message) => {
  await expect(readManifests(write(text))).rejects.toMatchObject({
    code: "TSOP_YAML_INVALID",
    message: expect.stringContaining(message),
  });
});

it("rejects a path that is not a file", async () => {
  const linked = join(folder, "linked");
  mkdirSync(linked);
  symlinkSync(folder, join(linked, "a.yaml"));
  await expect(readManifests(linked)).rejects.toMatchObject({
    code: "TSOP_MANIFEST_NOT_FOUND",
    message: expect.stringContaining("a.yaml does not exist or can't be read"),
  });
});

it("rejects invalid JSON", async () => {
  await expect(readManifests(write("{", "json"))).rejects.toMatchObject({ code: "TSOP_MANIFEST_INVALID" });
});

it.skipIf(process.platform === "win32")("refuses a FIFO and a device", async () => {
  const strange = join(folder, "strange");
  mkdirSync(strange);
  execFileSync("mkfifo", [join(strange, "a.yaml")]);
  symlinkSync("/dev/zero", join(folder, "zero.yaml"));
  for (const path of [strange, join(folder, "zero.yaml"), "/dev/zero"])
    await expect(readManifests(path)).rejects.toMatchObject({ code: "TSOP_FILE_NOT_REGULAR" });
});
