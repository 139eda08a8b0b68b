import { createHash } from "node:crypto";
import type { Builtins } from "../../../apimachinery/builtin/load-builtins.ts";
import { releaseOf } from "../../../apimachinery/kubernetes-version.ts";
import type { ServedResource } from "../../registry/served-resource.ts";
import { groupNames, resourcesOf, versionsOf } from "../discovery/group-lists.ts";
import { openApiPaths } from "./open-api-paths.ts";
import { intOrStringBranches, type JsonSchema } from "../../../apimachinery/json-schema.ts";
import { builtinDefinition, definitionName, mapValues, metaName, referenceTo } from "./definitions.ts";

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
export function infoOf({ version }: Builtins): { readonly title: string; readonly version: string } {
  return { title: "Kubernetes", version: releaseOf(version) };
}

/** How a client authenticates itself. */
export const securityDefinitions = {
  BearerToken: { type: "apiKey", description: "Bearer Token authentication", name: "authorization", in: "header" },
} as const;

/** Renders the document of `api/v1` or `apis/<group>/<version>`. */
export function openApiDocument(path: string, resources: readonly ServedResource[], builtins: Builtins): string {
  const [root = "", group = "", version = ""] = path.split("/");
  const served = root === "api" ? resourcesOf("", group, resources) : resourcesOf(group, version, resources);
  const paths = openApiPaths(served, builtins);
  const components = { schemas: openApiSchemas(paths, served, builtins), securitySchemes: securityDefinitions };
  return JSON.stringify({ openapi: "3.0.0", info: infoOf(builtins), paths, components });
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

/** Returns the definitions to which paths refer, and those to which these refer. */
export function openApiSchemas(
  paths: unknown,
  resources: readonly ServedResource[],
  builtins: Builtins,
): Record<string, JsonSchema> {
  const custom = customDefinitions(resources);
  const schemas: Record<string, JsonSchema> = {};
  const open = [...referencesIn(paths)];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (name in schemas) continue;
    schemas[name] = custom.get(name)?.() ?? builtinDefinition(name, builtins);
    open.push(...referencesIn(schemas[name]));
  }
  return sortKeys(schemas);
}

/** Returns the names of the definitions to which a value refers. */
function referencesIn(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) =>
    key === "$ref" && typeof part === "string" ? [part.slice(part.lastIndexOf("/") + 1)] : referencesIn(part),
  );
}

function sortKeys(schemas: Readonly<Record<string, JsonSchema>>): Record<string, JsonSchema> {
  return Object.fromEntries(Object.entries(schemas).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function customDefinitions(resources: readonly ServedResource[]): ReadonlyMap<string, () => JsonSchema> {
  const kinds = resources.filter((resource) => resource.custom);
  return new Map(
    kinds.flatMap((resource) => [
      [definitionName(resource), () => customSchema(resource)],
      [definitionName(resource, resource.listKind), () => listSchema(resource)],
    ]),
  );
}

const conventions = "https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md";

const typeProperties: Readonly<Record<string, JsonSchema>> = {
  apiVersion: {
    description:
      "APIVersion defines the versioned schema of this representation of an object. Servers should convert recognized schemas " +
      `to the latest internal value, and may reject unrecognized values. More info: ${conventions}#resources`,
    type: "string",
  },
  kind: {
    description:
      "Kind is a string value representing the REST resource this object represents. Servers may infer this from the " +
      `endpoint the client submits requests to. Cannot be updated. In CamelCase. More info: ${conventions}#types-kinds`,
    type: "string",
  },
};

const metadata: JsonSchema = {
  description: `Standard object's metadata. More info: ${conventions}#metadata`,
  allOf: [referenceTo(metaName("ObjectMeta"))],
};

/** Completes the schema of a CRD, which leaves type and metadata to the server. */
function customSchema(resource: ServedResource): JsonSchema {
  const schema: JsonSchema = resource.schema() ?? { type: "object", "x-kubernetes-preserve-unknown-fields": true };
  const { properties, ...rest } = expandEmbedded(schema);
  const { group, version, kind } = resource;
  return {
    ...rest,
    properties: { ...properties, ...typeProperties, metadata },
    "x-kubernetes-group-version-kind": [{ group, version, kind }],
  };
}

/** Adds type and metadata to the schemas of embedded objects. */
function expandEmbedded(schema: JsonSchema): JsonSchema {
  const expanded: JsonSchema = { ...schema };
  if (schema.properties) expanded.properties = mapValues(schema.properties, expandEmbedded);
  if (schema.items) expanded.items = expandEmbedded(schema.items);
  if (typeof schema.additionalProperties === "object") {
    expanded.additionalProperties = expandEmbedded(schema.additionalProperties);
  }
  if (schema["x-kubernetes-int-or-string"] === true && !schema.anyOf && !schema.allOf)
    expanded.anyOf = intOrStringBranches;
  if (schema["x-kubernetes-embedded-resource"] !== true) return expanded;
  expanded.properties = { ...typeProperties, ...expanded.properties, metadata };
  expanded.required = [...new Set([...(schema.required ?? []), "kind", "apiVersion"])];
  return expanded;
}

function listSchema(resource: ServedResource): JsonSchema {
  const { group, version, kind, listKind } = resource;
  return {
    description: `${listKind} is a list of ${kind}`,
    type: "object",
    required: ["items"],
    properties: {
      ...typeProperties,
      items: {
        description: `List of ${resource.plural}. More info: ${conventions}`,
        type: "array",
        items: referenceTo(definitionName(resource)),
      },
      metadata: {
        description: `Standard list metadata. More info: ${conventions}#types-kinds`,
        allOf: [referenceTo(metaName("ListMeta"))],
      },
    },
    "x-kubernetes-group-version-kind": [{ group, version, kind: listKind }],
  };
}
