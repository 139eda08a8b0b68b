import { readFileSync } from "node:fs";
import { load } from "js-yaml";
import { describe, expect, it } from "vitest";
import { main } from "../../../../src/cli/main.ts";
import { loadBundle } from "../../../../src/olm/bundle/load-bundle.ts";
import { builtInTests } from "../../../../src/olm/scorecard/built-in-tests.ts";
import { memoryIo, type MemoryIo } from "../../cli/memory-io.ts";
import { bundleOf, type BundleCase } from "../bundle-case.ts";

const cases = load(read("../cases/scorecard.yaml")) as Record<string, BundleCase>;
const recorded = JSON.parse(read("../recorded/scorecard.json")) as {
  list: Record<string, string>;
  results: Record<string, Record<string, Result>>;
};

interface Result {
  readonly state: string;
  readonly errors: number;
  readonly suggestions: number;
}

const scorecardCase: BundleCase = { of: "scorecard" };

describe("the built-in scorecard tests", () => {
  it.each(Object.entries(cases))("judge like scorecard-test: %s", async (name, change) => {
    const bundle = loadBundle(bundleOf(change));
    const judge = async ([test, run]: (typeof all)[number]): Promise<[string, Result]> => {
      const { state, errors = [], suggestions = [] } = await run(bundle);
      return [test, { state, errors: errors.length, suggestions: suggestions.length }];
    };
    const all = Object.entries(builtInTests);
    const results = await Promise.all(all.map(judge));
    const expected = Object.entries(recorded.results[name]!).map(([test, result]) => [test, withReason(result)]);
    expect(Object.fromEntries(results)).toEqual(Object.fromEntries(expected));
  });
});

describe("tsop scorecard", () => {
  it.each(["json", "xunit"])("lists tests like operator-sdk: %s", async (format) => {
    const io = bundleIo(scorecardCase);
    expect(await scorecard(io, "--list", "-o", format)).toBe(0);
    expect(io.out()).toBe(recorded.list[format]);
  });

  it("lists tests as text like operator-sdk, with sorted labels", async () => {
    const io = bundleIo(scorecardCase);
    expect(await scorecard(io, "--list")).toBe(0);
    expect(io.out().split("\n").toSorted()).toEqual(recorded.list["text"]!.split("\n").toSorted());
    expect(io.out()).toMatch(/Labels:\n\t"suite":"basic"\n\t"test":"basic-check-spec-test"\n/);
  });

  it("prints results, and fails if a test fails", async () => {
    const io = bundleIo(scorecardCase);
    expect(await scorecard(io)).toBe(1);
    expect(io.out()).toContain(
      "\tName: olm-spec-descriptors\n\tState: fail\n\n\tSuggestions:\n\t\tAdd a spec descriptor for",
    );
    expect(io.err()).toContain("TSOP_SCORECARD_FAILED");
  });

  it("runs the selected tests, and succeeds if they pass", async () => {
    const io = bundleIo(scorecardCase);
    expect(await scorecard(io, "-l", "suite=basic", "-o", "json")).toBe(0);
    expect(JSON.parse(io.out()).items.map(({ status }: any) => status.results[0])).toMatchObject([
      { name: "basic-check-spec", state: "pass" },
    ]);
  });

  it("says that a configuration has no tests", async () => {
    const edit = { "config.yaml": [["tests:", "tests: []\nunused:"]] } as const;
    const none = bundleIo({ ...scorecardCase, edit });
    expect(await scorecard(none, "-l", "suite=basic"), none.err()).toBe(0);
    expect(none.out()).toBe("0 tests selected\n");
    const noneJson = bundleIo({ ...scorecardCase, edit });
    await scorecard(noneJson, "-o", "json");
    expect(JSON.parse(noneJson.out()).items).toBe(null);
  });

  it.each([[], ["--list"], ["-o", "json"]])(
    "rejects a selector that matches no test, and names the labels: %s",
    async (...flags) => {
      const io = bundleIo(scorecardCase);
      expect(await scorecard(io, "-l", "suite=bsic", ...flags)).toBe(1);
      expect(io.out()).toBe("");
      expect(io.err()).toMatch(/^error: --selector suite=bsic matches no test .*\[TSOP_SCORECARD_SELECTOR\]\nhint: /);
      expect(io.err()).toContain("suite=basic, suite=olm, test=basic-check-spec-test, ");
    },
  );

  it("recognizes the built-in tests in an image of a mirror", async () => {
    const image = "quay.io/operator-framework/scorecard-test:v1.42.2";
    const io = bundleIo({
      ...scorecardCase,
      edit: { "config.yaml": [[image, "mirror.example.com:5000/tests@sha256:1"]] },
    });
    expect(await scorecard(io, "-l", "suite=basic", "-o", "json")).toBe(0);
    expect(JSON.parse(io.out()).items[0].status.results).toMatchObject([{ name: "basic-check-spec", state: "pass" }]);
  });

  it("escapes errors in xunit", async () => {
    const edit = { csv: [['"size": 1', '"<size>": 1']] } as const;
    const io = bundleIo({ ...scorecardCase, edit });
    expect(await scorecard(io, "-o", "xunit", "-l", "test=olm-spec-descriptors-test")).toBe(1);
    expect(io.out()).toContain('<failure type="failure">');
    expect(io.out()).toContain("&lt;size&gt; does not have");
    expect(io.out()).toContain('tests="1" skipped="0" failures="1" errors="0"');
  });

  it("reads another configuration file", async () => {
    const config = read("../cases/parts/scorecard.yaml").replace("olm-crds-have-resources]", "no-such-test]");
    const io = bundleIo({}, { "/p/mine.yaml": config });
    expect(await scorecard(io, "--config", "mine.yaml", "-l", "test=olm-crds-have-resources-test")).toBe(1);
    expect(io.out()).toContain("There is no test no-such-test; this image has basic-check-spec");
  });

  it.each([
    ["a bundle without configuration", {}, [], "tests/scorecard/config.yaml"],
    ["a configuration of another kind", {}, ["-c", "bundle/metadata/annotations.yaml"], "TSOP_SCORECARD_CONFIG"],
    [
      "a configuration with another structure",
      { ...scorecardCase, edit: { "config.yaml": [["image: quay", "image: [] # quay"]] } },
      [],
      "TSOP_BUNDLE_SHAPE",
    ],
    ["a missing configuration", {}, ["-c", "none.yaml"], "the file does not exist"],
    ["a broken selector", scorecardCase, ["-l", "a in b"], "TSOP_SELECTOR_INVALID"],
    [
      "tests with other images",
      {
        of: "scorecard",
        edit: { "config.yaml": [["- scorecard-test", "- /mine"]] },
      },
      [],
      "TSOP_SCORECARD_IMAGE",
    ],
  ] as [string, BundleCase, string[], string][])("rejects %s", async (_, bundle, flags, text) => {
    const io = bundleIo(bundle);
    expect(await scorecard(io, ...flags)).toBe(1);
    expect(io.err()).toContain(text);
    expect(io.out()).toBe("");
  });
});

/** Adds the error with the reason: the Go tool fails an example without a spec silently. */
function withReason(result: Result): Result {
  const isSilent = result.state === "fail" && result.errors + result.suggestions === 0;
  return isSilent ? { ...result, errors: 1 } : result;
}

function bundleIo(bundle: BundleCase, more: Record<string, string> = {}): MemoryIo {
  const files = Object.fromEntries([...bundleOf(bundle)].map(([path, text]) => [`/p/bundle/${path}`, text]));
  return memoryIo({ files: { ...files, ...more } });
}

async function scorecard(io: MemoryIo, ...flags: string[]): Promise<number> {
  return main(["scorecard", "./bundle", ...flags], io);
}

function read(path: string): string {
  return readFileSync(new URL(path, import.meta.url), "utf8");
}
