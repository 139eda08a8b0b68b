import { describe, expect, it } from "vitest";
import { writeTar } from "../../../../src/files/tar.ts";
import { readStorage } from "../../../../src/olm/scorecard/read-results.ts";

const spec = { image: "example.com/own", labels: { suite: "own", test: "writes" } };

function read(paths: readonly string[], at = "/tmp/files/"): string[] {
  const entries = paths.map((path) => ({ path, body: Buffer.from(path) }));
  const stdout = paths.length === 0 ? Buffer.alloc(0) : writeTar(entries, new Date(0));
  const { files } = readStorage({ stdout, stderr: Buffer.alloc(0), failure: undefined }, spec, at);
  return files.map(({ path }) => path);
}

describe("readStorage", () => {
  it("puts files below the suite and the test, without the path in the pod", () => {
    expect(read(["tmp/files/", "tmp/files/a/b", "/tmp/files/c"])).toEqual(["own/writes/a/b", "own/writes/c"]);
    expect(read([])).toEqual([]);
  });

  it.each([
    ["leaves the archive", "../x", "points outside the archive"],
    ["leaves the storage", "tmp/files/../../etc/passwd", "is not in /tmp/files/"],
    ["is in a folder of a similar name", "tmp/files2/x", "is not in /tmp/files/"],
    ["is absolute", "/etc/passwd", "is not in /tmp/files/"],
  ])("rejects an archive with a path that %s", (_, path, reason) => {
    expect(() => read(["tmp/files/a", path])).toThrow(reason);
  });

  it("names links, and does not follow them", () => {
    const archive = writeTar([{ path: "tmp/files/link", body: Buffer.alloc(0) }], new Date(0));
    for (const type of ["1", "2"]) {
      // The type is a part of the header's sum.
      archive[156] = type.charCodeAt(0);
      archive.fill(" ", 148, 156);
      const sum = archive.subarray(0, 512).reduce((all, byte) => all + byte, 0);
      archive.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
      const read = readStorage({ stdout: archive, stderr: Buffer.alloc(0), failure: undefined }, spec, "/tmp/files");
      expect(read).toEqual({ files: [], skipped: ["tmp/files/link"] });
    }
  });
});
