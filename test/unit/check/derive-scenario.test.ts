import { describe, expect, it } from "vitest";
import { applyMergePatch } from "../../../src/apimachinery/patch/merge-patch.ts";
import { explorationPlans } from "../../../src/check/plans/exploration-plans.ts";
import { patchesOf } from "../../../src/check/scenario/derive-scenario.ts";

const object = { kind: "Cache", metadata: { name: "a" }, spec: { size: 1, settings: { threads: "4" } } };

describe("the patches of a value", () => {
  it.each([
    ["a number", ["spec", "size"], 3, { size: 3, settings: { threads: "4" } }],
    ["an unset field", ["spec", "size"], null, { settings: { threads: "4" } }],
    ["an empty map", ["spec", "settings"], {}, { size: 1, settings: {} }],
    ["another key", ["spec", "settings"], { key: "a" }, { size: 1, settings: { key: "a" } }],
    ["a field of an absent object", ["spec", "tls", "on"], true, { ...object.spec, tls: { on: true } }],
  ])("set %s exactly, and restore the sample", (label, path, value, spec) => {
    const { patch, back } = patchesOf({ object, schema: {} }, { path, value, label });
    const changed = applyMergePatch(object, patch);
    expect(changed).toEqual({ ...object, spec });
    expect(applyMergePatch(changed, back)).toEqual(object);
  });
});

it("explores what the sample sets before what is far from it, and what is near the root before the rest", () => {
  const sample = { object, schema: {} };
  const at = (...path: string[]) => [sample, { path, value: "a", label: "a short text" }] as const;
  const values = [
    at("spec", "pod", "host", "name"),
    at("spec", "pod", "user"),
    at("spec", "title"),
    at("spec", "settings", "more"),
    at("spec", "settings", "threads"),
  ];
  const steps = [{ name: "create", action: { type: "apply", objects: [object] } as const }];
  expect(explorationPlans({ steps }, values).map(({ id }) => id.split(":")[2])).toEqual([
    "spec.settings.threads",
    "spec.title",
    "spec.settings.more",
    "spec.pod.user",
    "spec.pod.host.name",
  ]);
});
