import { describe, expect, it, onTestFinished } from "vitest";
import { applyMergePatch } from "../../../src/apimachinery/patch/merge-patch.ts";
import { isNotFound } from "../../../src/apimachinery/status.ts";
import { explorationPlans } from "../../../src/check/plans/exploration-plans.ts";
import { changeAndBack, deriveScenario, patchesOf } from "../../../src/check/scenario/derive-scenario.ts";
import type { Action } from "../../../src/check/scenario/scenario.ts";
import { act } from "../../../src/check/world/act.ts";
import { TestEnvironment } from "../../../src/testing/test-environment.ts";

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

it("explores fields of the sample first, then those near the root", () => {
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

it("skips a sample that the operator has deleted", async () => {
  const env = new TestEnvironment({ binaryAssetsDirectory: "" });
  onTestFinished(() => env.stop());
  await env.start();
  const gone = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "gone" }, spec: { size: 1 } };
  const steps = changeAndBack({ object: gone, schema: {} }, { path: ["spec", "size"], value: 2, label: "a number" });
  const place = { client: env.client, namespace: "default" };
  for (const { action } of steps) await act(place, action);
  const { target } = steps[0].action as Action & { type: "patch" };
  await expect(act(place, { type: "patch", target, patch: {} })).rejects.toSatisfy(isNotFound);
});

it("names a step after its sample, with the kind if samples of other kinds have that name", async () => {
  const schema = { properties: { size: { type: "integer" } } } as const;
  const samples = ["Cache a", "Cache b", "Store b"].map((text) => {
    const [kind = "", name = ""] = text.split(" ");
    return { object: { apiVersion: "example.com/v1", kind, metadata: { name }, spec: { size: 1 } }, schema };
  });
  const objects = samples.map((sample) => sample.object);
  const { steps } = await deriveScenario(objects, samples, () => Promise.resolve(true));
  expect(steps.map(({ name }) => name)).toEqual([
    "create",
    ...["a", "Cache b", "Store b"].flatMap((name) => [
      `change spec.size of ${name}`,
      `change back spec.size of ${name}`,
    ]),
    "delete",
  ]);
});

it("changes the name of a class last, which hands an object over to another operator", async () => {
  const schema = { properties: { gatewayClassName: { type: "string" }, title: { type: "string" } } } as const;
  const gateway = { ...object, spec: { gatewayClassName: "ours" } };
  const fieldOf = async (properties: typeof schema.properties | Pick<typeof schema.properties, "gatewayClassName">) => {
    const sample = { object: gateway, schema: { properties } };
    return (await deriveScenario([gateway], [sample], () => Promise.resolve(true))).steps[1]?.name;
  };
  const { gatewayClassName } = schema.properties;
  expect(await fieldOf(schema.properties)).toBe("change spec.title");
  expect(await fieldOf({ gatewayClassName })).toBe("change spec.gatewayClassName");
});
