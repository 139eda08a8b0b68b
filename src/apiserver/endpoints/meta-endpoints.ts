import type { Builtins } from "../../apimachinery/builtin/load-builtins.ts";
import type { ServerRequest, ServerResponse } from "../api-server.ts";
import { methodNotAllowed, notImplemented } from "../refusals.ts";
import { negotiate, wantsAggregatedDiscovery } from "../representation/negotiate.ts";
import { respondDocument } from "../representation/respond.ts";
import type { ServerCore } from "../verbs/request/call.ts";
import { apiGroup, apiGroupList, apiResourceList, apiVersions } from "./discovery/group-lists.ts";
import type { Documents } from "./documents.ts";
import { documentUrl } from "./openapi/open-api-document.ts";
import { protobufType, wantsProtobuf } from "./openapi/v2-document.ts";

/** The parts of a server that respond to requests. */
export interface Endpoints {
  readonly core: ServerCore;
  readonly documents: Documents;
}

/** Responds to requests about the server itself; returns `undefined` for other paths. */
export function metaEndpoint(endpoints: Endpoints, request: ServerRequest, path: string): ServerResponse | undefined {
  const parts = path.slice(1).split("/");
  const [root = ""] = parts;
  // Some clients end these with a slash.
  if (parts.length > 1 && parts.at(-1) === "" && slashed.has(root)) parts.pop();
  switch (root) {
    case "healthz":
    case "livez":
    case "readyz":
      return health(parts.slice(1));
    case "version":
      if (parts.length > 1) return undefined;
      requireGet(request);
      return respondDocument(request, versionInfo(endpoints.core.builtins));
    case "":
      return path === "/" ? respondDocument(request, { paths: rootPaths }) : undefined;
    case "openapi":
      return openApi(endpoints.documents, request, parts);
    case "api":
    case "apis":
      return parts.length <= 3 ? discovery(endpoints, request, parts) : undefined;
    case "debug":
      throw notImplemented(`${path} is not served: this is not a Go program`);
    case "metrics":
      throw notImplemented(`${path} is not served: requests are not counted`);
    default:
      return undefined;
  }
}

const slashed = new Set(["api", "apis", "version"]);

const rootPaths = ["/api", "/apis", "/healthz", "/livez", "/openapi/v2", "/openapi/v3", "/readyz", "/version"];

/** Describes the Kubernetes version that this server behaves like. */
function versionInfo({ version }: Builtins): object {
  const [major = "", minor = ""] = version.split(".");
  return {
    major,
    minor,
    emulationMajor: major,
    emulationMinor: minor,
    minCompatibilityMajor: major,
    minCompatibilityMinor: String(Number(minor) - 1),
    gitVersion: `v${version}+tsop`,
    gitCommit: "",
    gitTreeState: "clean",
    buildDate: "1970-01-01T00:00:00Z",
    goVersion: "",
    compiler: "",
    platform: goPlatform(process),
  };
}

/** These paths are routes, which have no other method. */
function requireGet({ method }: ServerRequest): void {
  if (method !== "GET") throw methodNotAllowed();
}

/** The checks of a real server that apply here. */
const checks = new Set(["ping", "log", "etcd"]);

function health([check, ...rest]: readonly string[]): ServerResponse | undefined {
  return check === undefined || (checks.has(check) && rest.length === 0) ? text("ok") : undefined;
}

function text(body: string): ServerResponse {
  const headers = { "content-type": "text/plain; charset=utf-8", "x-content-type-options": "nosniff" };
  return { status: 200, headers, body };
}

function discovery(
  { core: { registry }, documents }: Endpoints,
  request: ServerRequest,
  [root, ...rest]: readonly string[],
): ServerResponse | undefined {
  const accept = request.headers["accept"];
  if (root === "api" && rest.length > 1) return undefined;
  const isRouted = root === "api" || rest.length === 0 || registry.isBuiltinGroup(rest[0]!);
  // The list of groups and a single group respond to any method.
  if (root === "api" || (isRouted && rest.length === 2)) requireGet(request);
  if (rest.length === 0 && wantsAggregatedDiscovery(accept)) {
    const { contentType, etag, body } = documents.discovery(root === "api" ? "core" : "groups");
    return unlessKnown(request, etag, {
      headers: { "content-type": contentType, vary: "Accept", "cache-control": "public" },
      body,
    });
  }
  const output = negotiate(accept);
  const document = discoveryList(registry, [root!, ...rest], request.headers["host"] ?? "127.0.0.1");
  return document && respondDocument(request, document, output.mediaType);
}

/** Returns a list for clients that do not ask for aggregated discovery. */
function discoveryList(
  registry: ServerCore["registry"],
  [root, group, version]: readonly string[],
  address: string,
): object | undefined {
  const resources = registry.resources();
  if (group === undefined) return root === "api" ? apiVersions(address) : apiGroupList(resources);
  if (root === "api") return apiResourceList("", group, resources);
  return version === undefined ? apiGroup(group, resources) : apiResourceList(group, version, resources);
}

/** Responds with 304 to a client that has the document already. */
function unlessKnown(
  request: ServerRequest,
  etag: string,
  { headers, body }: Pick<ServerResponse, "headers" | "body">,
): ServerResponse {
  const { "content-type": type, ...rest } = headers;
  if (request.headers["if-none-match"] === etag) return { status: 304, headers: { etag, ...rest }, body: "" };
  return { status: 200, headers: { "content-type": type!, etag, ...rest }, body };
}

/**
 * Responds to `/openapi/v2`, `/openapi/v3`, and the document of a version, which clients may cache forever if its URL
 * has its hash.
 */
function openApi(documents: Documents, request: ServerRequest, parts: readonly string[]): ServerResponse | undefined {
  if (parts[1] === "v2" && parts.length === 2) return openApiV2(documents, request);
  if (parts[1] !== "v3") return undefined;
  if (parts.length === 2) {
    const headers = { "content-type": "text/plain; charset=utf-8" };
    return { status: 200, headers, body: JSON.stringify(documents.openApiIndex()) };
  }
  const path = parts.slice(2).join("/");
  const document = documents.openApi(path);
  if (!document) return { status: 404, headers: {}, body: "" };
  if (!takesJson(request)) return { status: 406, headers: { vary: "Accept" }, body: "" };
  const headers = { "content-type": "application/json", vary: "Accept" };
  const asked = new URL(request.url, "https://localhost").searchParams.get("hash");
  if (asked !== null && asked !== document.hash)
    return { status: 301, headers: { ...headers, location: documentUrl(path, document.hash) }, body: "" };
  return unlessKnown(request, `"${document.hash}"`, {
    headers: { ...headers, ...(asked !== null && { "cache-control": "public, immutable" }) },
    body: document.body,
  });
}

function openApiV2(documents: Documents, request: ServerRequest): ServerResponse {
  const vary = "Accept-Encoding, Accept";
  if (wantsProtobuf(request.headers["accept"])) {
    const headers = { "content-type": protobufType, vary };
    return { status: 200, headers, body: documents.openApiV2("protobuf"), compressible: true, binary: true };
  }
  if (!takesJson(request)) return { status: 406, headers: { vary }, body: "" };
  const headers = { "content-type": "application/json", vary };
  return { status: 200, headers, body: documents.openApiV2("json"), compressible: true };
}

function takesJson({ headers }: ServerRequest): boolean {
  const accept = headers["accept"];
  return !accept || /(?:^|,)\s*(?:application\/json|application\/\*|\*\/\*)/.test(accept);
}

/** Returns the name that Go has for a platform. */
export function goPlatform({ platform, arch }: Pick<NodeJS.Process, "platform" | "arch">): string {
  const systems: Readonly<Record<string, string>> = { win32: "windows", sunos: "solaris" };
  const architectures: Readonly<Record<string, string>> = { x64: "amd64", ia32: "386", ppc64: "ppc64le" };
  return `${systems[platform] ?? platform}/${architectures[arch] ?? arch}`;
}
