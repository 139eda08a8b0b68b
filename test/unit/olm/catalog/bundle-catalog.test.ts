import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { load, loadAll } from "js-yaml";
import { describe, expect, it } from "vitest";
import { main } from "../../../../src/cli/main.ts";
import { memoryIo, type MemoryIo } from "../../cli/memory-io.ts";
import { bundleOf, type BundleCase } from "../bundle-case.ts";

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), "utf8");
const cases = load(read("../cases/catalogs.yaml")) as Record<string, BundleCase[]>;
const recorded = JSON.parse(read("../recorded/catalogs.json")) as Record<string, string>;
const catalogFile = "/p/catalog/memcached-operator/catalog.yaml";
const images = ["--image", "example.com/b:v1", "--image", "example.com/b:v2"];
const next: BundleCase = { of: "channels" };
const withoutReplaces: BundleCase = {
  of: "channels",
  edit: {
    csv: [["  replaces: memcached-operator.v0.0.0-previous\n", ""]],
    annotations: [["stable,fast", "stable,alpha"]],
  },
};

describe("tsop bundle catalog", () => {
  it("writes the package, its channels and its bundles, and a Dockerfile", async () => {
    const io = bundlesIo({}, next);
    expect(await main(["bundle", "catalog", "b0", "b1", ...images], io)).toBe(0);
    const blobs = loadAll(io.disk.files.get(catalogFile)!) as any[];
    expect(blobs.map(({ schema, name }) => `${schema} ${name}`)).toEqual([
      "olm.package memcached-operator",
      "olm.channel alpha",
      "olm.channel fast",
      "olm.channel stable",
      "olm.bundle memcached-operator.v0.0.1",
      "olm.bundle memcached-operator.v1.2.3-rc.1",
    ]);
    expect(blobs[0]).toMatchObject({ defaultChannel: "stable", icon: { mediatype: "image/png" } });
    expect(blobs[1].entries).toEqual([
      {
        name: "memcached-operator.v0.0.1",
        replaces: "memcached-operator.v0.0.0-previous",
        skipRange: "<0.0.1",
        skips: ["memcached-operator.v0.0.0-broken"],
      },
    ]);
    expect(blobs[4].image).toBe("example.com/b:v1");
    expect(io.disk.files.get("/p/catalog.Dockerfile")).toContain("COPY catalog /configs");
  });

  it("makes a bundle replace the version before it, unless it names another one", async () => {
    const io = bundlesIo(withoutReplaces, {});
    expect(await main(["bundle", "catalog", "b0", "b1", ...images], io)).toBe(0);
    const blobs = loadAll(io.disk.files.get(catalogFile)!) as any[];
    const alpha = blobs.find(({ schema, name }) => schema === "olm.channel" && name === "alpha");
    expect(alpha.entries.map(({ name, replaces }: any) => [name, replaces])).toEqual([
      ["memcached-operator.v0.0.1", "memcached-operator.v0.0.0-previous"],
      ["memcached-operator.v1.2.3-rc.1", "memcached-operator.v0.0.1"],
    ]);
  });

  it.each([
    ["a folder without an image", ["b0"], "--image", 2],
    ["an image without a folder", ["b0", ...images], "no folder has the image example.com/b:v2", 2],
    ["one image of two bundles", ["b0", "b1", ...images.slice(0, 2), ...images.slice(0, 2)], "two bundles have", 2],
    ["an image that is none", ["b0", "--image", "b 1"], "TSOP_IMAGE_REFERENCE", 1],
    ["the same version twice", ["b0", "b0", ...images], "TSOP_CATALOG_TWICE", 1],
    ["two packages", ["b0", "b1", ...images], "TSOP_CATALOG_PACKAGES", 1],
  ])("rejects %s and writes nothing", async (_, argv, text, code) => {
    const other: BundleCase = { edit: { annotations: [["package.v1: memcached-operator", "package.v1: other"]] } };
    const io = bundlesIo({}, other);
    const before = new Map(io.disk.files);
    expect(await main(["bundle", "catalog", ...argv], io)).toBe(code);
    expect(io.err()).toContain(text);
    expect(io.disk.files).toEqual(before);
  });

  const replaces = "  replaces: memcached-operator.v0.0.0-previous\n";
  it.each<[string, BundleCase[], string]>([
    [
      "a bundle that replaces itself",
      [{ edit: { csv: [[replaces, "  replaces: memcached-operator.v0.0.1\n"]] } }],
      "in the channel alpha, each bundle is replaced or skipped by one of them",
    ],
    [
      "two newest bundles",
      [{}, { of: "channels", edit: { annotations: [["stable,fast", "stable,alpha"]] } }],
      "in the channel alpha, nothing replaces memcached-operator.v0.0.1 and memcached-operator.v1.2.3-rc.1",
    ],
    [
      "a default channel without a bundle",
      [{ of: "channels", edit: { annotations: [["default.v1: stable", "default.v1: slow"]] } }],
      'no bundle is in the default channel "slow"',
    ],
  ])("rejects what opm does not load: %s", async (_, bundles, reason) => {
    const io = bundlesIo(...bundles);
    const folders = bundles.map((_, index) => `b${index}`);
    expect(await main(["bundle", "catalog", ...folders, ...images.slice(0, 2 * bundles.length)], io)).toBe(1);
    expect(io.err()).toContain(`opm would refuse the catalog: ${reason}`);
    expect(io.disk.files.has(catalogFile)).toBe(false);
  });

  // opm has read and rewritten each of these catalogs without findings.
  it.each(Object.entries(cases))("writes the output of opm: %s", async (name, bundles) => {
    const io = bundlesIo(...bundles);
    const folders = bundles.map((_, index) => `b${index}`);
    const images = bundles.flatMap((_, index) => ["--image", `registry.example.com/team/bundle:v${index}`]);
    expect(await main(["bundle", "catalog", ...folders, ...images], io), io.err()).toBe(0);
    const text = io.disk.files.get(catalogFile)!;
    expect(text.replaceAll(/data: (\S+)/g, (_, data: string) => `data: ${digest(data)}`)).toBe(recorded[name]);
  });
});

/** Creates an Io with the bundles in folders b0, b1, … */
function bundlesIo(...bundles: BundleCase[]): MemoryIo {
  const files = bundles.flatMap((bundle, index) =>
    [...bundleOf(bundle)].map(([path, text]) => [`/p/b${index}/${path}`, text] as const),
  );
  return memoryIo({ files: Object.fromEntries(files) });
}

/** Returns the digest of an object as recorded: a catalog holds the same objects as the bundle. */
function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}
