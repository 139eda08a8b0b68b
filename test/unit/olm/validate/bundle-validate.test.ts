import { describe, expect, it } from "vitest";
import { main } from "../../../../src/cli/main.ts";
import { memoryIo, type MemoryIo, type MemoryIoOptions } from "../../cli/memory-io.ts";
import { bundleOf, type BundleCase } from "../bundle-case.ts";

const withoutMinKube: BundleCase = { edit: { csv: [["  minKubeVersion: 1.25.0\n", ""]] } };
const withoutName: BundleCase = { edit: { csv: [["  displayName: Memcached Application\n", ""]] } };

describe("tsop bundle validate", () => {
  it("passes a valid bundle, and reports it on stderr", async () => {
    const io = bundleIo({});
    expect(await validate(io)).toBe(0);
    expect(io.out()).toBe("");
    expect(io.err()).toContain("completed successfully");
  });

  it("passes a bundle with warnings, and prints them", async () => {
    const io = bundleIo(withoutMinKube);
    expect(await validate(io)).toBe(0);
    expect(io.out()).toMatch(/^Warning: Field spec.minKubeVersion: /);
  });

  it.each([
    ["alpha", 0],
    ["nightly", 1],
  ])("accepts the default channel, and suggests names instead of others: %s", async (channel, warnings) => {
    const io = bundleIo({ edit: { annotations: [["v1: alpha", `v1: ${channel}`]] } });
    expect(await validate(io, "--select-optional", "name=good-practices")).toBe(0);
    expect(
      io
        .out()
        .split("\n")
        .filter((line) => line.includes("channel names should")),
    ).toHaveLength(warnings);
  });

  it("fails with errors, and prints them", async () => {
    const io = bundleIo(withoutName);
    expect(await validate(io)).toBe(1);
    expect(io.out()).toMatch(/^Error: Field spec.displayName: /);
    expect(io.err()).toContain("the bundle has 1 error");
  });

  it("prints findings as JSON", async () => {
    const io = bundleIo(withoutName);
    expect(await validate(io, "-o", "json-alpha1")).toBe(1);
    expect(io.out()).toMatch(/^\{\n {4}"passed": false,\n {4}"outputs": \[/);
    expect(JSON.parse(io.out()).outputs[0].type).toBe("error");
    const passed = bundleIo({});
    await validate(passed, "-o", "json-alpha1");
    expect(JSON.parse(passed.out())).toEqual({ passed: true, outputs: null });
  });

  it("lists the optional validators", async () => {
    const io = memoryIo();
    expect(await main(["bundle", "validate", "--list-optional"], io)).toBe(0);
    expect(io.out()).toMatch(/^NAME +LABELS +DESCRIPTION\noperatorhubv2 +name=operatorhubv2 /);
    expect(io.out()).toMatch(/^ +suite=operatorframework$/m);
  });

  it("reads the categories from a file", async () => {
    const io = bundleIo({}, { "/p/c.json": '{"categories":["Caches"]}' });
    const env = { OPERATOR_BUNDLE_CATEGORIES: "c.json" };
    expect(await validate({ ...io, env }, "--select-optional", "name=categories")).toBe(1);
    expect(io.out()).toContain("must be one of Caches");
  });

  it.each([
    ["{", "c.json is not the JSON of an object: "],
    ["[]", "c.json is not the JSON of an object: it is not an object"],
    ["{}", "c.json: categories must be a list of texts"],
  ])("refuses %s as a file of categories", async (text, error) => {
    const io = bundleIo({}, { "/p/c.json": text });
    const env = { OPERATOR_BUNDLE_CATEGORIES: "c.json" };
    expect(await validate({ ...io, env }, "--select-optional", "name=categories")).toBeGreaterThan(0);
    expect(io.err()).toContain(error);
    expect(io.err()).not.toContain("bug in tsop");
  });

  it("runs programs, and adds their findings", async () => {
    const entry = { Type: "T", Level: "Error", Field: "spec", BadValue: 3, Detail: "three is too many" };
    const run = () => ({ stdout: JSON.stringify({ Name: "n", Errors: [entry], Warnings: null }) });
    const io = bundleIo({}, {}, run);
    expect(await validate(io, "--alpha-select-external", "/bin/mine")).toBe(1);
    expect(io.ran).toEqual(["/bin/mine /p/bundle"]);
    expect(io.out()).toBe("Error: Field spec, Value 3: three is too many\n");
  });

  it.each([
    ["fails", { exitCode: 3, stderr: "broken" }, "it exited with code 3: broken"],
    ["prints other output", { stdout: "fine" }, "not JSON"],
    ["prints unknown keys", { stdout: '{"name":"n"}' }, "unknown key name"],
    ["prints findings with unknown keys", { stdout: '{"Errors":[{"Text":"n"}]}' }, "unknown key Text"],
  ])("fails if such a program %s", async (_, result, text) => {
    const io = bundleIo({}, {}, () => result);
    expect(await validate(io, "--alpha-select-external", "/bin/mine")).toBe(1);
    expect(io.err()).toContain(text);
  });

  it.each([
    ["no bundle", ["bundle", "validate"], "the bundle is missing", 2],
    ["a missing folder", ["bundle", "validate", "./none"], "TSOP_BUNDLE_NOT_FOUND", 1],
    ["a missing folder without a path", ["bundle", "validate", "none"], "TSOP_BUNDLE_NOT_FOUND", 1],
    ["a missing folder with a slash", ["bundle", "validate", "none/"], "TSOP_BUNDLE_NOT_FOUND", 1],
    [
      "an unknown validator",
      ["bundle", "validate", "bundle", "--select-optional", "name=x"],
      "TSOP_VALIDATOR_UNKNOWN",
      1,
    ],
    ["a value without a key", ["bundle", "validate", "bundle", "--optional-values", "1.25"], "must be key=value", 2],
    ["a broken selector", ["bundle", "validate", "bundle", "--select-optional", "a in b"], "TSOP_SELECTOR_INVALID", 1],
  ])("rejects %s", async (_, argv, text, code) => {
    const io = bundleIo({});
    expect(await main(argv, io)).toBe(code);
    expect(io.err()).toContain(text);
  });

  it("reports the position of invalid YAML", async () => {
    const io = bundleIo({ write: { "manifests/broken.yaml": "a: 1\nb: [\n" } });
    expect(await validate(io)).toBe(1);
    expect(io.err()).toContain("manifests/broken.yaml:3:1");
  });
});

function bundleIo(bundle: BundleCase, more: Record<string, string> = {}, run?: MemoryIoOptions["run"]): MemoryIo {
  const files = Object.fromEntries([...bundleOf(bundle)].map(([path, text]) => [`/p/bundle/${path}`, text]));
  return memoryIo({ files: { ...files, ...more }, ...(run ? { run } : {}) });
}

async function validate(io: MemoryIo, ...flags: string[]): Promise<number> {
  return main(["bundle", "validate", "./bundle", ...flags], io);
}
