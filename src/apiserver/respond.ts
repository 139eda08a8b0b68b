import type { KubeList, UnstructuredObject } from "../apimachinery/meta.ts";
import { ApiError, failure, type Status } from "../apimachinery/status.ts";
import type { ServerResponse } from "./api-server.ts";
import type { OutputType } from "./codec/negotiate.ts";
import { warningHeader } from "./codec/warning-header.ts";
import { parseIncludeObject, partialMetadata, toTable } from "./tables/to-table.ts";
import type { ServedResource } from "./registry/served-resource.ts";
import { objectText } from "./storage/object-text.ts";
import type { Answer, EventFormat } from "./verbs/call/answer.ts";
import type { Call } from "./verbs/call/call.ts";

const plainText = { "content-type": "text/plain" };
const json = { "content-type": "application/json" };

/** Puts an answer into the representation that the client accepts. */
export function respond(call: Call, answer: Answer, output: OutputType): ServerResponse {
  const headers = headersWith(call.warnings);
  if (answer.type === "watch") return { status: 200, headers, body: answer.stream(eventFormat(call, output)) };
  if (answer.type === "text")
    return { status: answer.code, headers: answer.code === 204 ? {} : plainText, body: answer.body };
  return { status: answer.code, headers, body: `${textOf(call, answer, output)}\n`, compressible: true };
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

function eventFormat(call: Call, { as, version }: OutputType): EventFormat {
  if (as === undefined) return { text: objectText };
  if (as !== "Table") return { text: (object) => partialText(object, version) };
  const includeObject = parseIncludeObject(call.query.get("includeObject"));
  return {
    text: (object, first) => JSON.stringify(eventTable(call, object, { version, includeObject, withColumns: first })),
  };
}

type EventTableOptions = Pick<Parameters<typeof toTable>[2], "version" | "includeObject" | "withColumns">;

function eventTable(call: Call, object: UnstructuredObject, options: EventTableOptions): unknown {
  const metadata = { resourceVersion: object.metadata.resourceVersion ?? "" };
  const shown = toTable(call.entry.resource, [object], { ...options, metadata, now: call.core.clock.now() });
  return options.withColumns ? shown : { ...shown, columnDefinitions: null };
}

function partialText(object: UnstructuredObject, version: "v1" | "v1beta1"): string {
  if (latestPartial?.object !== object || latestPartial.version !== version)
    latestPartial = { object, version, text: JSON.stringify(partialMetadata(object, version)) };
  return latestPartial.text;
}

/** All watchers hear of a write in one turn: fifty of them cost one text. */
let latestPartial: { readonly object: UnstructuredObject; readonly version: string; readonly text: string } | undefined;
