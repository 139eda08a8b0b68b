import { asBytes, decodeScalar, specialTypes } from "./decode-value.ts";
import { messageFields, messageOf, type MessageField } from "./message-fields.ts";
import { ProtobufError, readWire, type WireField } from "./wire-reader.ts";

const magic = [0x6b, 0x38, 0x73, 0x00];
const maxDepth = 200;

/**
 * The JSON of an object that a Go client sent as protobuf: what the same client would have sent as JSON, less the zero
 * values that Go can't leave out. Throws `ProtobufError`; kinds that have no protobuf form, custom resources among them,
 * are one.
 */
export function decodeProtobuf(bytes: Uint8Array): Record<string, unknown> {
  if (magic.some((byte, index) => bytes[index] !== byte)) {
    throw new ProtobufError("provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]");
  }
  const envelope = new Map([...readWire(bytes.subarray(magic.length))].map(({ number, value }) => [number, value]));
  const type = [...readWire(asBytes(envelope.get(1) ?? new Uint8Array()))];
  const [apiVersion = "", kind = ""] = [1, 2].map((number) => {
    const found = type.find((field) => field.number === number);
    return found ? String(specialTypes["s"]!(asBytes(found.value))) : "";
  });
  const message = messageName(apiVersion, kind);
  if (message === undefined) throw new ProtobufError(`no kind "${kind}" is registered for version "${apiVersion}"`);
  return { kind, apiVersion, ...decodeMessage(asBytes(envelope.get(2) ?? new Uint8Array()), message, 0) };
}

/** Options and Scale come under any version, so the kind alone decides for them. */
function messageName(apiVersion: string, kind: string): string | undefined {
  const names = [messageOf(apiVersion, kind), `meta/v1.${kind}`, `autoscaling/v1.${kind}`];
  return names.find((name) => messageFields(name) !== undefined);
}

type JsonObject = Record<string, unknown>;

function decodeMessage(bytes: Uint8Array, message: string, depth: number): JsonObject {
  if (depth > maxDepth) throw new ProtobufError(`exceeded max depth of ${maxDepth}`);
  const fields = messageFields(message);
  if (!fields) throw new ProtobufError(`no type ${message}`);
  const object: JsonObject = {};
  for (const wire of readWire(bytes)) {
    const field = fields.get(wire.number);
    // Fields of a newer client are unknown here, as they are to a server of this version.
    if (field) addField(object, field, wire, depth);
  }
  return object;
}

function addField(object: JsonObject, field: MessageField, wire: WireField, depth: number): void {
  const { name, shape, type, keepsZero } = field;
  if (shape === "map") {
    const map = (object[name] ??= {}) as JsonObject;
    const [key, value] = decodeEntry(asBytes(wire.value), type, depth);
    Object.defineProperty(map, key, { value, enumerable: true, configurable: true, writable: true });
    return;
  }
  const value = decodeAny(type, wire, depth);
  if (value === undefined) return;
  if (shape === "list") ((object[name] ??= []) as unknown[]).push(value);
  else if (name === "") Object.assign(object, value);
  else if (keepsZero || type === "Raw" || !isZero(value)) object[name] = value;
}

function decodeEntry(bytes: Uint8Array, type: string, depth: number): [key: string, value: unknown] {
  const fields = [...readWire(bytes)];
  const [key, value] = [1, 2].map((number) => fields.find((field) => field.number === number));
  const name = key ? String(specialTypes["s"]!(asBytes(key.value))) : "";
  return [name, value ? decodeAny(type, value, depth) : type === "s" || type === "B" ? "" : {}];
}

function decodeAny(type: string, wire: WireField, depth: number): unknown {
  if (type === "i" || type === "b" || type === "d") return decodeScalar(type, wire);
  const special = specialTypes[type];
  if (special) return special(asBytes(wire.value));
  const bytes = asBytes(wire.value);
  return type.startsWith("Schema") ? decodeChoice(type, bytes, depth) : decodeMessage(bytes, type, depth + 1);
}

/** Places in a CRD's schema where JSON has one of two shapes. */
function decodeChoice(type: string, bytes: Uint8Array, depth: number): unknown {
  const fields = [...readWire(bytes)];
  const schemaAt = type === "SchemaOrBool" ? 2 : 1;
  const schema = fields.find(({ number, value }) => number === schemaAt && typeof value !== "number");
  if (schema) return decodeMessage(asBytes(schema.value), "apiextensions/v1.JSONSchemaProps", depth + 1);
  if (type === "SchemaOrBool") return fields.some(({ number, value }) => number === 1 && value === 1);
  const others = fields.filter(({ number }) => number === 2).map(({ value }) => asBytes(value));
  if (type === "SchemaOrTexts") return others.map(specialTypes["s"]!);
  return others.map((item) => decodeMessage(item, "apiextensions/v1.JSONSchemaProps", depth + 1));
}

function isZero(value: unknown): boolean {
  if (typeof value === "object" && value !== null) return Object.keys(value).length === 0;
  return value === 0 || value === "" || value === false;
}
