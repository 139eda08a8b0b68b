import { describe, expect, it } from "vitest";
import { cutEventLine } from "../../../../src/client/calls/event-line.ts";

const managedFields = [
  { manager: "a", fieldsV1: { 'k:{"name":"x"}': { ".": {} }, "f:b": {} } },
  { manager: 'quote " } ] \\', time: "now" },
];

function cut(object: unknown, strip = true, type = "ADDED") {
  return cutEventLine(Buffer.from(JSON.stringify({ type, object })), strip);
}

describe("a watch's line", () => {
  it.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    ["first", { managedFields, name: "n" }, { name: "n" }],
    ["in the middle", { name: "n", managedFields, uid: "u" }, { name: "n", uid: "u" }],
    ["last", { name: "n", managedFields }, { name: "n" }],
    ["alone", { managedFields }, {}],
    ["absent", { name: "n", labels: { managedFields: "kept" } }, { name: "n", labels: { managedFields: "kept" } }],
    ["empty", { managedFields: [], generation: 1 }, { generation: 1 }],
    ["null", { managedFields: null, generation: 1 }, { generation: 1 }],
    [
      "behind odd text",
      { name: 'ü "}],\\"managedFields\\":[', managedFields },
      { name: 'ü "}],\\"managedFields\\":[' },
    ],
  ])("loses managedFields that are %s", (_where, metadata, left) => {
    const rest = { spec: { template: { metadata: { managedFields } }, list: [1, -2.5e3, true, null, "€"] } };
    for (const [object, expected] of [
      [
        { kind: "K", metadata, ...rest },
        { kind: "K", metadata: left, ...rest },
      ],
      [
        { ...rest, metadata, z: 1 },
        { ...rest, metadata: left, z: 1 },
      ],
      [
        { number: 12, metadata },
        { number: 12, metadata: left },
      ],
    ]) {
      expect(cut(object)).toEqual({ type: "ADDED", text: JSON.stringify(expected) });
    }
  });

  it("keeps managedFields when they are wanted", () => {
    const object = { metadata: { managedFields, name: "n" } };
    expect(cut(object, false, "DELETED")).toEqual({ type: "DELETED", text: JSON.stringify(object) });
  });

  it.each([
    ["without metadata", { kind: "K", data: { metadata: "no" } }],
    ["with metadata that is no object", { metadata: "odd", spec: {} }],
    ["that is empty", {}],
  ])("leaves an object %s alone", (_what, object) => {
    expect(cut(object)).toEqual({ type: "ADDED", text: JSON.stringify(object) });
  });

  it.each([
    ["another order", '{"object":{},"type":"ADDED"}'],
    ["white space", '{"type":"ADDED","object":{ "metadata": {"managedFields": []} }}'],
    ["a cut", '{"type":"ADDED","object":{"metada'],
    ["no object", '{"type":"ADDED","object":null}'],
  ])("says that it must be parsed as a whole when it has %s", (_what, line) => {
    expect(cutEventLine(Buffer.from(line), true)).toBeUndefined();
  });
});
