import { aggregatedDiscovery } from "./discovery/aggregated-discovery.ts";
import { apiGroup, apiGroupList, apiResourceList, apiVersions } from "./discovery/group-lists.ts";
import {
  negotiate,
  protobuf,
  requireAccepted,
  wantsAggregatedDiscovery,
  type OutputType,
} from "../representation/negotiate.ts";
import { encodeProtobuf, type Typed } from "../codec/protobuf/encode-protobuf.ts";
import { documentUrl, openApiDocument, openApiIndex } from "./openapi/open-api-document.ts";
import { openApiV2, protobufType, wantsProtobuf } from "./openapi/open-api-v2.ts";
import type { ServerRequest, ServerResponse } from "../api-server.ts";
import { issuerEndpoint } from "./issuer-endpoints.ts";
import { methodNotAllowed } from "../refusals.ts";
import type { ServerCore } from "../verbs/request/call.ts";

/** Requests that are about the server and not about a resource; `undefined` for all others. */
export function metaEndpoint(core: ServerCore, request: ServerRequest, path: string): ServerResponse | undefined {
  const parts = path.slice(1).split("/");
  const [root = ""] = parts;
  // Some clients end these with a slash, which a real server takes, too.
  if (parts.length > 1 && parts.at(-1) === "" && slashed.has(root)) parts.pop();
  switch (root) {
    case "healthz":
    case "livez":
    case "readyz":
      return health(request, root, parts.slice(1));
    case ".well-known":
    case "openid":
      return issuerEndpoint(core, request, path);
    case "version":
      if (parts.length > 1) return undefined;
      requireGet(request);
      requireAccepted(request.headers["accept"], "application/json");
      return json(versionInfo);
    case "":
      return path === "/" ? json({ paths: rootPaths }) : undefined;
    case "openapi":
      return openApi(core, request, parts);
    case "api":
    case "apis":
      return parts.length <= 3 ? discovery(core, request, parts) : undefined;
    default:
      return undefined;
  }
}

const rootPaths = [
  "/.well-known/openid-configuration",
  "/api",
  "/apis",
  "/healthz",
  "/livez",
  "/openapi/v2",
  "/openapi/v3",
  "/openid/v1/jwks",
  "/readyz",
  "/version",
];

/** Of the parts of a real server, these are here as well. */
const checks = new Set(["ping", "log", "etcd"]);

function health({ url }: ServerRequest, root: string, [check, ...rest]: readonly string[]): ServerResponse | undefined {
  if (check !== undefined) return checks.has(check) && rest.length === 0 ? text("ok") : undefined;
  const query = new URL(url, "https://localhost").searchParams;
  const excluded = query.getAll("exclude").filter((name) => name !== "");
  const unknown = excluded.filter((name) => !checks.has(name)).map((name) => JSON.stringify(name));
  if (!query.has("verbose")) return text("ok");
  const lines = [...checks].map((name) => `[+]${name} ${excluded.includes(name) ? "excluded: ok" : "ok"}\n`);
  if (unknown.length > 0)
    lines.push(`warn: some health checks cannot be excluded: no matches for ${unknown.join(", ")}\n`);
  return text(`${lines.join("")}${root} check passed\n`);
}

/** These are routes, which know no other method. */
function requireGet({ method }: ServerRequest): void {
  if (method !== "GET") throw methodNotAllowed();
}

const slashed = new Set(["api", "apis", "version"]);

/** The version whose behaviour this server has. */
const versionInfo = {
  major: "1",
  minor: "36",
  emulationMajor: "1",
  emulationMinor: "36",
  minCompatibilityMajor: "1",
  minCompatibilityMinor: "35",
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
  if (root === "api" && rest.length > 1) return undefined;
  const isRouted = root === "api" || rest.length === 0 || registry.isBuiltinGroup(rest[0]!);
  // Of the groups' list and of a single group it does not matter how they are asked for.
  if (root === "api" || (isRouted && rest.length === 2)) requireGet(request);
  if (rest.length === 0) {
    if (wantsAggregatedDiscovery(request.headers["accept"]))
      return aggregated(request, root === "api" ? "core" : "groups", resources);
    const output = negotiate(request.headers["accept"], { isRouted, streams: false, hasMessages: true });
    const address = request.headers["host"] ?? "127.0.0.1";
    return found(root === "api" ? apiVersions(address) : apiGroupList(resources), output);
  }
  const output = negotiate(request.headers["accept"], { isRouted, streams: false, hasMessages: true });
  if (root === "api") return found(apiResourceList("", rest[0]!, resources), output);
  if (rest.length === 1) return found(apiGroup(rest[0]!, resources), output);
  return found(apiResourceList(rest[0]!, rest[1]!, resources), output);
}

type Resources = ReturnType<ServerCore["registry"]["resources"]>;

function aggregated(request: ServerRequest, scope: "core" | "groups", resources: Resources): ServerResponse {
  const { contentType, etag, body } = aggregatedDiscovery(scope, resources);
  const headers = { etag, vary: "Accept", "cache-control": "public" };
  if (request.headers["if-none-match"] === etag) return { status: 304, headers, body: "" };
  return { status: 200, headers: { "content-type": contentType, ...headers }, body };
}

/** `/openapi/v3`, and the document of a version, which clients may keep for good when its hash is in the URL. */
function openApi(
  { registry }: ServerCore,
  request: ServerRequest,
  parts: readonly string[],
): ServerResponse | undefined {
  if (parts[1] === "v2" && parts.length === 2) return oldOpenApi(request, registry.resources());
  if (parts[1] !== "v3") return undefined;
  const resources = registry.resources();
  if (parts.length === 2) {
    const headers = { "content-type": "text/plain; charset=utf-8" };
    return { status: 200, headers, body: JSON.stringify(openApiIndex(resources)) };
  }
  const path = parts.slice(2).join("/");
  const document = openApiDocument(path, resources);
  if (!document) return { status: 404, headers: {}, body: "" };
  if (!takesJson(request)) return { status: 406, headers: { vary: "Accept" }, body: "" };
  const asked = new URL(request.url, "https://localhost").searchParams.get("hash");
  if (asked !== null && asked !== document.hash)
    return {
      status: 301,
      headers: { "content-type": "application/json", vary: "Accept", location: documentUrl(path, document.hash) },
      body: "",
    };
  const etag = `"${document.hash}"`;
  const caching = asked === null ? {} : { "cache-control": "public, immutable" };
  const headers = { etag, vary: "Accept", ...caching };
  if (request.headers["if-none-match"] === etag) return { status: 304, headers, body: "" };
  return { status: 200, headers: { "content-type": "application/json", ...headers }, body: document.body };
}

function oldOpenApi({ headers }: ServerRequest, resources: Resources): ServerResponse {
  const asProtobuf = wantsProtobuf(headers["accept"]);
  const type = { "content-type": asProtobuf ? protobufType : "application/json", vary: "Accept-Encoding, Accept" };
  if (!asProtobuf && !takesJson({ headers })) return { status: 406, headers: { vary: type.vary }, body: "" };
  const body = openApiV2(resources, asProtobuf ? "protobuf" : "json");
  return { status: 200, headers: type, body, compressible: true, ...(asProtobuf && { binary: true }) };
}

function takesJson({ headers }: Pick<ServerRequest, "headers">): boolean {
  const accept = headers["accept"];
  return !accept || /(?:^|,)\s*(?:application\/json|application\/\*|\*\/\*)/.test(accept);
}

function found(document: Typed | undefined, { mediaType }: OutputType): ServerResponse | undefined {
  if (!document || mediaType !== protobuf) return document && json(document);
  return { status: 200, headers: { "content-type": protobuf }, body: encodeProtobuf(document), binary: true };
}

function json(value: unknown): ServerResponse {
  return { status: 200, headers: { "content-type": "application/json" }, body: `${JSON.stringify(value)}\n` };
}

function text(body: string): ServerResponse {
  return {
    status: 200,
    headers: { "content-type": "text/plain; charset=utf-8", "x-content-type-options": "nosniff" },
    body,
  };
}
