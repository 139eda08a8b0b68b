import type { KubeList, UnstructuredObject } from "../../apimachinery/meta.ts";
import { ApiError, failure, type Status } from "../../apimachinery/status.ts";
import type { ServerResponse } from "../api-server.ts";
import { protobuf, type OutputType } from "./negotiate.ts";
import { encodeProtobuf, type Typed } from "../codec/protobuf/encode-protobuf.ts";
import { warningHeader } from "./warning-header.ts";
import { jsonEvents, protobufEvents } from "./event-formats.ts";
import { parseIncludeObject, partialMetadata, toTable } from "./tables/to-table.ts";
import type { ServedResource } from "../registry/served-resource.ts";
import { objectText } from "../storage/store.ts";
import type { Answer, WatchStream, Call } from "../verbs/request/call.ts";

type Headers = ServerResponse["headers"];

const plainText = { "content-type": "text/plain" };
const json = { "content-type": "application/json" };

/** Puts an answer into the representation that the client accepts. */
export function respond(call: Call, answer: Answer, output: OutputType): ServerResponse {
  const headers = headersWith(call.warnings);
  if (answer.type === "watch") return watchResponse(call, answer.stream, { output, headers });
  if (answer.type === "text")
    return { status: answer.code, headers: answer.code === 204 ? {} : plainText, body: answer.body };
  if (output.mediaType === protobuf)
    return protobufResponse(answer.code, headers, shown(call, answer, output) as Typed);
  return { status: answer.code, headers, body: `${textOf(call, answer, output)}\n`, compressible: true };
}

function protobufResponse(status: number, headers: Headers, object: Typed): ServerResponse {
  const typed = { ...headers, "content-type": protobuf };
  return { status, headers: typed, body: encodeProtobuf(object), binary: true, compressible: true };
}

/** What was found before a refusal is told all the same. */
export function respondStatus(status: Status, warnings: readonly string[] = []): ServerResponse {
  const { retryAfterSeconds } = status.details ?? {};
  const headers = { ...headersWith(warnings), ...(retryAfterSeconds && { "retry-after": String(retryAfterSeconds) }) };
  return { status: status.code, headers, body: `${JSON.stringify(status)}\n` };
}

function headersWith(warnings: readonly string[]): ServerResponse["headers"] {
  return warnings.length ? { ...json, warning: warnings.map(warningHeader) } : json;
}

/** What is stored has its text already. */
function textOf(call: Call, answer: Exclude<Answer, { type: "watch" | "text" }>, output: OutputType): string {
  if (output.as === undefined && answer.type === "object") return objectText(answer.body);
  if (output.as === undefined && answer.type === "list" && call.entry.resource.custom) return listText(answer.body);
  return JSON.stringify(shown(call, answer, output));
}

function listText({ items, ...list }: KubeList<UnstructuredObject>): string {
  return `${JSON.stringify(list).slice(0, -1)},"items":[${items.map(objectText).join(",")}]}`;
}

function shown(call: Call, answer: Exclude<Answer, { type: "watch" | "text" }>, output: OutputType): unknown {
  if (answer.type === "success") return answer.body;
  if (output.as === undefined)
    return answer.type === "list" && !call.entry.resource.custom ? untyped(answer.body) : answer.body;
  if (output.as === "Table") return table(call, answer, output);
  const isList = answer.type === "list";
  if (isList !== (output.as === "PartialObjectMetadataList"))
    throw new ApiError(failure("NotAcceptable", wrongShape(call.entry.resource, isList)));
  return isList ? partialList(answer.body, output) : partialMetadata(answer.body, output.version);
}

/** The items of built-in lists do not repeat their type. */
function untyped({ items, ...list }: KubeList<UnstructuredObject>): unknown {
  return { ...list, items: items.map(({ kind: _kind, apiVersion: _apiVersion, ...item }) => item) };
}

/** A real server names its own type here. */
function wrongShape({ custom, group, kind }: ServedResource, isList: boolean): string {
  const list = isList ? "List" : "";
  const type = custom ? `*unstructured.Unstructured${list}` : `*${group.split(".")[0] || "core"}.${kind}${list}`;
  return isList
    ? `you requested PartialObjectMetadata, but the requested object is a list (${type})`
    : `you requested PartialObjectMetadataList, but the requested object is not a list (${type})`;
}

function table(
  call: Call,
  answer: Exclude<Answer, { type: "watch" | "text" | "success" }>,
  { version }: OutputType,
): unknown {
  const includeObject = parseIncludeObject(call.query.get("includeObject"));
  const now = call.core.clock.now();
  const { resource } = call.entry;
  if (answer.type === "list") {
    const { items } = answer.body;
    const { continue: more, ...rest } = answer.body.metadata;
    const metadata = { ...rest, ...(more && { continue: more }) };
    return toTable(resource, items, { metadata, version, includeObject, withColumns: true, now });
  }
  const metadata = { resourceVersion: answer.body.metadata.resourceVersion ?? "" };
  return toTable(resource, [answer.body], { metadata, version, includeObject, withColumns: true, now });
}

function partialList({ metadata, items }: KubeList<UnstructuredObject>, { version }: OutputType): unknown {
  return {
    kind: "PartialObjectMetadataList",
    apiVersion: `meta.k8s.io/${version}`,
    metadata,
    items: items.map((item) => partialMetadata(item, version)),
  };
}

function watchResponse(
  call: Call,
  open: WatchStream,
  { output, headers }: { readonly output: OutputType; readonly headers: Headers },
): ServerResponse {
  if (output.mediaType !== protobuf) return { status: 200, headers, body: open(jsonEvents(call, output)) };
  const typed = { ...headers, "content-type": `${protobuf};stream=watch` };
  return { status: 200, headers: typed, body: open(protobufEvents(output)), binary: true };
}
