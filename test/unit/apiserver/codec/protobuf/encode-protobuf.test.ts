import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { decodeProtobuf } from "../../../../../src/apiserver/codec/protobuf/decode-protobuf.ts";
import { encodeProtobuf, encodeWatchEvent } from "../../../../../src/apiserver/codec/protobuf/encode-protobuf.ts";
import { recorded } from "../../recorded/recorded.ts";

const { objects } = recorded<{ objects: Record<string, { body: string; json: Record<string, unknown> }> }>("protobuf");

describe("an object in protobuf", () => {
  it.each(Object.entries(objects))("of %s has the bytes that a real server sent", (_path, { body, json }) => {
    expect(encoded(json).toString("base64")).toBe(body);
  });

  it.each([0, -1, 127, 128, 2 ** 31 - 1, 2 ** 31, 2 ** 40, -(2 ** 31)])("keeps the number %d", (count) => {
    const pod = { kind: "Pod", apiVersion: "v1", metadata: { deletionGracePeriodSeconds: count } };
    const { deletionGracePeriodSeconds } = decodeProtobuf(encoded(pod))["metadata"] as Record<string, unknown>;
    expect(deletionGracePeriodSeconds).toBe(count);
  });

  it("may be larger than all messages before", () => {
    const data = { big: "é".repeat(100_000), small: "x" };
    expect(decodeProtobuf(encoded({ kind: "ConfigMap", apiVersion: "v1", data }))).toMatchObject({ data });
    expect(decodeProtobuf(encoded({ kind: "ConfigMap", apiVersion: "v1" }))).toEqual({
      kind: "ConfigMap",
      apiVersion: "v1",
    });
  });

  it("follows its length in a watch", () => {
    const frame = Buffer.from(encodeWatchEvent("ADDED", { kind: "ConfigMap", apiVersion: "v1" }), "latin1");
    expect(frame.readUInt32BE()).toBe(frame.length - 4);
    expect(frame.subarray(4, 11).toString("latin1")).toBe("\n\u0005ADDED");
  });
});

function encoded(object: Record<string, unknown>): Buffer {
  return Buffer.from(encodeProtobuf(object), "latin1");
}

it("knows each message that is a field of another one", () => {
  const file = new URL("../../../../../src/apiserver/codec/protobuf/fields.json", import.meta.url);
  const messages = JSON.parse(readFileSync(file, "utf8")) as Record<string, string>;
  const named = Object.values(messages).flatMap((fields) => fields.match(/\b[a-z0-9]+\/v\d\w*\.\w+/g) ?? []);
  expect(named.length).toBeGreaterThan(500);
  expect(named.filter((name) => !Object.hasOwn(messages, name))).toEqual([]);
});
