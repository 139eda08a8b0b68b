import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { realDisk } from "../../../src/files/real-disk.ts";

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "tsop-disk-"))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it("makes a folder with its parents, and says which it had to make", async () => {
  const makeFolder = (path: string) => realDisk().makeFolder(path);
  expect(await makeFolder(join(folder, "a/b/c"))).toBe(join(folder, "a"));
  expect(existsSync(join(folder, "a/b/c"))).toBe(true);
  expect(await makeFolder(join(folder, "a/b/d"))).toBe(join(folder, "a/b/d"));
  expect(await makeFolder(join(folder, "a"))).toBeUndefined();
});

it("says that a file is in the way", async () => {
  writeFileSync(join(folder, "file"), "");
  await expect(realDisk().makeFolder(join(folder, "file"))).rejects.toMatchObject({ code: "EEXIST" });
  await expect(realDisk().makeFolder(join(folder, "file/below"))).rejects.toMatchObject({ code: "ENOTDIR" });
});

// Node's own recursive mkdir never comes back from there.
it.skipIf(process.platform !== "linux")("gives up where no folder can be made", async () => {
  await expect(realDisk().makeFolder("/proc/none/at/all")).rejects.toMatchObject({ code: "ENOENT" });
});
