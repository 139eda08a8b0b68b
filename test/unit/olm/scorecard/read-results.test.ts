import { describe, expect, it } from "vitest";
import { readResults } from "../../../../src/olm/scorecard/read-results.ts";

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
