import type { ServerRequest } from "../../apiserver/api-server.ts";
import type { Pass } from "../world/traffic.ts";

/** Reports whether a read is one that a cache makes, which sees no newer state than its watches. */
export function isCached({ url }: ServerRequest): boolean {
  return /[?&]resourceVersion=0(&|$)/.test(url);
}

/** Makes a list of a cache one of the state at a revision. */
export function listAt(request: ServerRequest, revision: string): ServerRequest {
  return withUrl(request, request.url.replace(/resourceVersion=0/, exactly(revision)));
}

/**
 * Returns the events by which a watch that begins with a state describes the one at a revision, in JSON. Returns nothing
 * if the watch does not begin with a state, or if the server refuses to list it.
 */
export async function initialEventsAt(request: ServerRequest, pass: Pass, revision: string): Promise<string> {
  const [path = "", query = ""] = request.url.split("?");
  if (!query.includes("sendInitialEvents=true")) return "";
  const { body, status } = await pass(inJson(request, `${path}?${selectorsOf(query)}${exactly(revision)}`));
  if (status !== 200 || typeof body !== "string") return "";
  const { apiVersion, kind, items } = JSON.parse(body) as List;
  const type = { apiVersion, kind: kind.replace(/List$/, "") };
  const annotations = { "k8s.io/initial-events-end": "true" };
  return [
    ...items.map((item) => ({ type: "ADDED", object: { ...type, ...item } })),
    { type: "BOOKMARK", object: { ...type, metadata: { resourceVersion: revision, annotations } } },
  ]
    .map((event) => `${JSON.stringify(event)}\n`)
    .join("");
}

/** Makes a watch that begins with a state one of the changes since a revision, in JSON. */
export function watchFrom(request: ServerRequest, revision: string): ServerRequest {
  const [path = "", query = ""] = request.url.split("?");
  const kept = query.split("&").filter((parameter) => !/^(resourceVersion|sendInitialEvents)/.test(parameter));
  return inJson(request, `${path}?${[...kept, `resourceVersion=${revision}`].join("&")}`);
}

interface List {
  readonly apiVersion: string;
  readonly kind: string;
  readonly items: readonly object[];
}

function exactly(revision: string): string {
  return `resourceVersion=${revision}&resourceVersionMatch=Exact`;
}

function selectorsOf(query: string): string {
  return query
    .split("&")
    .filter((parameter) => /^(label|field)Selector=/.test(parameter))
    .map((parameter) => `${parameter}&`)
    .join("");
}

function withUrl(request: ServerRequest, url: string): ServerRequest {
  return Object.create(request, { url: { value: url } }) as ServerRequest;
}

/** Asks for JSON instead of protobuf, which clients that prefer protobuf read as well. */
function inJson(request: ServerRequest, url: string): ServerRequest {
  const clauses = (request.headers["accept"] ?? "").split(",").filter((clause) => !clause.includes("protobuf"));
  const accept = clauses.join(",") || "application/json";
  const headers = { ...request.headers, accept };
  return Object.create(request, { url: { value: url }, headers: { value: headers } }) as ServerRequest;
}
