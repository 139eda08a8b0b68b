import { describe, expect, it } from "vitest";
import { builtinSchema } from "../../../../src/apimachinery/builtin/builtin-schema.ts";
import type { UnstructuredObject } from "../../../../src/apimachinery/meta.ts";
import type { JsonSchema } from "../../../../src/apimachinery/json-schema.ts";
import type { ApiError, Status } from "../../../../src/apimachinery/status.ts";
import { applyServerSide } from "../../../../src/apiserver/ssa/apply-server-side.ts";
import { randomFrom } from "../random-from.ts";

const schema: JsonSchema = {
  type: "object",
  properties: {
    spec: {
      type: "object",
      properties: {
        name: { type: "string" },
        flag: { type: "boolean" },
        replicas: { type: "integer" },
        port: { "x-kubernetes-int-or-string": true },
        labels: { type: "object", additionalProperties: { type: "string" } },
        tags: { type: "array", items: { type: "string" }, "x-kubernetes-list-type": "set" },
        items: {
          type: "array",
          "x-kubernetes-list-type": "map",
          "x-kubernetes-list-map-keys": ["a"],
          items: { type: "object", properties: { a: { type: "string" }, v: { type: "integer" } } },
        },
        free: {
          type: "object",
          "x-kubernetes-preserve-unknown-fields": true,
          properties: { known: { type: "object" } },
        },
        pod: {
          type: "object",
          "x-kubernetes-embedded-resource": true,
          properties: { spec: { type: "object", properties: { a: { type: "string" } } } },
        },
      },
    },
  },
};

function apply(spec: unknown, live?: UnstructuredObject, manager: string = "m1"): Promise<UnstructuredObject> {
  const identity = { apiVersion: "example.com/v1", kind: "Widget", metadata: { name: "e1" } };
  const applied = spec === undefined ? identity : { ...identity, spec };
  const common = { schema, apiVersion: "example.com/v1", manager, force: false, now: "2026-01-01T00:00:00Z" };
  return applyServerSide({ ...common, live: live ?? identity, applied });
}

// The code is that of kube-apiserver 1.36, and most texts are.
describe("an applied object that does not fit its schema", () => {
  it.each([
    [{ zz: 1 }, ".spec.zz: field not declared in schema"],
    [5, ".spec: expected map, got int64"],
    [{ replicas: "x" }, ".spec.replicas: expected numeric, got string"],
    [{ name: 5 }, ".spec.name: expected string, got int64"],
    [{ name: {} }, ".spec.name: expected string, got map[string]interface {}"],
    [{ labels: [] }, ".spec.labels: expected map, got []interface {}"],
    [{ items: {} }, ".spec.items: expected list, got map[string]interface {}"],
    [{ items: [{ a: "x" }, { a: "x" }] }, '.spec.items: duplicate entries for key [a="x"]'],
    [{ items: ["x"] }, ".spec.items: element 0: associative list with keys may not have non-map elements"],
    [{ items: [null] }, ".spec.items: element 0: associative list with keys may not have a null element"],
    [
      { items: [{ a: "x" }, { v: 1 }] },
      '.spec.items: element 1: associative list with keys has an element that omits all key fields ["a"] (and doesn\'t have default values for any key fields)',
    ],
    [{ items: [{ a: "x", v: "s" }] }, '.spec.items[a="x"].v: expected numeric, got string'],
    [{ tags: ["x", "x"] }, '.spec.tags: duplicate entries for key [="x"]'],
    [
      { tags: [1, null] },
      `errors:
  .spec.tags[=1]: expected string, got int64
  .spec.tags: element 1: associative list without keys has an element that's an explicit null`,
    ],
    [
      { pod: { apiVersion: "v1", kind: 5, metadata: { name: "x", qq: 1 }, zz: 1 } },
      `errors:
  .spec.pod.kind: expected string, got int64
  .spec.pod.metadata.qq: field not declared in schema
  .spec.pod.zz: field not declared in schema`,
    ],
  ])("%j is refused", async (spec, problem) => {
    expect(await refusal(() => apply(spec))).toEqual({
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
      status: "Failure",
      message: `failed to create typed patch object (/e1; example.com/v1, Kind=Widget): ${problem}`,
      code: 500,
    });
  });

  it("is not one that uses open parts, nulls or either type of int-or-string", async () => {
    const spec = { free: { any: [1], known: { x: 1 } }, port: "http", replicas: null, flag: true };
    expect((await apply(spec))["spec"]).toEqual(spec);
  });
});

describe("a built-in kind's list item without its key", () => {
  const podTemplate = builtinSchema("io.k8s.api.core.v1.PodTemplate");
  const applyContainers = (containers: unknown): Promise<UnstructuredObject> => {
    const identity = { apiVersion: "v1", kind: "PodTemplate", metadata: { name: "x1" } };
    const applied = { ...identity, template: { spec: { containers } } };
    const request = { schema: podTemplate, apiVersion: "v1", manager: "m", force: false, now: "" };
    return applyServerSide({ ...request, live: identity, applied });
  };

  it("has the zero of the key's type, which validation is to refuse", async () => {
    expect((await applyContainers([{ image: "y" }]))["template"]).toEqual({ spec: { containers: [{ image: "y" }] } });
  });

  it("may not be there twice", async () => {
    expect((await refusal(() => applyContainers([{ image: "y" }, { image: "z" }]))).message).toBe(
      'failed to create typed patch object (/x1; /v1, Kind=PodTemplate): .template.spec.containers: duplicate entries for key [name=""]',
    );
  });
});

describe("server-side apply", () => {
  it("refuses managedFields in the applied object", async () => {
    const applied = { apiVersion: "example.com/v1", kind: "Widget", metadata: { name: "e1", managedFields: [] } };
    const request = {
      schema,
      apiVersion: "example.com/v1",
      manager: "m",
      force: false,
      now: "",
      live: applied,
      applied,
    };
    expect(await refusal(() => applyServerSide(request))).toMatchObject({
      message: "metadata.managedFields must be nil",
      code: 400,
    });
  });

  it("owns embedded objects field by field", async () => {
    const pod = { apiVersion: "v1", kind: "Pod", metadata: { name: "x", labels: { a: "b" } }, spec: { a: "1" } };
    expect((await apply({ pod })).metadata.managedFields?.[0]?.fieldsV1).toEqual({
      "f:spec": {
        "f:pod": {
          "f:apiVersion": {},
          "f:kind": {},
          "f:metadata": { "f:labels": { "f:a": {} }, "f:name": {} },
          "f:spec": { "f:a": {} },
        },
      },
    });
  });

  it("changes nothing the second time, and leaves nothing when all fields are given up", async () => {
    const random = randomFrom(5);
    for (let round = 0; round < 300; round++) {
      const spec = randomSpec(random);
      const once = await apply(spec);
      const twice = await apply(spec, once);
      expect(twice).toEqual(once);
      const other = await apply({ labels: { other: "1" } }, once, "m2");
      const left = await apply(undefined, other);
      expect(left["spec"]).toEqual({ labels: { other: "1" } });
      expect(left.metadata.managedFields?.map(({ manager }) => manager)).toEqual(["m2"]);
    }
  });
});

function randomSpec(random: () => number): Record<string, unknown> {
  const some = <T>(values: readonly T[]): T[] => values.filter(() => random() < 0.5);
  const all = {
    name: "n",
    replicas: Math.floor(random() * 9),
    port: random() < 0.5 ? 1 : "x",
    labels: Object.fromEntries(some(["a", "b", "c"]).map((key) => [key, "1"])),
    tags: some(["x", "y", "z"]),
    items: some(["1", "2", "3"]).map((a) => (random() < 0.5 ? { a } : { a, v: 1 })),
    free: { known: { k: some([1, 2]) }, other: { deep: some(["q"]) } },
  };
  // An empty collection has no field of its own that another manager's members would not hide.
  const members = some(Object.entries(all)).filter(
    ([, value]) => typeof value !== "object" || Object.keys(value).length > 0,
  );
  return Object.fromEntries([["name", "n"], ...members]);
}

async function refusal(write: () => Promise<unknown>): Promise<Status> {
  try {
    await write();
  } catch (error) {
    return (error as ApiError).status;
  }
  throw new Error("accepted");
}
