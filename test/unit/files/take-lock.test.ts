import { readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { beforeEach, expect, it, vi } from "vitest";
import { isAlive, startTimeOf } from "../../../src/files/is-alive.ts";
import { realDisk } from "../../../src/files/real-disk.ts";
import { takeLock } from "../../../src/files/take-lock.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { patience } from "../../patience.ts";

let folder: string;
let lock: string;
beforeEach(() => {
  folder = temporaryFolder();
  lock = join(folder, "lock");
});

const noProcess = "2147483646";

it.each([
  ["nobody has it", undefined],
  ["a killed process had it", noProcess],
  ["it was never written to the end", ""],
])("gives the lock to one of many processes if %s", async (_, left) => {
  for (let round = 0; round < 20; round++) {
    rmSync(lock, { force: true });
    if (left !== undefined) writeFileSync(lock, left);
    const holders = await Promise.all(Array.from({ length: 2 }, () => takeLock(lock, realDisk(), "make a cake")));
    expect(holders.filter((holder) => holder === undefined)).toHaveLength(1);
    expect(holders.filter((holder) => holder?.pid === process.pid)).toHaveLength(1);
    expect(holders.find(Boolean)).toEqual({ pid: process.pid, purpose: "make a cake" });
    expect(readFileSync(lock, "utf8")).toBe(`${process.pid} ${startTimeOf(process.pid)} make a cake`);
    expect(readdirSync(folder)).toEqual(["lock"]);
  }
});

// Only Linux shows when a process started.
it.skipIf(process.platform !== "linux")("takes over the lock of a process whose PID was reused", async () => {
  writeFileSync(lock, `${process.pid} 1 tsop create api`);
  expect(await takeLock(lock, realDisk())).toBeUndefined();
});

it("respects the lock of a process whose start is unknown", async () => {
  writeFileSync(lock, String(process.pid));
  expect(await takeLock(lock, realDisk())).toEqual({ pid: process.pid, purpose: "" });
});

it("distinguishes a running process from one that never existed", () => {
  expect(isAlive(process.pid)).toBe(true);
  expect(isAlive(2 ** 30)).toBe(false);
});

// Only on Linux does /proc show a zombie.
it.skipIf(process.platform !== "linux")("treats a zombie process as dead", async () => {
  // The shell becomes `sleep`, which never asks for the end of the child that it inherits; the shell itself still would.
  const parent = spawn("sh", ["-c", "cat <&3 & echo $!; exec sleep 100"], {
    stdio: ["ignore", "pipe", "ignore", "pipe"],
  });
  try {
    const [line] = (await once(parent.stdout!, "data")) as [Buffer];
    const child = Number(line.toString());
    const program = (): string => readFileSync(`/proc/${parent.pid}/comm`, "utf8");
    await vi.waitFor(() => expect(program()).toBe("sleep\n"), patience);
    parent.stdio[3]!.destroy();
    await vi.waitFor(() => expect(isAlive(child)).toBe(false), patience);
    expect(() => process.kill(child, 0)).not.toThrow();
  } finally {
    parent.kill();
  }
});
