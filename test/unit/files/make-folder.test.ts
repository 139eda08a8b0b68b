import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, it } from "vitest";
import { makeFolder } from "../../../src/files/make-folder.ts";
import { temporaryFolder } from "../temporary-folder.ts";

let root: string;
beforeEach(() => void (root = temporaryFolder()));

it("creates a folder with its parents, and returns the first that it created", async () => {
  expect(await makeFolder(join(root, "a/b/c"))).toBe(join(root, "a"));
  expect(existsSync(join(root, "a/b/c"))).toBe(true);
  expect(await makeFolder(join(root, "a/b"))).toBeUndefined();
});

it("reports a file in the place of a folder", async () => {
  writeFileSync(join(root, "file"), "");
  for (const folder of ["file", "file/a"])
    await expect(makeFolder(join(root, folder))).rejects.toMatchObject({ code: "TSOP_FOLDER_UNUSABLE" });
});
