import { expect, it } from "vitest";
import type { UnstructuredObject } from "../../../../src/apimachinery/meta.ts";
import type { JsonSchema } from "../../../../src/apimachinery/json-schema.ts";
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

it("server-side apply changes nothing the second time, and leaves nothing when all fields are given up", async () => {
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
