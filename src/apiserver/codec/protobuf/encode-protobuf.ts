import { isObject } from "../../../apimachinery/is-object.ts";
import { fieldsFromTheEnd, messagesOf, type MessageField } from "./message-fields.ts";
import { WireWriter } from "./wire-writer.ts";

const magic = Uint8Array.of(0x6b, 0x38, 0x73, 0x00);

type JsonObject = Readonly<Record<string, unknown>>;

/** An object with its type; only discovery leaves its version out. */
export interface Typed {
  readonly kind?: string;
  readonly apiVersion?: string;
}

/** Encodes a built-in object or list as protobuf; each character is a byte. */
export function encodeProtobuf(object: Typed): string {
  const to = writer();
  writeEnvelope(to, object);
  return to.toText();
}

/** Encodes a list of built-in objects, and calls `rest` after each of them. */
export async function encodeProtobufList(
  list: Typed & { readonly items: readonly unknown[] },
  rest: () => Promise<void> | undefined,
): Promise<string> {
  // The writer that others share is in use until the end of a turn only.
  const to = new WireWriter();
  const start = startEnvelope(to);
  for (const item of list.items.toReversed()) {
    writeValue(to, 2, itemMessage(list), item);
    await rest();
  }
  writeListMeta(to, { ...list });
  endEnvelope(to, list, start);
  return to.toText();
}

/** Encodes a built-in object as an event of a watch, after its length. */
export function encodeWatchEvent(type: string, object: Typed): string {
  const to = writer();
  writeEnvelope(to, object);
  to.message(1, 0);
  to.message(2, 0);
  to.text(1, type);
  to.frame();
  return to.toText();
}

let scratchWriter: WireWriter | undefined;

/** Returns the shared writer: writing is synchronous, so only one message is written at a time. */
function writer(): WireWriter {
  scratchWriter ??= new WireWriter();
  scratchWriter.clear();
  return scratchWriter;
}

function writeEnvelope(to: WireWriter, object: Typed): void {
  const start = startEnvelope(to);
  const message = messagesOf(object.apiVersion ?? "", object.kind ?? "").find(fieldsFromTheEnd);
  if (message !== undefined) writeMessage(to, message, { ...object });
  else writeList(to, itemMessage(object), { ...object });
  endEnvelope(to, object, start);
}

function startEnvelope(to: WireWriter): number {
  to.text(4, "");
  to.text(3, "");
  return to.size;
}

/** Ends the envelope around the content since `start`. */
function endEnvelope(to: WireWriter, { kind = "", apiVersion = "" }: Typed, start: number): void {
  to.message(2, start);
  const content = to.size;
  to.text(2, kind);
  to.text(1, apiVersion);
  to.message(1, content);
  to.prefix(magic);
}

/** Returns the message of the items of a list. */
function itemMessage({ kind = "", apiVersion = "" }: Typed): string {
  return messagesOf(apiVersion, kind)[0]!.replace(/List$/, "");
}

/** Writes a list. Lists of all kinds have the same fields, so they are not in the data. */
function writeList(to: WireWriter, item: string, list: JsonObject): void {
  const items = Array.isArray(list["items"]) ? list["items"] : [];
  for (let at = items.length - 1; at >= 0; at--) writeValue(to, 2, item, items[at]);
  writeListMeta(to, list);
}

function writeListMeta(to: WireWriter, { metadata }: JsonObject): void {
  writeField(
    to,
    1,
    { name: "metadata", shape: "one", type: "meta/v1.ListMeta", keepsZero: false, pointer: false, showsNull: false },
    metadata,
  );
}

function writeMessage(to: WireWriter, message: string, object: JsonObject): void {
  const fields = fieldsFromTheEnd(message);
  if (!fields) throw new RangeError(`no protobuf message ${message}`);
  for (const [number, field] of fields) {
    const { name } = field;
    writeField(to, number, field, name === "" ? object : Object.hasOwn(object, name) ? object[name] : undefined);
  }
}

function writeField(to: WireWriter, number: number, { shape, type, pointer }: MessageField, value: unknown): void {
  if (shape === "list") {
    if (Array.isArray(value)) for (let at = value.length - 1; at >= 0; at--) writeValue(to, number, type, value[at]);
  } else if (shape === "map") {
    if (isObject(value)) writeMap(to, number, type, value);
  } else if (value !== undefined && value !== null) writeValue(to, number, type, value);
  // A field that is not a pointer is always written, except for bytes, which are a list.
  else if (!pointer && type !== "B") writeValue(to, number, type, undefined);
}

function writeMap(to: WireWriter, number: number, type: string, map: JsonObject): void {
  for (const key of Object.keys(map).sort().reverse()) {
    const { size } = to;
    writeValue(to, 2, type, map[key]);
    to.text(1, key);
    to.message(number, size);
  }
}

function writeValue(to: WireWriter, number: number, type: string, value: unknown): void {
  switch (type) {
    case "s":
      return to.text(number, textOf(value));
    case "B":
      return to.text(number, textOf(value), "base64");
    case "i":
      return to.number(number, integer(value));
    case "b":
      return to.number(number, value === true ? 1 : 0);
    case "d":
      return to.float(number, Number(value ?? 0));
  }
  const { size } = to;
  const special = specialWriters[type];
  if (special) special(to, value);
  else if (type.startsWith("Schema")) writeChoice(to, type, value);
  else writeMessage(to, type, isObject(value) ? value : {});
  to.message(number, size);
}

function integer(value: unknown): number | bigint {
  const number = Number(value ?? 0);
  return Number.isSafeInteger(number) ? number : BigInt(Math.trunc(number));
}

const schema = "apiextensions/v1.JSONSchemaProps";

/** Converts a part of a CRD's schema that has one of two shapes in JSON. */
function writeChoice(to: WireWriter, type: string, value: unknown): void {
  const isSchema = isObject(value);
  if (type === "SchemaOrBool") {
    if (isSchema) writeValue(to, 2, schema, value);
    to.number(1, isSchema || value === true ? 1 : 0);
    return;
  }
  if (isSchema) writeValue(to, 1, schema, value);
  else if (Array.isArray(value))
    for (const item of value.toReversed()) writeValue(to, 2, type === "SchemaOrTexts" ? "s" : schema, item);
}

/** Writers of messages whose JSON is not an object of their fields; for `undefined` they write the zero of the type. */
const specialWriters: Readonly<Record<string, (to: WireWriter, value: unknown) => void>> = {
  Time: (to, value) => writeTime(to, value, 0),
  MicroTime: (to, value) => writeTime(to, value, microsOf(value) * 1000),
  Quantity: (to, value) => to.text(1, textOf(value) || "0"),
  IntOrString(to, value) {
    const isText = typeof value === "string";
    to.text(3, isText ? value : "");
    to.number(2, isText ? 0 : Number(value ?? 0));
    to.number(1, isText ? 1 : 0);
  },
  Raw(to, value) {
    if (value !== undefined && value !== null) to.text(1, JSON.stringify(value));
  },
  Texts(to, value) {
    if (Array.isArray(value)) for (const text of value.toReversed()) to.text(1, textOf(text));
  },
};

/** Returns a value as text; quantities may be numbers in JSON. */
function textOf(value: unknown): string {
  return typeof value === "string" ? value : typeof value === "number" ? String(value) : "";
}

/** Writes a time; one that is not set is a message without fields. */
function writeTime(to: WireWriter, value: unknown, nanos: number): void {
  if (typeof value !== "string") return;
  to.number(2, nanos);
  to.number(1, Math.floor(Date.parse(value) / 1000));
}

function microsOf(value: unknown): number {
  const [, digits = ""] = /\.(\d+)/.exec(textOf(value)) ?? [];
  return Number(digits.padEnd(6, "0").slice(0, 6));
}
