import { kubernetesRelease } from "../../../apimachinery/kubernetes-version.ts";
import { createHash } from "node:crypto";
import { groupNames, resourcesOf, versionsOf } from "../discovery/group-lists.ts";
import type { ServedResource } from "../../registry/served-resource.ts";
import { openApiTexts } from "../../registry/open-api-texts.ts";
import type { JsonSchema } from "../../../apimachinery/json-schema.ts";
import { mapValues } from "./definitions.ts";
import { securityDefinitions, serverDocuments, serverPaths } from "./server-paths.ts";
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

/** Lists the documents of all versions; none of them is rendered for it. */
export function openApiIndex(hashes: ReadonlyMap<string, string>): OpenApiIndex {
  const entries = [...hashes].map(([path, hash]) => [path, { serverRelativeURL: documentUrl(path, hash) }]);
  return { paths: Object.fromEntries(entries) as OpenApiIndex["paths"] };
}

/** Returns the URL of a document; a client that asks with an outdated hash is redirected there. */
export function documentUrl(path: string, hash: string): string {
  return `/openapi/v3/${path}?hash=${hash}`;
}

/** Renders the document of `api/v1`, `apis/<group>/<version>`, or of the server's own endpoints. */
export function openApiDocument(path: string, resources: readonly ServedResource[]): string {
  const [root = "", group = "", version] = path.split("/");
  const served = resourcesOf(root === "api" ? "" : group, (root === "api" ? group : version) ?? "", resources);
  const isCustom = served.length > 0 && served.every((resource) => resource.custom);
  const paths = { ...(isCustom ? {} : serverPaths(path)), ...openApiPaths(served) };
  const schemas = openApiSchemas(paths, served);
  return JSON.stringify({
    openapi: "3.0.0",
    info: isCustom
      ? { title: "Kubernetes CRD Swagger", version: "v0.1.0" }
      : { title: "Kubernetes", version: kubernetesRelease },
    paths,
    components: {
      ...(Object.keys(schemas).length > 0 && {
        schemas: isCustom ? withKinds(schemas, isCustomOption) : withKinds(schemas, isOptionOf(group, version ?? "")),
      }),
      ...(!isCustom && { securitySchemes: securityDefinitions }),
    },
  });
}

type OptionKind = { readonly group: string; readonly version: string };

/** Options and watch events belong to all groups; a document names those that it knows. */
function withKinds(
  schemas: Readonly<Record<string, JsonSchema>>,
  isKnown: (kind: OptionKind) => boolean,
): Record<string, JsonSchema> {
  return mapValues(schemas, (schema) => {
    const kinds = schema["x-kubernetes-group-version-kind"];
    if (!kinds || kinds.length === 1) return schema;
    return { ...schema, "x-kubernetes-group-version-kind": kinds.filter(isKnown) };
  });
}

function isCustomOption({ group }: OptionKind): boolean {
  return !openApiTexts().notCustom.includes(group);
}

function isOptionOf(group: string, version: string): (kind: OptionKind) => boolean {
  return (kind) => kind.group === "" || (kind.group === group && kind.version === version);
}

/** Returns the hash of the document of each version, by path. */
export function openApiHashes(resources: readonly ServedResource[]): ReadonlyMap<string, string> {
  const groupVersions = groupNames(resources).flatMap((group) =>
    versionsOf(group, resources).map((version) => [group, version] as const),
  );
  return new Map([
    ...serverDocuments(resources).map((path) => [path, hashOf([], path)] as const),
    ...groupVersions.map(
      ([group, version]) => [pathOf(group, version), hashOf(resourcesOf(group, version, resources))] as const,
    ),
  ]);
}

/** Hashes the rows and the schemas that can change: those of built-in kinds cannot, and are large. */
function hashOf(resources: readonly ServedResource[], path = ""): string {
  const parts = resources.map((resource) => [resource, resource.custom ? resource.schema() : undefined]);
  return createHash("sha512")
    .update(path + JSON.stringify(parts))
    .digest("hex")
    .toUpperCase();
}

function pathOf(group: string, version: string): string {
  return group === "" ? `api/${version}` : `apis/${group}/${version}`;
}
