import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { expect, it, vi } from "vitest";
import { isAlive } from "../../../src/files/is-alive.ts";
import { patience } from "../../patience.ts";

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
