import { describe, expect, it } from "vitest";
import { cutEventLine } from "../../../../src/client/calls/read-event.ts";

const managedFields = [
  { manager: "a", fieldsV1: { 'k:{"name":"x"}': { ".": {} }, "f:b": {} } },
  { manager: 'quote " } ] \\', time: "now", none: {}, many: 1 },
  { manager: "ends }],", operation: 'begins "}],"name":"x', time: "}]},", subresource: "}]}}}" },
];

const line = (object: unknown, type = "ADDED"): string => JSON.stringify({ type, object });

function cut(object: unknown, strip = true, type = "ADDED") {
  return cutEventLine(Buffer.from(line(object, type)), strip);
}

describe("a line of a watch", () => {
  it.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    ["first", { managedFields, name: "n" }, { name: "n" }],
    ["in the middle", { name: "n", managedFields, uid: "u" }, { name: "n", uid: "u" }],
    ["last", { name: "n", managedFields }, { name: "n" }],
    ["alone", { managedFields }, {}],
    ["empty", { managedFields: [], generation: 1 }, { generation: 1 }],
    ["null", { managedFields: null, generation: 1 }, { generation: 1 }],
    [
      "after unusual text",
      { name: 'ü "}],\\"managedFields\\":[', managedFields },
      { name: 'ü "}],\\"managedFields\\":[' },
    ],
  ])("loses managedFields that are %s", (_where, metadata, left) => {
    const rest = { spec: { template: { metadata: { managedFields } }, list: [1, -2.5e3, true, null, "€"] } };
    const flat = {
      data: { "a\\": "{", b: "]" },
      list: [{ c: "}" }, 1],
      number: -2.5e3,
      yes: true,
      no: null,
      text: "[",
    };
    for (const [object, expected] of [
      [
        { kind: "K", metadata, ...rest },
        { kind: "K", metadata: left, ...rest },
      ],
      [
        { ...flat, metadata, z: 1 },
        { ...flat, metadata: left, z: 1 },
      ],
      [
        { number: 12, metadata },
        { number: 12, metadata: left },
      ],
    ]) {
      expect(cut(object)).toEqual({ type: "ADDED", text: JSON.stringify(expected), metadata: JSON.stringify(left) });
    }
  });

  it("keeps managedFields if requested", () => {
    const object = { metadata: { managedFields, name: "n" } };
    const metadata = JSON.stringify(object.metadata);
    expect(cut(object, false, "DELETED")).toEqual({ type: "DELETED", text: JSON.stringify(object), metadata });
  });

  it.each([
    ["without managedFields", { kind: "K", metadata: { name: "n" }, spec: { template: { metadata: {} } } }],
    ["with empty metadata", { kind: "K", metadata: {}, spec: {} }],
    ["with managedFields elsewhere only", { kind: "K", metadata: { name: "n" }, spec: { managedFields } }],
    ["with a label of that name", { kind: "K", metadata: { labels: { managedFields: "kept" } }, spec: {} }],
    [
      "with owners and finalizers",
      { metadata: { ownerReferences: [{ uid: "}],{" }, { uid: "b" }], finalizers: ["c"], z: 1 } },
    ],
  ])("is unchanged for an object %s", (_what, object) => {
    const metadata = JSON.stringify(object.metadata);
    expect(cut(object)).toEqual({ type: "ADDED", text: JSON.stringify(object), metadata });
  });

  it.each([
    ["no metadata", line({ kind: "K", data: { metadata: "no" } })],
    ["metadata that is not an object", line({ metadata: "odd", spec: {} })],
    ["an empty object", line({})],
    ["lists in lists in its metadata", line({ metadata: { name: "n", odd: [[]] } })],
    ["an open brace in its metadata", '{"type":"ADDED","object":{"metadata":{"name":"n","spec":{"a":{}}}'],
    ["deep nesting before its metadata", line({ spec: { template: { metadata: {} } }, metadata: { managedFields } })],
    ["more bytes than etcd accepts", line({ metadata: { name: '"\\'.repeat(4_000_000), managedFields } })],
    ["lists in its managedFields", line({ metadata: { managedFields: [{ a: [{}], b: 1 }] } })],
    ["another order", '{"object":{},"type":"ADDED"}'],
    ["whitespace", '{"type":"ADDED","object":{ "metadata": {"managedFields": []} }}'],
    ["a truncated line", '{"type":"ADDED","object":{"metada'],
    ["a value that is not an object", '{"type":"ADDED","object":null}'],
  ])("needs a full parse if it has %s", (_what, wire) => {
    expect(cutEventLine(Buffer.from(wire), true)).toBeUndefined();
  });
});
