import { describe, expect, it } from "vitest";
import { builtinSchema } from "../../../../src/apimachinery/builtin/builtin-schema.ts";
import { applyStrategicMergePatch } from "../../../../src/apimachinery/patch/strategic-merge.ts";
import { StrategicMergeError, type Fields } from "../../../../src/apimachinery/patch/strategic-patch.ts";
import recorded from "../recorded/strategic-merge.json" with { type: "json" };

type Case = { patch: Fields; status: number; metadata?: Fields; template?: Fields };
const cases = Object.entries(recorded.cases as unknown as Record<string, Case>);
const schema = builtinSchema("io.k8s.api.core.v1.PodTemplate")!;

/** Drops unknown fields and empty maps as the server does, such as a directive in a new item. */
const dropUnserved = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (key, child: unknown) =>
      key.startsWith("$") || (key === "nodeSelector" && JSON.stringify(child) === "{}") ? undefined : child,
    ),
  );

describe("applyStrategicMergePatch, compared with a recorded server", () => {
  it.each(cases.filter(([, { status }]) => status === 200))("%s", (_name, { patch, metadata, template }) => {
    const before = structuredClone(recorded.live);
    const after = applyStrategicMergePatch(recorded.live, patch, schema);
    const { labels, annotations, finalizers } = after["metadata"] as Fields;
    expect(dropUnserved({ metadata: { labels, annotations, finalizers }, template: after["template"] })).toEqual({
      metadata,
      template,
    });
    expect(recorded.live).toEqual(before);
  });

  it.each(cases.filter(([, { status }]) => status !== 200))("%s", (_name, { patch, status }) => {
    const apply = (): unknown => applyStrategicMergePatch(recorded.live, patch, schema);
    expect(apply).toThrow(StrategicMergeError);
    expect(apply).toThrow(expect.objectContaining({ code: status }));
  });
});

describe("applyStrategicMergePatch", () => {
  it("merges objects and replaces lists without a schema", () => {
    expect(applyStrategicMergePatch({ a: { b: 1, c: 2 }, l: [1] }, { a: { b: null }, l: [2] })).toEqual({
      a: { c: 2 },
      l: [2],
    });
  });

  it("sets a field named __proto__", () => {
    const patch = JSON.parse('{"__proto__":{"x":1}}') as Fields;
    expect(Object.keys(applyStrategicMergePatch({}, patch))).toEqual(["__proto__"]);
  });
});
