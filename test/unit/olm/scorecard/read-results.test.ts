import { describe, expect, it } from "vitest";
import { readResults, readStorage } from "../../../../src/olm/scorecard/read-results.ts";
import { writeTar } from "../../../../src/files/tar.ts";

describe("readResults", () => {
  it("has the fields in operator-sdk's order, and adds those that it always writes", () => {
    const log = '{"results":[{"suggestions":["s"],"errors":[],"state":"pass","log":"","name":"a"}]}';
    expect(JSON.stringify(readResults(log))).toBe(
      '[{"name":"a","state":"pass","suggestions":["s"],"creationTimestamp":null}]',
    );
  });

  it.each([
    ["no JSON", "nonsense\n", /^the test did not print its results as JSON: \{"results":\[…\]\}$/],
    ["another value", "[1]", /must be a map, not a list/],
    ["errors that are no list", '{"results":[{"state":"fail","errors":"e"}]}', /results\[0\]\.errors must be a list/],
    ["no results", '{"results":[]}', /printed no results/],
    ["nothing else than an object", "{}", /printed no results/],
    ["null", "null", /must be a map/],
  ])("fails a test that printed %s, and shows it", (_, log, error) => {
    expect(readResults(log)).toEqual([
      { state: "fail", log, errors: [expect.stringMatching(error)], creationTimestamp: null },
    ]);
  });
});

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
