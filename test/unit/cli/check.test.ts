import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { main } from "../../../src/cli/main.ts";
import { memoryIo } from "./memory-io.ts";

const manifests = fileURLToPath(new URL("../../check/operators/manifests", import.meta.url));

it.each([
  ["--schedules 5 --engine processes", 2, "schedules need a simulation: leave --engine processes out"],
  ["--only schedule --engine processes", 2, "schedules need a simulation: leave --engine processes out"],
  ["--schedules 5", 1, "the operator can't be simulated: it is not a project of tsop"],
  ["--only schedule", 1, "the operator can't be simulated: it is not a project of tsop"],
  ["--schedules many", 2, "It must be a number; 0 draws none."],
])("explains why schedules can't be drawn: %s", async (flags, code, message) => {
  const io = memoryIo();
  const program = ["--exec", "true", "--apply", manifests, "--sample", manifests];
  expect(await main(["check", ...program, ...flags.split(" ")], io)).toBe(code);
  expect(io.err()).toContain(message);
});

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
