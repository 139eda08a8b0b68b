import { describe, expect, it } from "vitest";
import { confirmOrRefuse } from "../../../src/cli/steps/confirm-or-refuse.ts";
import { TsopError } from "../../../src/errors/tsop-error.ts";
import { memoryIo, type MemoryIo } from "./memory-io.ts";

describe("what a command would delete besides its own files", () => {
  const names = ["Memcached default/cache", "Memcached team/cache"];
  const refuse = new TsopError("TSOP_CUSTOM_RESOURCES", { objects: names.join(", "), package: "memcached" });
  const confirm = (io: MemoryIo): Promise<void> =>
    confirmOrRefuse(io, { lines: names, message: "Delete these as well?", flag: "--yes", refuse });

  it("is named, and deleted after a yes", async () => {
    const io = memoryIo({ isTTY: true, answers: [true] });
    await confirm(io);
    expect(io.err()).toBe("Memcached default/cache\nMemcached team/cache\n");
  });

  it("stays after a no, and without a terminal", async () => {
    await expect(confirm(memoryIo({ isTTY: true, answers: [false] }))).rejects.toBe(refuse);
    await expect(confirm(memoryIo({ answers: [true] }))).rejects.toBe(refuse);
    expect(refuse.message).toContain("Memcached team/cache");
  });
});
