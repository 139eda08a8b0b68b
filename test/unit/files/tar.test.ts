import { describe, expect, it } from "vitest";
import { readTar, writeTar } from "../../../src/files/tar.ts";

const blockSize = 512;

describe("an archive", () => {
  it("keeps a path of up to 255 bytes in the header of its file", () => {
    const path = `${"a".repeat(150)}/${"b".repeat(100)}`;
    const archive = writeTar([{ path, body: Buffer.from("text") }], new Date(0));
    expect(readTar(archive)).toEqual([{ path, body: Buffer.from("text") }]);
    // A header, a body, and two empty blocks.
    expect(archive.length).toBe(4 * blockSize);
    expect(archive.toString("latin1", 345, 345 + 150)).toBe("a".repeat(150));
  });

  it("is rejected if a byte of a header has changed", () => {
    const archive = writeTar([{ path: "file", body: Buffer.from("text") }], new Date(0));
    archive.write("g", 0);
    expect(() => readTar(archive)).toThrow("damaged");
  });

  it("may have as many entries as the caller allows", () => {
    const entries = ["a", "b"].map((path) => ({ path, body: Buffer.alloc(0) }));
    const archive = writeTar(entries, new Date(0));
    expect(readTar(archive, 2)).toEqual(entries);
    expect(() => readTar(archive, 1)).toThrow("too many entries");
  });
});
