import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { packPackage } from "../../../src/cli/package/pack-package.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

const folder = temporaryFolder();

it("writes a tarball that tar can read: package.json without scripts, documents, and the entries of files", async () => {
  const root = join(folder, "source");
  const deep =
    "dist/a-folder-with-a-rather-long-name/and-another-one-below-it-that-is-long-too/so-that-the-name-exceeds-what-a-header-holds";
  for (const path of ["bin", deep, "left-out", "src/data"]) mkdirSync(join(root, path), { recursive: true });
  const files = {
    "package.json": '{"files":["bin","dist","src/**/*.json"],"scripts":{"prepare":"node build.js"}}',
    "README.md": "read",
    LICENSE: "may",
    "bin/x.js": "run",
    [`${deep}/y.js`]: "ü".repeat(1000),
    "src/data/known.json": "{}",
    "left-out/z": "no",
    "src/data/code.ts": "no",
  };
  for (const [path, text] of Object.entries(files)) writeFileSync(join(root, path), text);
  const tarball = join(folder, "vendor/x.tgz");

  await packPackage(root, tarball);

  const out = join(folder, "out");
  mkdirSync(out);
  execFileSync("tar", ["-xzf", tarball, "-C", out]);
  const listed = execFileSync("tar", ["-tzf", tarball], { encoding: "utf8" }).trim().split("\n").toSorted();
  const packed = Object.fromEntries(Object.entries(files).filter(([, text]) => text !== "no"));
  expect(listed).toEqual(
    Object.keys(packed)
      .map((path) => `package/${path}`)
      .toSorted(),
  );
  const { "package.json": _, ...texts } = packed;
  for (const [path, text] of Object.entries(texts)) expect(readFileSync(join(out, "package", path), "utf8")).toBe(text);
  expect(JSON.parse(readFileSync(join(out, "package/package.json"), "utf8"))).toEqual({
    files: ["bin", "dist", "src/**/*.json"],
  });
});
