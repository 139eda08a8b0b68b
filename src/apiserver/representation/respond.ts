import type { KubeList, ListMeta, UnstructuredObject } from "../../apimachinery/meta.ts";
import { ApiError, failure, type Status } from "../../apimachinery/status.ts";
import { emitYaml } from "../../apimachinery/yaml/emit.ts";
import type { ServerRequest, ServerResponse } from "../api-server.ts";
import { encodeProtobuf, encodeProtobufList, encodeWatchEvent } from "../codec/protobuf/encode-protobuf.ts";
import { bareError } from "../refusals.ts";
import { answerWebSocket, wantsWebSocket } from "../streaming/upgrade.ts";
import type { ServedResource } from "../registry/served-resource.ts";
import type { Answer, Call, EventFormat } from "../verbs/request/call.ts";
import { negotiateRefusal, protobuf, wantsPretty, type MediaType, type OutputType } from "./negotiate.ts";
import { parseIncludeObject, partialMetadata, toTable, type TableOptions } from "./tables/to-table.ts";
import { encodeHeader } from "../../apimachinery/header-text.ts";

/** Responds with the result of a verb, in the representation that the client accepts. */
export async function respond(call: Call, answer: Answer, output: OutputType): Promise<ServerResponse> {
  if (answer.type === "connect")
    return { status: 101, headers: answer.handshake.headers, body: "", serve: answer.serve };
  if (answer.type === "watch") return respondEvents(call, answer, output);
  if (answer.type === "text")
    return { status: answer.code, headers: answer.code === 204 ? {} : plainText, body: answer.body };
  const { mediaType } = output;
  const form = { mediaType, isPretty: mediaType === json && wantsPretty(call.request), warnings: call.warnings };
  const value = transform(call, answer, output);
  if (answer.type === "list" && isList(value)) return write(answer.code, await formatList(call, value, form), form);
  const isStored = answer.type === "object" && value === answer.body && mediaType === json && !form.isPretty;
  return write(answer.code, isStored ? `${call.core.store.text(answer.body)}\n` : format(value, form), form);
}

/** Responds with a refusal; the warnings are those that were found before it. */
export function respondStatus(
  request: Pick<ServerRequest, "url" | "headers">,
  status: Status,
  warnings: readonly string[] = [],
): ServerResponse {
  const mediaType = negotiateRefusal(request.headers["accept"]);
  const form = { mediaType, isPretty: wantsPretty(request), warnings };
  const response = write(status.code, format(status, form), form);
  const { retryAfterSeconds } = status.details ?? {};
  if (!retryAfterSeconds) return response;
  return { ...response, headers: { ...response.headers, "retry-after": String(retryAfterSeconds) } };
}

/** Responds with a document about the server. */
export function respondDocument(request: ServerRequest, value: object, mediaType: MediaType = json): ServerResponse {
  const form = { mediaType, isPretty: wantsPretty(request), warnings: [] };
  return write(200, format(value, form), form);
}

const json = "application/json";
const plainText = { "content-type": "text/plain" };

interface Form {
  readonly mediaType: MediaType;
  /** Indents JSON. */
  readonly isPretty: boolean;
  readonly warnings: readonly string[];
}

function write(status: number, body: string, { mediaType, warnings }: Form): ServerResponse {
  const headers = headersOf(mediaType, warnings);
  return { status, headers, body, compressible: true, ...(mediaType === protobuf && { binary: true }) };
}

function format(value: object, { mediaType, isPretty }: Form): string {
  if (mediaType === protobuf) return encodeProtobuf(value);
  if (mediaType === "application/yaml") return emitYaml(value);
  return isPretty ? JSON.stringify(value, null, 2) : `${JSON.stringify(value)}\n`;
}

type ObjectList = Omit<KubeList<UnstructuredObject>, "metadata"> & { readonly metadata?: ListMeta };

/** Reports whether the result of a list still has its items, which a table and metadata do not. */
function isList(value: object): value is ObjectList {
  return Array.isArray((value as Partial<ObjectList>).items);
}

/** Formats a list like `format`. A long list lets other requests go on between its items. */
async function formatList({ core, turns }: Call, list: ObjectList, form: Form): Promise<string> {
  if (form.mediaType === protobuf) return encodeProtobufList(list, () => turns.rest());
  if (form.isPretty) return format(list, form);
  const isYaml = form.mediaType === "application/yaml";
  const texts: string[] = [];
  for (const item of list.items) {
    texts.push(isYaml ? emitYaml([item]) : core.store.text(item));
    await turns.rest();
  }
  const { items: _, ...head } = list;
  if (!isYaml) return `${JSON.stringify(head).slice(0, -1)},"items":[${texts.join(",")}]}\n`;
  const whole = emitYaml({ ...head, items: [] });
  // The first member is the apiVersion.
  return texts.length > 0 ? whole.replace("\nitems: []\n", () => `\nitems:\n${texts.join("")}`) : whole;
}

function headersOf(type: string, warnings: readonly string[]): ServerResponse["headers"] {
  return warnings.length > 0 ? { "content-type": type, warning: warningHeaders(warnings) } : { "content-type": type };
}

type ObjectAnswer = Exclude<Answer, { type: "watch" | "text" | "connect" }>;

/** Transforms the result into the form that the client asked for: the object itself, a table, or only the metadata. */
function transform(call: Call, answer: ObjectAnswer, output: OutputType): object {
  const { resource } = call.entry;
  if (answer.type === "success") return answer.body;
  if (output.as === "Table") return table(call, answer);
  const isList = answer.type === "list";
  if (output.as === undefined) return isList && !resource.custom ? withoutItemTypes(answer.body) : answer.body;
  if (isList !== (output.as === "PartialObjectMetadataList")) throw wrongShape(resource, isList);
  return isList ? partialList(answer.body) : partialMetadata(answer.body);
}

/** Removes the types of items, which built-in lists do not repeat. */
function withoutItemTypes({ items, ...list }: KubeList<UnstructuredObject>): object {
  return { ...list, items: items.map(({ kind: _kind, apiVersion: _apiVersion, ...item }) => item) };
}

function wrongShape({ custom, kind }: ServedResource, isList: boolean): Error {
  if (custom && !isList) return bareError("content is not a list");
  return new ApiError(failure("NotAcceptable", `the requested ${kind} is ${isList ? "a list" : "not a list"}`));
}

/** Returns by whose clock and version a table is printed. */
function placeOf({ core }: Call): Pick<TableOptions, "now" | "kubernetesVersion"> {
  return { now: core.clock.now(), kubernetesVersion: core.builtins.version };
}

function table(call: Call, answer: Exclude<ObjectAnswer, { type: "success" }>): object {
  const includeObject = parseIncludeObject(call.query.get("includeObject"));
  const options = { includeObject, withColumns: true, ...placeOf(call) };
  const { resource } = call.entry;
  if (answer.type === "list")
    return toTable(resource, answer.body.items, { ...options, metadata: withoutEmptyToken(answer.body.metadata) });
  const metadata = { resourceVersion: answer.body.metadata.resourceVersion ?? "" };
  return toTable(resource, [answer.body], { ...options, metadata });
}

function partialList({ metadata, items }: KubeList<UnstructuredObject>): object {
  return {
    kind: "PartialObjectMetadataList",
    apiVersion: "meta.k8s.io/v1",
    metadata: withoutEmptyToken(metadata),
    // As on a real server, where an empty list of another representation is [].
    items: items.length > 0 ? items.map(partialMetadata) : null,
  };
}

/** Only a list of custom resources itself has an empty `continue`. */
function withoutEmptyToken({ continue: more, ...rest }: ListMeta): ListMeta {
  return { ...rest, ...(more && { continue: more }) };
}

function respondEvents(call: Call, { stream }: Extract<Answer, { type: "watch" }>, output: OutputType): ServerResponse {
  const isBinary = output.mediaType === protobuf;
  const { headers: asked } = call.request;
  const answer = wantsWebSocket(asked)
    ? answerWebSocket(asked)
    : { status: 200, headers: headersOf(isBinary ? `${protobuf};stream=watch` : json, call.warnings) };
  if (answer.status >= 400) return { body: "", ...answer };
  if (!isBinary) return { ...answer, body: stream(jsonEvents(call, output)) };
  return { ...answer, body: stream(protobufEvents(call, output)), binary: true };
}

/** Returns the values of the Warning headers of a response. */
export function warningHeaders(warnings: readonly string[]): string[] {
  return limitWarnings(warnings).map(warningHeader);
}

/**
 * Returns the value of a Warning header (RFC 7234) as API servers write it. The text may quote the request: control
 * characters are blanked, and other letters become UTF-8 bytes, which a header can hold.
 */
function warningHeader(text: string): string {
  // oxlint-disable-next-line no-control-regex -- a header must not hold control characters
  const printable = text.replace(/[\u0000-\u001f\u007f]+/g, " ").replace(/[\\"]/g, "\\$&");
  return `299 - "${encodeHeader(printable)}"`;
}

/** The most characters of all warnings of a response, which clients limit, and of each of them if all are too long. */
const [mostWarned, mostOfWarning] = [4096, 256];

/** Returns the distinct warnings that fit in the headers of a response, cut only if they are too long together. */
function limitWarnings(warnings: readonly string[]): readonly string[] {
  const distinct = [...new Set(warnings)].filter((text) => text !== "").map((text) => Array.from(text));
  const isLong = distinct.flat().length > mostWarned;
  let left = isLong ? mostWarned : Infinity;
  return distinct.flatMap((letters) => {
    if (left <= 0) return [];
    const shown = isLong ? letters.slice(0, mostOfWarning) : letters;
    left -= shown.length;
    return [shown.join("")];
  });
}

/** Formats events of a watch as lines of JSON, each with an object, its metadata or a table of one row. */
function jsonEvents(call: Call, output: OutputType): EventFormat {
  if (output.as === "PartialObjectMetadataList") return listEvents(false);
  const text = objectFormat(call, output);
  return {
    event: (type, object, first) => line(type, text(object, first)),
    error: (status) => errorEvent(status, false),
  };
}

/** Formats events of a watch as protobuf messages, each after its length. */
function protobufEvents({ core }: Pick<Call, "core">, { as }: OutputType): EventFormat {
  if (as === "PartialObjectMetadataList") return listEvents(true);
  return {
    event: (type, object) =>
      core.eventTexts.get(object, `${type} ${as}`, () =>
        encodeWatchEvent(type, as === undefined ? object : partialMetadata(object)),
      ),
    error: (status) => errorEvent(status, true),
  };
}

/** Returns the format of a list. As in a real server, an event has no such format, and the first one ends the watch. */
function listEvents(isBinary: boolean): EventFormat {
  return { event: () => undefined, error: (status) => errorEvent(status, isBinary) };
}

/** Formats the event that ends a watch, in protobuf or as a line of JSON. */
export function errorEvent(status: Status, isBinary: boolean): string {
  return isBinary ? encodeWatchEvent("ERROR", status) : line("ERROR", JSON.stringify(status));
}

function line(type: string, object: string): string {
  return `{"type":"${type}","object":${object}}\n`;
}

type ObjectFormat = (object: UnstructuredObject, first: boolean) => string;

function objectFormat(call: Call, { as }: OutputType): ObjectFormat {
  const { store, eventTexts } = call.core;
  if (as === undefined) return (object) => store.text(object);
  if (as !== "Table")
    return (object) => eventTexts.get(object, "metadata", () => JSON.stringify(partialMetadata(object)));
  const includeObject = parseIncludeObject(call.query.get("includeObject"));
  return (object, first) => JSON.stringify(eventTable(call, object, { includeObject, withColumns: first }));
}

function eventTable(
  call: Call,
  object: UnstructuredObject,
  options: Pick<TableOptions, "includeObject" | "withColumns">,
): unknown {
  const metadata = { resourceVersion: object.metadata.resourceVersion ?? "" };
  const table = toTable(call.entry.resource, [object], { ...options, metadata, ...placeOf(call) });
  return options.withColumns ? table : { ...table, columnDefinitions: null };
}
