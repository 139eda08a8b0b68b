import { messageFields, messageNameOf, type MessageField } from "./message-fields.ts";
import { formatDuration } from "../../../apimachinery/duration.ts";
import { isApiError } from "../../../apimachinery/status.ts";
import { parseJson } from "../json.ts";
import { mostBodyValues } from "../json.ts";
import { ProtobufError, readWire, type FieldBudget, type WireField } from "./wire-reader.ts";
import { setField } from "../../../apimachinery/set-field.ts";

const magic = [0x6b, 0x38, 0x73, 0x00];
const maxDepth = 200;

/**
 * Decodes an object that a Go client sent as protobuf into the JSON that the same client would send, without zero
 * values that Go cannot leave out. Throws `ProtobufError`, also for kinds without a protobuf form, such as custom
 * resources.
 */
export function decodeProtobuf(bytes: Uint8Array): Record<string, unknown> {
  if (magic.some((byte, index) => bytes[index] !== byte)) {
    throw new ProtobufError("provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]");
  }
  const budget: FieldBudget = { left: mostBodyValues };
  const envelope = new Map(
    [...readWire(bytes.subarray(magic.length), budget)].map(({ number, value }) => [number, value]),
  );
  const type = [...readWire(asBytes(envelope.get(1) ?? new Uint8Array()), budget)];
  const [apiVersion = "", kind = ""] = [1, 2].map((number) => {
    const found = type.find((field) => field.number === number);
    return found ? textOf(found.value) : "";
  });
  const message = knownMessage(apiVersion, kind);
  if (message === undefined) throw new ProtobufError(`no kind "${kind}" is registered for version "${apiVersion}"`);
  return {
    kind,
    apiVersion,
    ...decodeMessage(asBytes(envelope.get(2) ?? new Uint8Array()), message, { depth: 0, budget }),
  };
}

/** Finds the message of a kind. Options and Scale come with any version, so the kind alone identifies them. */
function knownMessage(apiVersion: string, kind: string): string | undefined {
  const names = [messageNameOf(apiVersion, kind), `meta/v1.${kind}`, `autoscaling/v1.${kind}`];
  return names.find((name) => messageFields(name) !== undefined);
}

type JsonObject = Record<string, unknown>;

interface Place {
  readonly depth: number;
  readonly budget: FieldBudget;
}

function decodeMessage(bytes: Uint8Array, message: string, place: Place): JsonObject {
  if (place.depth > maxDepth) throw new ProtobufError(`exceeded max depth of ${maxDepth}`);
  const fields = messageFields(message);
  if (!fields) throw new ProtobufError(`no type ${message}`);
  const object: JsonObject = {};
  for (const wire of readWire(bytes, place.budget)) {
    const field = fields.get(wire.number);
    // Ignore fields of newer clients, as a server of this version does.
    if (field) addField(object, field, wire, place);
  }
  return object;
}

function addField(object: JsonObject, field: MessageField, wire: WireField, place: Place): void {
  const { name, shape, type, keepsZero } = field;
  if (shape === "map") {
    const map = (object[name] ??= {}) as JsonObject;
    const [key, value] = decodeEntry(asBytes(wire.value), type, place);
    setField(map, key, value);
    return;
  }
  const value = decodeAny(type, wire, place);
  if (value === undefined) return;
  if (shape === "list") ((object[name] ??= []) as unknown[]).push(value);
  else if (name === "") Object.assign(object, value);
  else if (keepsZero || type === "Raw" || !isZero(value)) object[name] = value;
}

function decodeEntry(bytes: Uint8Array, type: string, place: Place): [key: string, value: unknown] {
  const fields = [...readWire(bytes, place.budget)];
  const [key, value] = [1, 2].map((number) => fields.find((field) => field.number === number));
  const name = key ? textOf(key.value) : "";
  return [name, value ? decodeAny(type, value, place) : type === "s" || type === "B" ? "" : {}];
}

function decodeAny(type: string, wire: WireField, place: Place): unknown {
  if (type === "i" || type === "b" || type === "d") return decodeScalar(type, wire);
  const bytes = asBytes(wire.value);
  if (type === "s") return text.decode(bytes);
  if (type === "B") return base64(bytes);
  const special = specialTypes[type];
  if (special) return special([...readWire(bytes, place.budget)]);
  return type.startsWith("Schema") ? decodeChoice(type, bytes, place) : decodeMessage(bytes, type, deeper(place));
}

/** Converts a part of a CRD's schema that has one of two shapes in JSON. */
function decodeChoice(type: string, bytes: Uint8Array, place: Place): unknown {
  const fields = [...readWire(bytes, place.budget)];
  const schemaAt = type === "SchemaOrBool" ? 2 : 1;
  const schema = fields.find(({ number, value }) => number === schemaAt && typeof value !== "number");
  if (schema) return decodeMessage(asBytes(schema.value), "apiextensions/v1.JSONSchemaProps", deeper(place));
  if (type === "SchemaOrBool") return fields.some(({ number, value }) => number === 1 && value === 1);
  const others = fields.filter(({ number }) => number === 2).map(({ value }) => asBytes(value));
  if (type === "SchemaOrTexts") return others.map(textOf);
  return others.map((item) => decodeMessage(item, "apiextensions/v1.JSONSchemaProps", deeper(place)));
}

function deeper({ depth, budget }: Place): Place {
  return { depth: depth + 1, budget };
}

function isZero(value: unknown): boolean {
  if (typeof value === "object" && value !== null) return Object.keys(value).length === 0;
  return value === 0 || value === "" || value === false;
}

const text = new TextDecoder();

/**
 * Decoders of messages whose JSON is not an object of their fields. `undefined` means that the value is absent, like a
 * time without fields.
 */
const specialTypes: Readonly<Record<string, (fields: Fields) => unknown>> = {
  Time: (fields) => time(fields, 0),
  MicroTime: (fields) => time(fields, 6),
  Duration: (fields) => formatDuration(numberIn(fields, 1) / 1e6),
  Quantity: (fields) => textIn(fields, 1),
  IntOrString: intOrString,
  Raw: (fields) => rawJson(bytesIn(fields, 1)),
  Texts: (fields) => numbered(fields, 1).map(({ value }) => textOf(value)),
};

/** Decodes a number or a boolean. */
function decodeScalar(type: string, { value, float }: WireField): number | boolean {
  if (typeof value !== "number") throw new ProtobufError("wrong wireType = 2 for a number");
  if (type === "b") return value !== 0;
  return type === "d" ? (float ?? value) : value;
}

/** Returns the bytes of a field that is a text, a message, or one of the special types. */
function asBytes(value: number | Uint8Array): Uint8Array {
  if (typeof value === "number") throw new ProtobufError("wrong wireType = 0 for a message");
  return value;
}

function textOf(value: number | Uint8Array): string {
  return text.decode(asBytes(value));
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
}

type Fields = readonly WireField[];

function numbered(fields: Fields, number: number): Fields {
  return fields.filter((field) => field.number === number);
}

function numberIn(fields: Fields, number: number): number {
  const value = numbered(fields, number).at(-1)?.value ?? 0;
  return typeof value === "number" ? value : 0;
}

function bytesIn(fields: Fields, number: number): Uint8Array {
  const value = numbered(fields, number).at(-1)?.value;
  return value === undefined ? new Uint8Array() : asBytes(value);
}

function textIn(fields: Fields, number: number): string {
  return text.decode(bytesIn(fields, number));
}

function intOrString(fields: Fields): unknown {
  return numberIn(fields, 1) === 1 ? textIn(fields, 3) : numberIn(fields, 2);
}

function rawJson(bytes: Uint8Array): unknown {
  if (bytes.length === 0) return undefined;
  try {
    return parseJson(text.decode(bytes));
  } catch (error) {
    if (isApiError(error)) throw error;
    throw new ProtobufError("embedded JSON can't be read", { cause: error });
  }
}

function time(fields: Fields, digits: 0 | 6): string | undefined {
  if (fields.length === 0) return undefined;
  const seconds = numberIn(fields, 1);
  const at = new Date(seconds * 1000);
  if (Number.isNaN(at.getTime())) throw new ProtobufError(`time out of range: ${seconds} seconds`);
  const whole = at.toISOString().slice(0, -".000Z".length);
  const micros = String(Math.trunc(numberIn(fields, 2) / 1000)).padStart(6, "0");
  return digits === 0 ? `${whole}Z` : `${whole}.${micros}Z`;
}
