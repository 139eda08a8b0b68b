import { readFileSync } from "node:fs";
import { parseApiVersion } from "../../../apimachinery/kind.ts";
import { packageFile } from "../../../apimachinery/package-file.ts";

/** How a field of a Go type becomes a member of a JSON object. */
export interface MessageField {
  /** Empty for a nested message whose members are the parent's. */
  readonly name: string;
  readonly shape: "one" | "list" | "map";
  /** The name of a message, or one of the types that `decodeValue` knows. */
  readonly type: string;
  /** Pointers that are on the wire were set, be it to zero. Other values are always on the wire, and zero means nothing. */
  readonly keepsZero: boolean;
  readonly pointer: boolean;
}

export type MessageFields = ReadonlyMap<number, MessageField>;

/** The message of a kind that Kubernetes itself has: `apps/v1.Deployment`. */
export function messageNameOf(apiVersion: string, kind: string): string {
  const { group, version } = parseApiVersion(apiVersion);
  return `${group === "" ? "core" : group.split(".")[0]}/${version}.${kind}`;
}

let messageTexts: Readonly<Record<string, string>> | undefined;
const parsedFields = new Map<string, MessageFields>();

/** The fields of `apps/v1.DeploymentSpec` by number; `undefined` for a type that is not in the data. */
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

/** The messages that a kind may be: types of no group, such as Status, come as version v1 or without one. */
export function messagesOf(apiVersion: string, kind: string): string[] {
  return apiVersion === "v1" || apiVersion === ""
    ? [`core/v1.${kind}`, `meta/v1.${kind}`]
    : [messageNameOf(apiVersion, kind)];
}

const reversedFields = new Map<MessageFields, readonly (readonly [number, MessageField])[]>();

/** The fields of a message by falling numbers, as an encoder wants them that writes from the end. */
export function fieldsFromTheEnd(message: string): readonly (readonly [number, MessageField])[] | undefined {
  const fields = messageFields(message);
  if (!fields) return undefined;
  let known = reversedFields.get(fields);
  if (!known) reversedFields.set(fields, (known = [...fields].sort(([a], [b]) => b - a)));
  return known;
}

/** `1?replicas:i`: number, `?` for a pointer or `!` for a value that JSON always has, name, type; `[` list, `{` map. */
function parseField(text: string): [number, MessageField] {
  const [, number = "", flag = "", name = "", collection = "", type = ""] =
    /^(\d+)([?!]?)([^:]*):([[{]?)(.*)$/.exec(text) ?? [];
  const shape = collection === "[" ? "list" : collection === "{" ? "map" : "one";
  return [Number(number), { name, shape, type, keepsZero: flag !== "", pointer: flag === "?" }];
}

const emptyMessages = new Map<string, Readonly<Record<string, unknown>>>();

/**
 * The JSON of a Go value in which nothing is set: structs that are no pointers are there, and so are the zeros that Go
 * can't leave out. Empty for a type that is not in the data. Shared: never change it.
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
  if (type === "Time" || type === "MicroTime") return null;
  return keepsZero ? zeros[type] : undefined;
}

const zeros: Readonly<Record<string, unknown>> = { s: "", i: 0, d: 0, b: false };
