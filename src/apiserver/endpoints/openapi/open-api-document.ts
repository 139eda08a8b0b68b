import { createHash } from "node:crypto";
import { groupNames, resourcesOf, versionsOf } from "../discovery/group-lists.ts";
import type { ServedResource } from "../../registry/served-resource.ts";
import { openApiPaths } from "./open-api-paths.ts";
import { openApiSchemas } from "./open-api-schemas.ts";

/** `GET /openapi/v3`: where the document of each group and version is. A real server sends it as text/plain. */
export interface OpenApiIndex {
  paths: Record<string, { serverRelativeURL: string }>;
}

/** The document of one version; its ETag is the hash in quotes. */
export interface OpenApiDocument {
  readonly hash: string;
  readonly body: string;
}

const hashes = new WeakMap<readonly ServedResource[], ReadonlyMap<string, string>>();
const bodies = new Map<string, OpenApiDocument>();

/** Lists all documents with their hashes; none of them is rendered for it. */
export function openApiIndex(resources: readonly ServedResource[]): OpenApiIndex {
  const entries = [...hashesOf(resources)].map(([path, hash]) => [
    path,
    { serverRelativeURL: documentUrl(path, hash) },
  ]);
  return { paths: Object.fromEntries(entries) as OpenApiIndex["paths"] };
}

/**
 * The document of `api/v1` or `apis/<group>/<version>`; `undefined` when nothing of it is served. Rendered when it is asked
 * for, and kept until its resources change.
 */
export function openApiDocument(path: string, resources: readonly ServedResource[]): OpenApiDocument | undefined {
  const hash = hashesOf(resources).get(path);
  if (hash === undefined) return undefined;
  const kept = bodies.get(path);
  if (kept?.hash === hash) return kept;
  const document = { hash, body: render(resourcesOf(...groupVersionOf(path), resources)) };
  bodies.set(path, document);
  return document;
}

/** Where a client is sent that asks with an outdated hash (301). */
export function documentUrl(path: string, hash: string): string {
  return `/openapi/v3/${path}?hash=${hash}`;
}

function render(resources: readonly ServedResource[]): string {
  const isCustom = resources.every((resource) => resource.custom);
  return JSON.stringify({
    openapi: "3.0.0",
    info: isCustom ? { title: "Kubernetes CRD Swagger", version: "v0.1.0" } : { title: "Kubernetes", version: "1.36" },
    paths: openApiPaths(resources),
    components: { schemas: openApiSchemas(resources) },
  });
}

function hashesOf(resources: readonly ServedResource[]): ReadonlyMap<string, string> {
  const known = hashes.get(resources);
  if (known) return known;
  const groupVersions = groupNames(resources).flatMap((group) =>
    versionsOf(group, resources).map((version) => [group, version] as const),
  );
  const made = new Map(
    groupVersions.map(([group, version]) => [pathOf(group, version), hashOf(resourcesOf(group, version, resources))]),
  );
  hashes.set(resources, made);
  return made;
}

/** Of what makes a document: the rows, and the schemas that can change. Built-in ones cannot, and are large. */
function hashOf(resources: readonly ServedResource[]): string {
  const parts = resources.map((resource) => [resource, resource.custom ? resource.schema() : undefined]);
  return createHash("sha512").update(JSON.stringify(parts)).digest("hex").toUpperCase();
}

function pathOf(group: string, version: string): string {
  return group === "" ? `api/${version}` : `apis/${group}/${version}`;
}

function groupVersionOf(path: string): [group: string, version: string] {
  const parts = path.split("/");
  return parts.length === 2 ? ["", parts[1]!] : [parts[1]!, parts[2]!];
}
