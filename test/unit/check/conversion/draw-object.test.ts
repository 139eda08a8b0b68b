import { expect, it } from "vitest";
import { edited } from "../../../../src/check/conversion/conversion.ts";
import { ObjectDrawer } from "../../../../src/check/conversion/draw-object.ts";
import { ValueDrawer } from "../../../../src/check/conversion/draw-value.ts";
import { inShapeOf, isValid, type Version } from "../../../../src/check/conversion/version.ts";
import { seededRandom } from "../../../../src/sandbox/seeded-random.ts";
import { sample, Hub, versionOf } from "./caches.ts";

const hub = versionOf(Hub);

function drawerOf(seed: number, samples = [sample]): ObjectDrawer {
  const drawer = new ObjectDrawer(new ValueDrawer(seededRandom(seed), samples));
  for (const object of samples) drawer.keep(hub, object);
  return drawer;
}

function drawAll(drawer: ObjectDrawer, version: Version = hub) {
  return Array.from({ length: 300 }, () => drawer.draw(version)!);
}

it("draws objects that the schema and its rules accept, in the shape of a server", () => {
  for (const object of drawAll(drawerOf(1))) {
    expect(isValid(hub, object)).toBe(true);
    expect(inShapeOf(hub, object)).toEqual(object);
  }
});

it("draws the same objects with the same seed, and others with another one", () => {
  expect(drawAll(drawerOf(1))).toEqual(drawAll(drawerOf(1)));
  expect(drawAll(drawerOf(1))).not.toEqual(drawAll(drawerOf(2)));
});

it("draws each optional field with and without a value, edges, and empty and full lists", () => {
  const specs = drawAll(drawerOf(1)).map(({ spec }) => spec as Record<string, unknown>);
  for (const name of ["replicas", "surge", "env", "labels", "extra"]) {
    expect(specs.some((spec) => name in spec)).toBe(true);
    expect(specs.some((spec) => !(name in spec))).toBe(true);
  }
  expect(new Set(specs.map(({ replicas }) => replicas))).toContain(9);
  expect(new Set(specs.map(({ mode }) => mode))).toEqual(new Set(["Fast", "Safe"]));
  const surges = new Set(specs.map(({ surge }) => typeof surge));
  expect(surges).toEqual(new Set(["number", "string", "undefined"]));
  const lengths = specs.flatMap(({ env }) => (Array.isArray(env) ? [env.length] : []));
  expect([Math.min(...lengths), Math.max(...lengths)]).toEqual([0, 3]);
});

it("takes texts for a pattern from the samples", () => {
  const schema = (pattern: string) => ({
    type: "object" as const,
    required: ["spec"],
    properties: {
      spec: { type: "object" as const, required: ["id"], properties: { id: { type: "string" as const, pattern } } },
    },
  });
  const version: Version = { ...hub, schema: schema("^cache-[a-z]{3}$") };
  const named = { ...sample, spec: { id: "cache-abc" } };
  const [object] = drawAll(drawerOf(1, [named]), version);
  expect(object!["spec"]).toEqual({ id: "cache-abc" });
  expect(drawerOf(1).draw(version)).toBeUndefined();
});

it("draws changes that leave an object valid, and mistakes that do not", () => {
  const drawer = drawerOf(1);
  for (const object of drawAll(drawer)) {
    const changed = inShapeOf(hub, edited(object, drawer.drawValidChange(hub, object)!)!);
    expect(isValid(hub, changed)).toBe(true);
    expect(changed).not.toEqual(object);
    expect(isValid(hub, edited(object, drawer.drawMistake(hub, object)!)!)).toBe(false);
  }
});
