import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { main } from "../../../src/cli/main.ts";
import { memoryIo } from "./memory-io.ts";

const manifests = fileURLToPath(new URL("../../check/operators/manifests", import.meta.url));

it.each(["check", "check --list"])("ends with 130 if it is interrupted as it begins: %s", async (line) => {
  const io = { ...memoryIo(), signal: AbortSignal.abort() };
  const code = await main([...line.split(" "), "--exec", "true", "--apply", manifests, "--sample", manifests], io);
  expect([code, io.err()]).toEqual([130, expect.stringContaining("[TSOP_CHECK_INTERRUPTED]")]);
});

it("shows on a terminal that a check has begun, and takes it back before an error", async () => {
  const memory = memoryIo();
  const io = { ...memory, stderr: { ...memory.stderr, isTTY: true }, signal: AbortSignal.abort() };
  await main(["check", "--exec", "true", "--apply", manifests, "--sample", manifests], io);
  expect(io.err().split("\r\u001b[K")).toEqual([
    "the runs without faults come first",
    expect.stringMatching(/^error: /),
  ]);
});
