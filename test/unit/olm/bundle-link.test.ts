import { cpSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, it } from "vitest";
import { main } from "../../../src/cli/main.ts";
import { realDisk } from "../../../src/files/real-disk.ts";
import { memoryIo } from "../cli/memory-io.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

let root: string;
beforeEach(() => {
  root = temporaryFolder();
  mkdirSync(join(root, "bundle/manifests"), { recursive: true });
  mkdirSync(join(root, "elsewhere"));
  writeFileSync(join(root, "elsewhere/a.yaml"), "apiVersion: v1\nkind: ConfigMap\n");
  writeFileSync(join(root, "bundle.Dockerfile"), "FROM scratch\n");
});

it.each([
  ["a folder", "../../elsewhere"],
  ["nothing", "gone"],
  ["itself", "linked"],
  ["a file outside", "../../elsewhere/a.yaml"],
])("reports a link to %s in a bundle", async (_, target) => {
  symlinkSync(target, join(root, "bundle/manifests/linked"));
  for (const line of ["bundle validate bundle", "bundle build bundle --push localhost:1/x:v1"]) {
    const io = { ...memoryIo({ cwd: root }), disk: realDisk() };
    expect(await main(line.split(" "), io)).toBe(1);
    expect(io.err()).toContain("bundle/manifests/linked is a symbolic link");
    expect(io.err()).toContain("[TSOP_BUNDLE_LINK]");
  }
});

it.each([
  ["a manifest", "old/0.1.0/linked.yaml", "../../elsewhere/a.yaml"],
  ["the package", "old/a.package.yaml", "../elsewhere/a.yaml"],
])("reports a link out of package manifests in place of %s", async (_, path, target) => {
  mkdirSync(join(root, "old/0.1.0"), { recursive: true });
  const text = "packageName: a\ndefaultChannel: b\nchannels: []\n";
  if (path.startsWith("old/0")) writeFileSync(join(root, "old/a.package.yaml"), text);
  writeFileSync(join(root, "old/0.1.0/own.yaml"), "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n");
  symlinkSync(target, join(root, path));
  const io = { ...memoryIo({ cwd: root }), disk: realDisk() };
  expect(await main(["pkgman-to-bundle", "old"], io)).toBe(1);
  expect(io.err()).toContain("[TSOP_BUNDLE_LINK]");
});

it("reads a link to a file of the bundle", async () => {
  cpSync(join(root, "elsewhere"), join(root, "bundle/metadata"), { recursive: true });
  symlinkSync("../metadata/a.yaml", join(root, "bundle/manifests/linked.yaml"));
  const io = { ...memoryIo({ cwd: root }), disk: realDisk() };
  expect(await main(["bundle", "validate", "bundle"], io)).toBe(1);
  expect(io.err()).toContain("[TSOP_BUNDLE_NO_METADATA]");
});
