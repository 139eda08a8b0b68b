import { execFileSync } from "node:child_process";
import { existsSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, it } from "vitest";
import { realDisk } from "../../../src/files/real-disk.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { makeFolder } from "../../../src/files/make-folder.ts";

let folder: string;
beforeEach(() => void (folder = temporaryFolder()));

it("creates a folder with its parents, and returns the created ones", async () => {
  const disk = realDisk();
  expect(await disk.makeFolder(join(folder, "a/b/c"))).toBe(join(folder, "a"));
  expect(existsSync(join(folder, "a/b/c"))).toBe(true);
  expect(await disk.makeFolder(join(folder, "a/b/d"))).toBe(join(folder, "a/b/d"));
  expect(await disk.makeFolder(join(folder, "a"))).toBeUndefined();
});

it("reports a file in the way", async () => {
  writeFileSync(join(folder, "file"), "");
  await expect(realDisk().makeFolder(join(folder, "file"))).rejects.toMatchObject({ code: "EEXIST" });
  await expect(realDisk().makeFolder(join(folder, "file/below"))).rejects.toMatchObject({ code: "ENOTDIR" });
});

it("reports why a file cannot be written", async () => {
  const written = realDisk().write(join(folder, "none/file"), "text");
  await expect(written).rejects.toMatchObject({ code: "ENOENT", syscall: "open" });
});

// Node's own recursive mkdir never returns from there.
it.skipIf(process.platform !== "linux")("fails if no folder can be created", async () => {
  await expect(realDisk().makeFolder("/proc/none/at/all")).rejects.toMatchObject({ code: "ENOENT" });
});

it.skipIf(process.platform === "win32")("refuses to read a FIFO and a device, also through a link", async () => {
  const [fifo, link, device] = ["fifo", "link", "device"].map((name) => join(folder, name)) as [string, string, string];
  execFileSync("mkfifo", [fifo]);
  symlinkSync(fifo, link);
  symlinkSync("/dev/zero", device);
  for (const path of [fifo, link, device])
    await expect(realDisk().read(path)).rejects.toMatchObject({ code: "TSOP_FILE_NOT_REGULAR" });
});

it("refuses to read a file that is far larger than any text", async () => {
  const path = join(folder, "large");
  writeFileSync(path, "");
  truncateSync(path, 64 * 2 ** 20 + 1);
  await expect(realDisk().read(path)).rejects.toMatchObject({
    message: `${path} has 67108865 bytes; tsop reads 67108864 at most`,
  });
});

it("creates a folder with its parents, and returns the first that it created", async () => {
  expect(await makeFolder(join(folder, "a/b/c"))).toBe(join(folder, "a"));
  expect(existsSync(join(folder, "a/b/c"))).toBe(true);
  expect(await makeFolder(join(folder, "a/b"))).toBeUndefined();
});

it("reports a file in the place of a folder", async () => {
  writeFileSync(join(folder, "file"), "");
  for (const path of ["file", "file/a"])
    await expect(makeFolder(join(folder, path))).rejects.toMatchObject({ code: "TSOP_FOLDER_UNUSABLE" });
});
