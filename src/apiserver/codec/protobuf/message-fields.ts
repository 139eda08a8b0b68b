import { readFileSync } from "node:fs";
import { parseApiVersion } from "../../../apimachinery/kind.ts";
import { packageFile } from "../../../apimachinery/package-file.ts";

/** A field of a Go type, and the member of a JSON object that it becomes. */
export interface MessageField {
  /** Empty for a nested message whose members are the parent's. */
  readonly name: string;
  readonly shape: "one" | "list" | "map";
  /** The name of a message, or one of the types that `decodeValue` knows. */
  readonly type: string;
  /** True if a zero on the wire is a value: pointers are only written if they are set, other fields always. */
  readonly keepsZero: boolean;
  readonly pointer: boolean;
  /** True for a pointer that JSON has as null if it is not set. */
  readonly showsNull: boolean;
}

export type MessageFields = ReadonlyMap<number, MessageField>;

/** Returns the message name of a built-in kind: `apps/v1.Deployment`. */
export function messageNameOf(apiVersion: string, kind: string): string {
  const { group, version } = parseApiVersion(apiVersion);
  return `${group === "" ? "core" : group.split(".")[0]}/${version}.${kind}`;
}

let messageTexts: Readonly<Record<string, string>> | undefined;
const parsedFields = new Map<string, MessageFields>();

/** Returns the fields of a message such as `apps/v1.DeploymentSpec` by number; `undefined` for an unknown type. */
export function messageFields(message: string): MessageFields | undefined {
  const known = parsedFields.get(message);
  if (known) return known;
  messageTexts ??= JSON.parse(readFileSync(packageFile("src/apiserver/codec/protobuf/fields.json"), "utf8")) as Record<
    string,
    string
  >;
  const text = Object.hasOwn(messageTexts, message) ? messageTexts[message] : undefined;
  if (text === undefined) return undefined;
  const fields = new Map(text.split(" ").filter(Boolean).map(parseField));
  parsedFields.set(message, fields);
  return fields;
}

/**
 * Returns the messages that a kind may be: types without a group, such as Status, come as version v1 or without one.
 */
export function messagesOf(apiVersion: string, kind: string): string[] {
  return apiVersion === "v1" || apiVersion === ""
    ? [`core/v1.${kind}`, `meta/v1.${kind}`]
    : [messageNameOf(apiVersion, kind)];
}

const reversedFields = new Map<MessageFields, readonly (readonly [number, MessageField])[]>();

/** Returns the fields of a message by descending number, for an encoder that writes from the end. */
export function fieldsFromTheEnd(message: string): readonly (readonly [number, MessageField])[] | undefined {
  const fields = messageFields(message);
  if (!fields) return undefined;
  let known = reversedFields.get(fields);
  if (!known) reversedFields.set(fields, (known = [...fields].sort(([a], [b]) => b - a)));
  return known;
}

/**
 * Parses `1?replicas:i`: number, `?` for a pointer, `!` for a value that JSON always has or `*` for such a pointer, name,
 * type; `[` is a list, `{` a map.
 */
function parseField(text: string): [number, MessageField] {
  const [, number = "", flag = "", name = "", collection = "", type = ""] =
    /^(\d+)([?!*]?)([^:]*):([[{]?)(.*)$/.exec(text) ?? [];
  const shape = collection === "[" ? "list" : collection === "{" ? "map" : "one";
  const pointer = flag === "?" || flag === "*";
  return [Number(number), { name, shape, type, keepsZero: flag !== "", pointer, showsNull: flag === "*" }];
}

const emptyMessages = new Map<string, Readonly<Record<string, unknown>>>();

/**
 * Returns the JSON of a Go value in which nothing is set: it has structs that are not pointers, and zeros that Go
 * cannot leave out. Empty for an unknown type. The result is shared: do not change it.
 */
export function emptyMessage(message: string): Readonly<Record<string, unknown>> {
  let object = emptyMessages.get(message);
  if (!object) emptyMessages.set(message, (object = makeEmpty(message)));
  return object;
}

function makeEmpty(message: string): Record<string, unknown> {
  const object: Record<string, unknown> = {};
  for (const field of messageFields(message)?.values() ?? []) {
    const value = emptyValue(field);
    if (field.name === "") Object.assign(object, value);
    else if (value !== undefined) object[field.name] = value;
  }
  return object;
}

function emptyValue({ shape, type, keepsZero, pointer }: MessageField): unknown {
  if (pointer) return undefined;
  if (shape !== "one") return keepsZero ? null : undefined;
  if (messageFields(type)) return emptyMessage(type);
  return keepsZero ? zeros[type] : undefined;
}

const zeros: Readonly<Record<string, unknown>> = { s: "", i: 0, d: 0, b: false, Time: null, MicroTime: null };
