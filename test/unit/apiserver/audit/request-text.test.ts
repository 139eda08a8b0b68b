import { describe, expect, it } from "vitest";
import { requestText, responseText } from "../../../../src/apiserver/audit/audit-event.ts";
import { encodeProtobuf } from "../../../../src/apiserver/codec/protobuf/encode-protobuf.ts";
import { recorded } from "../recorded/recorded.ts";

const { requests } = recorded<{ requests: Record<string, { body: string; json: { kind: string } }> }>("protobuf");
const protobuf = "application/vnd.kubernetes.protobuf";

function textOf(contentType: string | undefined, body: Uint8Array): string {
  const { signal } = new AbortController();
  const user = { username: "admin", groups: [] };
  const headers = { "content-type": contentType };
  return requestText({ method: "POST", url: "/api/v1/namespaces", headers, body, user, signal });
}

describe("the text of a request", () => {
  it.each(Object.entries(requests))("is the JSON of the protobuf that %s sends", (_command, { body, json }) => {
    expect(JSON.parse(textOf(protobuf, Buffer.from(body, "base64")))).toMatchObject({ kind: json.kind });
  });

  it.each([
    ["application/json", '{"kind":"Pod"}', '{"kind":"Pod"}'],
    ["application/yaml", "kind: Pod\n", "kind: Pod\n"],
    [undefined, "", ""],
    [protobuf, "", ""],
    [protobuf, "no protobuf", ""],
  ])("of %s, %j, is %j", (contentType, body, text) => {
    expect(textOf(contentType, Buffer.from(body))).toBe(text);
  });
});

describe("the text of a response", () => {
  const status = {
    kind: "Status",
    apiVersion: "v1",
    status: "Failure",
    message: "it is zero — no",
    code: 422,
  };
  const watch = async function* () {
    yield await Promise.resolve("{}");
  };

  it.each([
    ["JSON", { body: JSON.stringify(status) }, status],
    ["protobuf", { body: encodeProtobuf(status), binary: true }, status],
    ["another format", { body: "\u00d9\u00d9\u00f7", binary: true }, ""],
    ["a watch", { body: watch() }, undefined],
  ] as const)("of %s is JSON, if it can be", (_, response, expected) => {
    const text = responseText({ status: 422, headers: {}, ...response });
    expect(text ? JSON.parse(text) : text).toEqual(expected);
  });
});
