import { createHash } from "node:crypto";
import { kubernetesRelease } from "../../../apimachinery/kubernetes-version.ts";
import type { ServedResource } from "../../registry/served-resource.ts";
import { groupNames, resourcesOf, versionsOf } from "../discovery/group-lists.ts";
import { openApiPaths } from "./open-api-paths.ts";
import { openApiSchemas } from "./open-api-schemas.ts";

/** The response to `GET /openapi/v3`: the URL of the document of each version. A real server sends it as text/plain. */
export interface OpenApiIndex {
  paths: Record<string, { serverRelativeURL: string }>;
}

/** The document of one version; its ETag is the hash in quotes. */
export interface OpenApiDocument {
  readonly hash: string;
  readonly body: string;
}

/** Lists the documents of all versions, without rendering them. */
export function openApiIndex(hashes: ReadonlyMap<string, string>): OpenApiIndex {
  const entries = [...hashes].map(([path, hash]) => [path, { serverRelativeURL: documentUrl(path, hash) }]);
  return { paths: Object.fromEntries(entries) as OpenApiIndex["paths"] };
}

/** Returns the URL of a document; a client that asks with an outdated hash is redirected there. */
export function documentUrl(path: string, hash: string): string {
  return `/openapi/v3/${path}?hash=${hash}`;
}

/** What documents of both versions say about the server. */
export const info: { readonly title: string; readonly version: string } = {
  title: "Kubernetes",
  version: kubernetesRelease,
};

/** How a client authenticates itself. */
export const securityDefinitions = {
  BearerToken: { type: "apiKey", description: "Bearer Token authentication", name: "authorization", in: "header" },
} as const;

/** Renders the document of `api/v1` or `apis/<group>/<version>`. */
export function openApiDocument(path: string, resources: readonly ServedResource[]): string {
  const [root = "", group = "", version = ""] = path.split("/");
  const served = root === "api" ? resourcesOf("", group, resources) : resourcesOf(group, version, resources);
  const paths = openApiPaths(served);
  const components = { schemas: openApiSchemas(paths, served), securitySchemes: securityDefinitions };
  return JSON.stringify({ openapi: "3.0.0", info, paths, components });
}

/** Returns the hash of the document of each version, by path. */
export function openApiHashes(resources: readonly ServedResource[]): ReadonlyMap<string, string> {
  return new Map(
    groupNames(resources).flatMap((group) =>
      versionsOf(group, resources).map(
        (version) => [pathOf(group, version), hashOf(resourcesOf(group, version, resources))] as const,
      ),
    ),
  );
}

/** Hashes the rows and the schemas that can change. Schemas of built-in kinds cannot, and are large. */
function hashOf(resources: readonly ServedResource[]): string {
  const parts = resources.map((resource) => [resource, resource.custom ? resource.schema() : undefined]);
  return createHash("sha512").update(JSON.stringify(parts)).digest("hex").toUpperCase();
}

function pathOf(group: string, version: string): string {
  return group === "" ? `api/${version}` : `apis/${group}/${version}`;
}
