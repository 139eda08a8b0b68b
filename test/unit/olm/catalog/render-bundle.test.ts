import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { load } from "js-yaml";
import { describe, expect, it } from "vitest";
import { loadBundle } from "../../../../src/olm/bundle/load-bundle.ts";
import { renderBundle } from "../../../../src/olm/catalog/render-bundle.ts";
import { bundleOf, type BundleCase } from "../bundle-case.ts";

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), "utf8");
const cases = load(read("../cases/catalog.yaml")) as Record<string, BundleCase>;
const recorded = JSON.parse(read("../recorded/catalog.json")) as Record<string, unknown>;

describe("renderBundle", () => {
  it.each(Object.entries(cases))("renders like opm: %s", (name, change) => {
    const blob = JSON.parse(JSON.stringify(renderBundle(loadBundle(bundleOf(change)), "")));
    for (const { value } of blob.properties) if (value?.data) value.data = digest(value.data);
    expect(blob).toEqual(recorded[name]);
  });
});

/** Returns the digest of an object as recorded: a catalog holds the same objects as the bundle. */
function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}
