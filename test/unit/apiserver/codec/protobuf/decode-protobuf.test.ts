import { describe, expect, it } from "vitest";
import { decodeProtobuf } from "../../../../../src/apiserver/codec/protobuf/decode-protobuf.ts";
import { ProtobufError } from "../../../../../src/apiserver/codec/protobuf/wire-reader.ts";
import { recorded } from "../../recorded/recorded.ts";
import { randomFrom } from "../../random-from.ts";

interface RecordedMessage {
  /** Base64. */
  body: string;
  json: Record<string, unknown>;
}

const { requests, objects } = recorded<Record<"requests" | "objects", Record<string, RecordedMessage>>>("protobuf");

describe("a protobuf body", () => {
  it.each(Object.entries(requests))("that kubectl 1.36 sends to %s says what its JSON says", (_command, message) => {
    expect(decodeProtobuf(Buffer.from(message.body, "base64"))).toEqual(withoutGoZeros(message.json));
  });

  it.each(Object.entries(objects))("of %s says what its JSON says", (_path, message) => {
    expect(decodeProtobuf(Buffer.from(message.body, "base64"))).toEqual(withoutGoZeros(message.json));
  });

  it("keeps a zero that was set: replicas 0", () => {
    const body = requests["create deployment pbd --image=x --replicas=0 --port=80 -n pbn"]!.body;
    expect(decodeProtobuf(Buffer.from(body, "base64"))["spec"]).toMatchObject({ replicas: 0 });
  });

  it("ignores unknown fields", () => {
    const unknown = Buffer.from([0x9a, 0x3f, 0x01, 0x78]);
    expect(decodeProtobuf(envelope("v1", "ConfigMap", unknown))).toEqual({ apiVersion: "v1", kind: "ConfigMap" });
  });

  it.each([
    ["no prefix", Buffer.from("{}")],
    ["nothing", Buffer.alloc(0)],
    ["a kind without protobuf", envelope("example.com/v1", "Widget", Buffer.alloc(0))],
    ["a field that ends too early", envelope("v1", "ConfigMap", Buffer.from([0x0a, 0x7f]))],
    ["a varint without end", envelope("v1", "ConfigMap", Buffer.alloc(20, 0xff))],
    ["a text where a message is due", envelope("v1", "Pod", Buffer.from([0x08, 0x01]))],
    ["a group", envelope("v1", "ConfigMap", Buffer.from([0x0b]))],
  ])("is refused for %s", (_what, bytes) => {
    expect(() => decodeProtobuf(bytes)).toThrow(ProtobufError);
  });

  it("refuses damaged bytes within a second", () => {
    const bodies = Object.values(objects).map(({ body }) => Buffer.from(body, "base64"));
    const random = randomFrom(7);
    const end = performance.now() + 1000;
    for (let round = 0; round < 3000 && performance.now() < end; round++) {
      const damaged = Buffer.from(bodies[Math.floor(random() * bodies.length)]!);
      for (let flips = 0; flips < 3; flips++) damaged[4 + Math.floor(random() * (damaged.length - 4))] = random() * 256;
      const outcome = outcomeOf(damaged.subarray(0, 4 + Math.floor(random() * damaged.length)));
      expect(outcome).toBe("settled");
    }
  });
});

/** Go writes structs and times even when they are empty; nothing of the sort is in our objects. */
function withoutGoZeros(value: unknown, path: string = ""): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutGoZeros(item, path));
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).map(
    ([name, member]) => [name, withoutGoZeros(member, `${path}.${name}`)] as const,
  );
  return Object.fromEntries(
    members.filter(([name, member]) => member !== null && !isGoZero(`${path}.${name}`, member)),
  );
}

const goStructs =
  /^\.(spec|status)$|\.(metadata|strategy|resources|lastState|conditions|deprecatedSource|loadBalancer)$/;

function isGoZero(path: string, member: unknown): boolean {
  const isEmpty = typeof member === "object" && !Array.isArray(member) && Object.keys(member!).length === 0;
  return isEmpty && goStructs.test(path);
}

function envelope(apiVersion: string, kind: string, raw: Buffer): Buffer {
  const field = (number: number, bytes: Buffer) => Buffer.concat([Buffer.from([number * 8 + 2, bytes.length]), bytes]);
  const type = Buffer.concat([field(1, Buffer.from(apiVersion)), field(2, Buffer.from(kind))]);
  return Buffer.concat([Buffer.from("k8s\0"), field(1, type), field(2, raw)]);
}

function outcomeOf(bytes: Buffer): unknown {
  try {
    decodeProtobuf(bytes);
  } catch (error) {
    if (!(error instanceof ProtobufError)) return error;
  }
  return "settled";
}
