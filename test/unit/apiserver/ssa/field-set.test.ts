import { describe, expect, it } from "vitest";
import { FieldSet } from "../../../../src/apiserver/ssa/field-set.ts";
import { formatPath } from "../../../../src/apiserver/ssa/typed-node.ts";

function setOf(...paths: string[]): FieldSet {
  const set = new FieldSet();
  for (const path of paths) set.insert(path === "" ? [] : path.split("/"));
  return set;
}

function pathsOf(set: FieldSet): string[] {
  return [...set.paths()].map((path) => path.join("/"));
}

describe("a field set", () => {
  it("reads and writes fieldsV1, in the order of a server", () => {
    const json = {
      "f:metadata": { "f:labels": { ".": {}, "f:a": {}, "f:b": {} } },
      "f:spec": {
        "f:items": { 'k:{"a":"1"}': { ".": {}, "f:v": {} } },
        "f:tags": { 'v:"x"': {} },
        "f:z": { "i:0": {} },
      },
    };
    const set = FieldSet.fromJson(json);
    expect(JSON.stringify(set.toJson())).toBe(JSON.stringify(json));
    expect(pathsOf(set)).toEqual([
      "f:metadata/f:labels",
      "f:metadata/f:labels/f:a",
      "f:metadata/f:labels/f:b",
      'f:spec/f:items/k:{"a":"1"}',
      'f:spec/f:items/k:{"a":"1"}/f:v',
      'f:spec/f:tags/v:"x"',
      "f:spec/f:z/i:0",
    ]);
    expect(JSON.stringify(setOf("f:b", "v:1", "f:a", "k:{}", "i:0").toJson())).toBe(
      '{"f:a":{},"f:b":{},"k:{}":{},"v:1":{},"i:0":{}}',
    );
  });

  it("shares what it writes with the sets of the same fields, and with no others", () => {
    const json = setOf("f:a/f:b", "f:a/f:c").toJson();
    expect(setOf("f:a/f:b", "f:a/f:c").toJson()).toBe(json);
    expect(FieldSet.fromJson(json).toJson()).toBe(json);
    expect(Object.isFrozen(json["f:a"])).toBe(true);
    const others = [
      ["f:a", "f:a/f:b", "f:a/f:c"],
      ["f:a/f:b", "f:c"],
      ["f:a/f:b"],
      ["f:a3:f:b).", "f:c"],
      ["f:a", "f:b/f:c"],
    ];
    for (const paths of others) {
      const read = FieldSet.fromJson(setOf(...paths).toJson());
      expect(pathsOf(read).toSorted()).toEqual(paths.toSorted());
    }
    for (let i = 0; i < 3_000; i++) expect(Object.keys(setOf(`f:${i}`).toJson())).toEqual([`f:${i}`]);
    expect(setOf("f:a/f:b", "f:a/f:c").toJson()).toEqual(json);
  });

  it("joins, intersects and subtracts by member", () => {
    const [a, b] = [setOf("f:x", "f:x/f:y", "f:z"), setOf("f:x", "f:q")];
    expect(pathsOf(a.union(b))).toEqual(["f:q", "f:x", "f:z", "f:x/f:y"]);
    expect(pathsOf(a.intersection(b))).toEqual(["f:x"]);
    expect(pathsOf(a.difference(b))).toEqual(["f:z", "f:x/f:y"]);
    expect(pathsOf(a.without(b))).toEqual(["f:z"]);
  });

  it("ignores branches without members", () => {
    const hollow = setOf("f:x");
    hollow.set("f:empty", new FieldSet());
    expect(JSON.stringify(hollow.toJson())).toBe('{"f:x":{}}');
    expect(new FieldSet().isEmpty).toBe(true);
    expect(setOf("f:x/f:y").isEmpty).toBe(false);
    expect(setOf("f:x", "f:x/f:y").intersects(setOf("f:x/f:y"))).toBe(true);
    expect(setOf("f:x").intersects(setOf("f:x/f:y"))).toBe(false);
  });

  it("does not change the sets that it is computed from", () => {
    const [a, b] = [setOf("f:x/f:y", "f:z"), setOf("f:x/f:q", "f:z")];
    void [a.union(b), a.difference(b), a.intersection(b), a.without(b)];
    expect([pathsOf(a), pathsOf(b)]).toEqual([
      ["f:z", "f:x/f:y"],
      ["f:z", "f:x/f:q"],
    ]);
  });
});

it("formats paths for people", () => {
  expect(formatPath(["f:spec", "f:items", 'k:{"a":"x","b":1}', "f:v"])).toBe('.spec.items[a="x",b=1].v');
  expect(formatPath(["f:tags", 'v:"x"'])).toBe('.tags[="x"]');
  expect(formatPath(["f:list", "i:3"])).toBe(".list[3]");
});
