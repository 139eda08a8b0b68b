import { describe, expect, it } from "vitest";
import type { JsonSchema } from "../../../src/apimachinery/json-schema.ts";
import { deriveScenario, type Sample } from "../../../src/check/scenario/derive-scenario.ts";
import { parseScenario } from "../../../src/check/scenario/load-scenario.ts";
import { valuesOf } from "../../../src/check/scenario/schema-values.ts";

const valuesFor = (schema: JsonSchema, present?: unknown) =>
  valuesOf(schema, ["f"], present).map(({ path, value }) => [path.join("."), value]);

describe("values of a field", () => {
  it.each<[string, JsonSchema, unknown[]]>([
    ["its bounds", { type: "integer", minimum: 1, maximum: 9 }, [1, 9, 2]],
    ["bounds that are excluded", { type: "integer", minimum: 0, exclusiveMinimum: true, maximum: 3 }, [1, 3, 2]],
    ["all of an enum", { type: "string", enum: ["a", "b"] }, ["a", "b"]],
    ["both of a boolean", { type: "boolean" }, [true, false]],
    ["the lengths of a text", { type: "string", minLength: 2, maxLength: 4 }, ["aa", "aaaa"]],
    ["a text of the format", { type: "string", format: "duration" }, ["10s"]],
    ["none for a pattern", { type: "string", pattern: "^x+$" }, []],
    ["an empty list", { type: "array", items: { type: "string" } }, [[]]],
    ["none for any content", { type: "object", "x-kubernetes-preserve-unknown-fields": true }, []],
  ])("are %s", (_, schema, values) => {
    expect(valuesFor(schema).map(([, value]) => value)).toEqual(values);
  });

  it.each([
    ["1h", ["11h", "", "a"]],
    ["1.5Gi", ["11.5Gi", "", "a"]],
    ["blue", ["", "a"]],
  ])("keep the form of a duration or a quantity: %s", (present, values) => {
    expect(valuesFor({ type: "string" }, present).map(([, value]) => value)).toEqual(values);
  });

  it("include those of known fields next to arbitrary content", () => {
    const schema: JsonSchema = {
      type: "object",
      properties: { a: { type: "string", enum: ["x"] } },
      "x-kubernetes-preserve-unknown-fields": true,
    };
    expect(valuesFor(schema)).toEqual([["f.a", "x"]]);
  });

  it("exclude the current one, and include unset if the field is optional", () => {
    const schema: JsonSchema = {
      type: "object",
      required: ["b"],
      properties: { a: { type: "boolean" }, b: { type: "boolean" }, c: { type: "boolean" } },
    };
    expect(valuesFor(schema, { a: true, b: true })).toEqual([
      ["f.a", null],
      ["f.a", false],
      ["f.b", false],
      ["f.c", true],
      ["f.c", false],
    ]);
  });
});

const sample: Sample = {
  object: { apiVersion: "e.com/v1", kind: "Cache", metadata: { name: "s" }, spec: { size: 2, mode: "a" } },
  schema: {
    type: "object",
    properties: { port: { type: "integer" }, mode: { type: "string" }, size: { type: "integer", minimum: 1 } },
  },
};

describe("a derived scenario", () => {
  it("changes a duration to another duration, not to a text that the operator may fail to parse", async () => {
    const object = { ...sample.object, spec: { interval: "1h", mode: "a" } };
    const schema: JsonSchema = {
      type: "object",
      properties: { mode: { type: "string" }, interval: { type: "string" } },
    };
    const { steps } = await deriveScenario([object], [{ object, schema }], async () => true);
    expect(steps[1]?.action).toMatchObject({ patch: { spec: { interval: "11h" } } });
  });

  it("changes a number that the sample sets, and takes it back", async () => {
    const { steps } = await deriveScenario([sample.object], [sample], async () => true);
    expect(steps.map(({ name }) => name)).toEqual(["create", "change spec.size", "change back spec.size", "delete"]);
    expect(steps.slice(1, 3).map(({ action }) => action)).toMatchObject([
      { patch: { spec: { size: expect.any(Number) } } },
      { patch: { spec: { size: 2 } } },
    ]);
  });

  it("makes no change that the server rejects", async () => {
    const { steps } = await deriveScenario([sample.object], [sample], async () => false);
    expect(steps.map(({ name }) => name)).toEqual(["create", "delete"]);
  });
});

describe("a scenario file", () => {
  const cache = "{ apiVersion: e.com/v1, kind: Cache, name: s }";
  it("has named steps with one action each", async () => {
    const text = `
steps:
- apply: [{ apiVersion: v1, kind: ConfigMap, metadata: { name: a } }]
- name: wait
  waitFor: { apiVersion: e.com/v1, kind: Cache, name: s }
  condition: Ready
- patch: { apiVersion: e.com/v1, kind: Cache, name: s }
  with: { spec: { size: 1 } }
- delete: { apiVersion: e.com/v1, kind: Cache, namespace: prod, name: s }
`;
    const target = { apiVersion: "e.com/v1", kind: "Cache", name: "s" };
    expect((await parseScenario(text, "/s.yaml")).steps).toEqual([
      { name: "step 1", action: { type: "apply", objects: [expect.objectContaining({ kind: "ConfigMap" })] } },
      { name: "wait", action: { type: "wait", target, condition: "Ready", status: "True" } },
      { name: "step 3", action: { type: "patch", target, patch: { spec: { size: 1 } } } },
      { name: "step 4", action: { type: "delete", targets: [{ ...target, namespace: "prod" }] } },
    ]);
  });

  it.each([
    ["no steps", "steps: []", "it has no steps"],
    ["a step without an action", "steps: [{ name: a }]", "“a” needs one of apply, patch, delete, waitFor$"],
    ["a misspelled action", "steps: [{ name: a, aply: x.yaml }]", "needs one of .*; it has aply"],
    ["two actions", `steps: [{ name: a, apply: [], delete: ${cache} }]`, "needs one of .*; it has apply, delete"],
    [
      "an incomplete object",
      "steps: [{ name: a, patch: { kind: x }, with: {} }]",
      "apiVersion, kind and name in patch",
    ],
    ["a patch without changes", `steps: [{ name: a, patch: ${cache} }]`, "needs a merge patch in with"],
    ["a wait for nothing", `steps: [{ name: a, waitFor: ${cache} }]`, "needs a text such as Available=True"],
    ["an unknown field", `steps: [{ name: a, delete: ${cache}, wait: 5s }]`, "fields that delete does not take: wait"],
    ["no objects", "steps: [{ name: a, apply: { kind: x } }]", "needs a path or a list of objects"],
    ["something else than objects", "steps: [{ name: a, apply: [5] }]", "needs a path or a list of objects"],
    ["an object without a name", `steps: [{ name: a, apply: [${cache}] }]`, "each with .* metadata.name, in apply"],
    ["two steps of one name", "steps: [{ name: a, apply: [] }, { name: a, apply: [] }]", "needs a name of its own"],
  ])("is rejected with %s", async (_, text, reason) => {
    await expect(parseScenario(text, "/s.yaml")).rejects.toThrow(new RegExp(reason));
  });
});
