import { describe, expect, it } from "vitest";
import { loadBundle } from "../../../../src/olm/bundle/load-bundle.ts";
import type { RuleOptions } from "../../../../src/olm/validate/finding.ts";
import { selectValidators } from "../../../../src/olm/validate/optional-validators.ts";
import { validateBundle } from "../../../../src/olm/validate/validate-bundle.ts";
import { bundleOf, type BundleCase } from "../bundle-case.ts";

const manager = "registry.example.com/memcached-operator:v0.0.1";
const affinity = `affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [
                {matchExpressions: [{key: kubernetes.io/os, operator: In, values: [linux]}, {key: kubernetes.io/arch, operator: In, values: [arm64]}]}]}}}
              containers:`;
const withAffinity: BundleCase = { edit: { csv: [["containers:", affinity]] } };
const withRelated: BundleCase = {
  edit: {
    csv: [
      ["  replaces:", "  relatedImages: [{name: db, image: example.com/db:1}]\n  replaces:"],
      ["containers:", affinity],
    ],
  },
};

describe("the multiarch validator", () => {
  // The bundle's label promises arm64.
  it.each<[string, BundleCase, [string, string[] | string][], string[]]>([
    ["the platforms of the labels", withAffinity, [[manager, ["linux/arm64"]]], []],
    ["no affinity", {}, [[manager, ["linux/arm64"]]], ["warning node-affinity"]],
    [
      "another platform",
      withAffinity,
      [[manager, ["linux/amd64"]]],
      ["error platform-missing", "warning platform-unlabelled", "warning node-affinity"],
    ],
    [
      "more platforms",
      withAffinity,
      [[manager, ["linux/arm64", "linux/s390x"]]],
      ["warning platform-unlabelled", "warning node-affinity"],
    ],
    ["a missing image", withAffinity, [[manager, "there is no image"]], ["warning image-unknown"]],
    [
      "a related image of another platform",
      withRelated,
      [
        [manager, ["linux/arm64"]],
        ["example.com/db:1", ["linux/amd64"]],
      ],
      ["error platform-missing", "warning platform-of-others"],
    ],
  ])("judges %s", async (_, bundle, platforms, expected) => {
    expect(await findings(bundle, { platforms: new Map(platforms) })).toEqual(expected);
  });

  it("supports three container tools", async () => {
    expect(await findings({}, { "container-tools": "crane" })).toEqual(["error container-tools"]);
  });
});

async function findings(bundle: BundleCase, options: RuleOptions): Promise<string[]> {
  const all = await validateBundle(loadBundle(bundleOf(bundle)), selectValidators("name=multiarch"), options);
  return all.map(({ level, rule }) => `${level} ${rule}`);
}
