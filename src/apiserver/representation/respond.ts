import type { KubeList, ListMeta, UnstructuredObject } from "../../apimachinery/meta.ts";
import { ApiError, failure, type Status } from "../../apimachinery/status.ts";
import { finish, type Steps } from "../../apimachinery/steps.ts";
import { emitYamlInSteps } from "../../apimachinery/yaml/emit.ts";
import type { ServerRequest, ServerResponse } from "../api-server.ts";
import { encodeProtobufInSteps, itemsOfStep } from "../codec/protobuf/encode-protobuf.ts";
import { bareError } from "../refusals.ts";
import type { Store } from "../storage/store.ts";
import { answerWebSocket, wantsWebSocket } from "../streaming/upgrade.ts";
import type { ServedResource } from "../registry/served-resource.ts";
import type { Answer, Call } from "../verbs/request/call.ts";
import { negotiateRefusal, protobuf, wantsPretty, type MediaType, type OutputType } from "./negotiate.ts";
import { parseIncludeObject, partialMetadata, toTable } from "./tables/to-table.ts";
import { warningHeaders } from "./warning-headers.ts";
import { jsonEvents, protobufEvents } from "./watch-events.ts";

/** Responds with the result of a verb, in the representation that the client accepts. */
export function respond(call: Call, answer: Answer, output: OutputType): ServerResponse | Promise<ServerResponse> {
  if (answer.type === "connect")
    return { status: 101, headers: answer.handshake.headers, body: "", serve: answer.serve };
  if (answer.type === "watch") return respondEvents(call, answer, output);
  if (answer.type === "text")
    return { status: answer.code, headers: answer.code === 204 ? {} : plainText, body: answer.body };
  const { mediaType } = output;
  const form = { mediaType, isPretty: mediaType === json && wantsPretty(call.request), warnings: call.warnings };
  return call.pace.run(write(answer.code, transform(call, answer, output), form));
}

/** Responds with a refusal; the warnings are those that were found before it. */
export function respondStatus(
  request: Pick<ServerRequest, "url" | "headers">,
  status: Status,
  warnings: readonly string[] = [],
): ServerResponse {
  const mediaType = negotiateRefusal(request.headers["accept"]);
  const form = { mediaType, isPretty: wantsPretty(request), warnings };
  const response = finish(write(status.code, { value: status }, form));
  const { retryAfterSeconds } = status.details ?? {};
  if (!retryAfterSeconds) return response;
  return { ...response, headers: { ...response.headers, "retry-after": String(retryAfterSeconds) } };
}

/** Responds with a document about the server. */
export function respondDocument(request: ServerRequest, value: object, mediaType: MediaType = json): ServerResponse {
  return finish(write(200, { value }, { mediaType, isPretty: wantsPretty(request), warnings: [] }));
}

const json = "application/json";
const plainText = { "content-type": "text/plain" };

interface Content {
  readonly value: object;
  /** Returns the JSON of the value from the texts of stored objects. */
  readonly text?: () => Steps<string>;
}

interface Form {
  readonly mediaType: MediaType;
  /** Indents JSON. */
  readonly isPretty: boolean;
  readonly warnings: readonly string[];
}

/** Writes a value as bytes, once. */
function* write(status: number, content: Content, form: Form): Steps<ServerResponse> {
  const headers = headersOf(form.mediaType, form.warnings);
  const body = yield* format(content, form);
  return { status, headers, body, compressible: true, ...(form.mediaType === protobuf && { binary: true }) };
}

function* format({ value, text }: Content, { mediaType, isPretty }: Form): Steps<string> {
  if (mediaType === protobuf) return yield* encodeProtobufInSteps(value);
  if (mediaType === "application/yaml") return yield* emitYamlInSteps(value);
  if (isPretty) return JSON.stringify(value, null, 2);
  return `${text ? yield* text() : JSON.stringify(value)}\n`;
}

function headersOf(type: string, warnings: readonly string[]): ServerResponse["headers"] {
  return warnings.length > 0 ? { "content-type": type, warning: warningHeaders(warnings) } : { "content-type": type };
}

type ObjectAnswer = Exclude<Answer, { type: "watch" | "text" | "connect" }>;

/** Transforms the result into the form that the client asked for: the object itself, a table, or only the metadata. */
function transform(call: Call, answer: ObjectAnswer, output: OutputType): Content {
  const { store } = call.core;
  const { resource } = call.entry;
  if (answer.type === "success") return { value: answer.body };
  if (output.as === "Table") return { value: table(call, answer, output) };
  if (output.as === undefined) {
    if (answer.type === "object") return { value: answer.body, text: () => objectText(store, answer.body) };
    if (!resource.custom) return { value: withoutItemTypes(answer.body) };
    return { value: answer.body, text: () => listText(store, answer.body) };
  }
  const isList = answer.type === "list";
  if (isList !== (output.as === "PartialObjectMetadataList")) throw wrongShape(resource, isList);
  return { value: isList ? partialList(answer.body, output) : partialMetadata(answer.body, output.version) };
}

// oxlint-disable-next-line require-yield -- an object is written at once
function* objectText(store: Store, object: UnstructuredObject): Steps<string> {
  return store.text(object);
}

function* listText(store: Store, { items, ...list }: KubeList<UnstructuredObject>): Steps<string> {
  const texts: string[] = [];
  for (const item of items) if (texts.push(store.text(item)) % itemsOfStep === 0) yield;
  return `${JSON.stringify(list).slice(0, -1)},"items":[${texts.join(",")}]}`;
}

/** Removes the types of items, which built-in lists do not repeat. */
function withoutItemTypes({ items, ...list }: KubeList<UnstructuredObject>): object {
  return { ...list, items: items.map(({ kind: _kind, apiVersion: _apiVersion, ...item }) => item) };
}

/** Words the refusal like a real server, which names its own type. */
function wrongShape({ custom, group, kind }: ServedResource, isList: boolean): Error {
  if (custom && !isList) return bareError("content is not a list");
  const type = custom ? "*unstructured.UnstructuredList" : `*${group.split(".")[0] || "core"}.${kind}`;
  return new ApiError(
    failure(
      "NotAcceptable",
      isList
        ? `you requested PartialObjectMetadata, but the requested object is a list (${custom ? type : `${type}List`})`
        : `you requested PartialObjectMetadataList, but the requested object is not a list (${type})`,
    ),
  );
}

function table(call: Call, answer: Exclude<ObjectAnswer, { type: "success" }>, { version }: OutputType): object {
  const includeObject = parseIncludeObject(call.query.get("includeObject"));
  const options = { version, includeObject, withColumns: true, now: call.core.clock.now() };
  const { resource } = call.entry;
  if (answer.type === "list")
    return toTable(resource, answer.body.items, { ...options, metadata: withoutEmptyToken(answer.body.metadata) });
  const metadata = { resourceVersion: answer.body.metadata.resourceVersion ?? "" };
  return toTable(resource, [answer.body], { ...options, metadata });
}

function partialList({ metadata, items }: KubeList<UnstructuredObject>, { version }: OutputType): object {
  return {
    kind: "PartialObjectMetadataList",
    apiVersion: `meta.k8s.io/${version}`,
    metadata: withoutEmptyToken(metadata),
    // As on a real server, where an empty list of another representation is [].
    items: items.length > 0 ? items.map((item) => partialMetadata(item, version)) : null,
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
