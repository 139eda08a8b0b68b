import { aggregatedDiscovery } from "./discovery/aggregated-discovery.ts";
import { apiGroup, apiGroupList, apiResourceList, apiVersions } from "./discovery/group-lists.ts";
import { wantsAggregatedDiscovery } from "./codec/negotiate.ts";
import { documentUrl, openApiDocument, openApiIndex } from "./openapi/open-api-document.ts";
import { openApiV2, protobufType, wantsProtobuf } from "./openapi/open-api-v2.ts";
import type { ServerRequest, ServerResponse } from "./api-server.ts";
import type { ServerCore } from "./verbs/server-core.ts";

/** Requests that are about the server and not about a resource; `undefined` for all others. */
export function metaEndpoint(core: ServerCore, request: ServerRequest, path: string): ServerResponse | undefined {
  if (request.method !== "GET" && path.startsWith("/api")) return undefined;
  const parts = path.slice(1).split("/");
  const [root = ""] = parts;
  // Some clients end these with a slash, which a real server takes, too.
  if (parts.length > 1 && parts.at(-1) === "" && slashed.has(root)) parts.pop();
  switch (root) {
    case "healthz":
    case "livez":
    case "readyz":
      return parts.at(-1) === "" ? undefined : text("ok");
    case "version":
      return parts.length === 1 ? json(versionInfo) : undefined;
    case "":
      return json({
        paths: ["/api", "/apis", "/healthz", "/livez", "/openapi/v2", "/openapi/v3", "/readyz", "/version"],
      });
    case "openapi":
      return openApi(core, request, parts);
    case "api":
    case "apis":
      return request.method === "GET" && parts.length <= 3 ? discovery(core, request, parts) : undefined;
    default:
      return undefined;
  }
}

const slashed = new Set(["api", "apis", "version"]);

/** The version whose behaviour this server has. */
const versionInfo = {
  major: "1",
  minor: "36",
  gitVersion: "v1.36.3+tsop",
  gitCommit: "",
  gitTreeState: "clean",
  buildDate: "1970-01-01T00:00:00Z",
  goVersion: "",
  compiler: "",
  platform: `${process.platform}/${process.arch}`,
};

function discovery(
  { registry }: ServerCore,
  request: ServerRequest,
  [root, ...rest]: readonly string[],
): ServerResponse | undefined {
  const resources = registry.resources();
  if (rest.length === 0) {
    if (wantsAggregatedDiscovery(request.headers["accept"]))
      return aggregated(request, root === "api" ? "core" : "groups", resources);
    return json(root === "api" ? apiVersions(request.headers["host"] ?? "127.0.0.1") : apiGroupList(resources));
  }
  if (root === "api") return rest.length === 1 ? found(apiResourceList("", rest[0]!, resources)) : undefined;
  if (rest.length === 1) return found(apiGroup(rest[0]!, resources));
  return rest.length === 2 ? found(apiResourceList(rest[0]!, rest[1]!, resources)) : undefined;
}

type Resources = ReturnType<ServerCore["registry"]["resources"]>;

function aggregated(request: ServerRequest, scope: "core" | "groups", resources: Resources): ServerResponse {
  const { contentType, etag, body } = aggregatedDiscovery(scope, resources);
  const headers = { "content-type": contentType, etag, vary: "Accept" };
  if (request.headers["if-none-match"] === etag) return { status: 304, headers, body: "" };
  return { status: 200, headers, body };
}

/** `/openapi/v3`, and the document of a version, which clients may keep for good when its hash is in the URL. */
function openApi(
  { registry }: ServerCore,
  request: ServerRequest,
  parts: readonly string[],
): ServerResponse | undefined {
  if (parts[1] === "v2" && parts.length === 2) return oldOpenApi(request);
  if (parts[1] !== "v3") return undefined;
  const resources = registry.resources();
  if (parts.length === 2) {
    const headers = { "content-type": "text/plain; charset=utf-8" };
    return { status: 200, headers, body: JSON.stringify(openApiIndex(resources)) };
  }
  const path = parts.slice(2).join("/");
  const document = openApiDocument(path, resources);
  if (!document) return { status: 404, headers: {}, body: "" };
  const asked = new URL(request.url, "https://localhost").searchParams.get("hash");
  if (asked !== null && asked !== document.hash)
    return {
      status: 301,
      headers: { "content-type": "application/json", location: documentUrl(path, document.hash) },
      body: "",
    };
  const etag = `"${document.hash}"`;
  const caching = asked === null ? {} : { "cache-control": "public, immutable" };
  const headers = { "content-type": "application/json", etag, vary: "Accept", ...caching };
  if (request.headers["if-none-match"] === etag) return { status: 304, headers, body: "" };
  return { status: 200, headers, body: document.body };
}

function oldOpenApi({ headers }: ServerRequest): ServerResponse {
  const asProtobuf = wantsProtobuf(headers["accept"]);
  const type = { "content-type": asProtobuf ? protobufType : "application/json", vary: "Accept" };
  return { status: 200, headers: type, body: openApiV2(asProtobuf) };
}

function found(document: unknown): ServerResponse | undefined {
  return document === undefined ? undefined : json(document);
}

function json(value: unknown): ServerResponse {
  return { status: 200, headers: { "content-type": "application/json" }, body: `${JSON.stringify(value)}\n` };
}

function text(body: string): ServerResponse {
  return { status: 200, headers: { "content-type": "text/plain; charset=utf-8" }, body };
}
