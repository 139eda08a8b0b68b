import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, it } from "vitest";
import { lockFolder, type LockOptions } from "../../../src/files/lock-folder.ts";
import { realDisk } from "../../../src/files/real-disk.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

let root: string;
let said: string[];
beforeEach(() => {
  root = temporaryFolder();
  said = [];
});

const options = (overrides: Partial<LockOptions> = {}): LockOptions => ({
  purpose: "tsop create api",
  signal: new AbortController().signal,
  onWait: ({ pid, purpose }) => void said.push(`${purpose} ${pid}`),
  ...overrides,
});
const noProcess = "2147483646";

it("allows one change of a folder at a time, and leaves nothing behind", async () => {
  let inside = 0;
  const order = await Promise.all(
    Array.from({ length: 20 }, async () => {
      const lock = await lockFolder(root, realDisk(), options());
      const found = ++inside;
      await new Promise(setImmediate);
      inside--;
      await lock.release();
      return found;
    }),
  );
  expect(order).toEqual(Array.from({ length: 20 }, () => 1));
  expect(readdirSync(root)).toEqual([]);
});

it("names the command that it waits for, and gives up with the way out", async () => {
  const lock = await lockFolder(root, realDisk(), options());
  const waiting = lockFolder(root, realDisk(), options({ sayAfterMs: 0, timeoutMs: 40 }));
  await expect(waiting).rejects.toMatchObject({
    code: "TSOP_BUSY",
    message: expect.stringContaining(`in use by tsop create api (process ${process.pid})`),
    hint: expect.stringContaining(`kill ${process.pid}`),
  });
  expect(said).toEqual([`tsop create api ${process.pid}`]);
  await lock.release();
});

it("ends with an interruption while it waits", async () => {
  const lock = await lockFolder(root, realDisk(), options());
  const stop = new AbortController();
  const onWait = (): void => stop.abort();
  const waiting = lockFolder(root, realDisk(), options({ sayAfterMs: 0, onWait, signal: stop.signal }));
  await expect(waiting).rejects.toMatchObject({ code: "TSOP_INTERRUPTED" });
  await lock.release();
  expect(readdirSync(root)).toEqual([]);
});

it("takes over the lock of a killed command, and undoes its changes", async () => {
  mkdirSync(join(root, ".tsop"));
  writeFileSync(join(root, ".tsop/lock"), `${noProcess} 1 tsop create api`);
  writeFileSync(join(root, ".tsop/undo.json"), JSON.stringify({ changes: [{ path: "main.ts", existed: true }] }));
  writeFileSync(join(root, "main.ts.tsop-old"), "before\n");
  const lock = await lockFolder(root, realDisk(), options());
  expect(lock.recovered).toEqual({ restored: ["main.ts"], kept: [] });
  await lock.release();
  expect(readdirSync(root)).toEqual(["main.ts"]);
});

it("keeps other files in .tsop", async () => {
  mkdirSync(join(root, ".tsop"));
  writeFileSync(join(root, ".tsop/kubeconfig"), "");
  await (await lockFolder(root, realDisk(), options())).release();
  expect(readdirSync(join(root, ".tsop"))).toEqual(["kubeconfig"]);
});

it("refuses a .tsop that leads out of the project", async () => {
  const outside = temporaryFolder();
  symlinkSync(outside, join(root, ".tsop"));
  await expect(lockFolder(root, realDisk(), options())).rejects.toMatchObject({ code: "TSOP_OUTSIDE" });
  expect(existsSync(outside) && readdirSync(outside)).toEqual([]);
});

it("says that the disk is the reason", async () => {
  const disk = { ...realDisk(), write: () => Promise.reject(new Error("ENOSPC: no space left on device")) };
  await expect(lockFolder(root, disk, options())).rejects.toMatchObject({
    code: "TSOP_WRITE_FAILED",
    message: ".tsop/lock can't be written: ENOSPC: no space left on device; nothing was changed",
  });
});
