import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { takeLock } from "../../../../src/sandbox/disk/take-lock.ts";

let folder: string;
let lock: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tsop-lock-"));
  lock = join(folder, "lock");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const noProcess = "2147483646";

it.each([
  ["nobody has it", undefined],
  ["a killed process had it", noProcess],
  ["it was never written to the end", ""],
  ["a killed process of the same PID had it", `${process.pid} 1`],
])("gives the lock to one of many when %s", async (_, left) => {
  for (let round = 0; round < 20; round++) {
    rmSync(lock, { force: true });
    if (left !== undefined) writeFileSync(lock, left);
    const holders = await Promise.all(Array.from({ length: 2 }, () => takeLock(lock)));
    expect(holders.filter((holder) => holder === undefined)).toHaveLength(1);
    expect(holders.filter((holder) => holder === process.pid)).toHaveLength(1);
    expect(Number.parseInt(readFileSync(lock, "utf8"), 10)).toBe(process.pid);
    expect(readdirSync(folder)).toEqual(["lock"]);
  }
});
