import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, it, vi } from "vitest";
import { isAlive } from "../../../src/sandbox/is-alive.ts";

it("knows a process that runs from one that never was", () => {
  expect(isAlive(process.pid)).toBe(true);
  expect(isAlive(2 ** 30)).toBe(false);
});

// Only Linux tells a zombie by /proc.
it.skipIf(process.platform !== "linux")("takes a process for dead that nobody has buried", async () => {
  // The shell becomes `sleep`, which never asks for the end of the child that it inherits.
  const parent = spawn("sh", ["-c", "true & echo $!; exec sleep 30"], { stdio: ["ignore", "pipe", "ignore"] });
  try {
    const [line] = (await once(parent.stdout, "data")) as [Buffer];
    const child = Number(line.toString());
    await vi.waitFor(() => expect(isAlive(child)).toBe(false), { timeout: 10_000 });
    expect(() => process.kill(child, 0)).not.toThrow();
  } finally {
    parent.kill();
  }
});
