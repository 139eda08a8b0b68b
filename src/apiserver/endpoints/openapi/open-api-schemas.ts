import type { JsonSchema } from "../../../apimachinery/json-schema.ts";
import type { ServedResource } from "../../registry/served-resource.ts";
import { builtinDefinitions, definitionName, definitionReference, mapValues } from "./definitions.ts";
import { metaReference, openApiTexts } from "../../registry/open-api-texts.ts";

/**
 * Returns the definitions of a document: each kind, its list, the metadata that all share, and Scale if it is served.
 */
export function openApiSchemas(resources: readonly ServedResource[]): Record<string, JsonSchema> {
  const builtin = resources.filter((resource) => !resource.custom).map((resource) => definitionName(resource));
  const schemas: Record<string, JsonSchema> = { ...builtinDefinitions(builtin), ...openApiTexts().meta };
  for (const resource of resources) {
    const { group, version, kind, listKind, verbs, subresources } = resource;
    const name = definitionName(resource);
    schemas[name] = {
      ...(resource.custom ? customSchema(resource) : schemas[name]),
      "x-kubernetes-group-version-kind": [{ group, version, kind }],
    };
    if (verbs.includes("list")) schemas[definitionName(resource, listKind)] = listSchema(resource);
    if (subresources.some((subresource) => subresource.name === "scale")) schemas[scaleName] = scaleSchema;
  }
  return schemas;
}

/** The key of autoscaling/v1 Scale. */
export const scaleName = "io.k8s.api.autoscaling.v1.Scale";

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
  allOf: [{ $ref: metaReference("ObjectMeta") }],
};

/** The type of an embedded object, which a real server describes in other words. */
const embeddedProperties: Readonly<Record<string, JsonSchema>> = {
  apiVersion: {
    description: `apiVersion defines the versioned schema of this representation of an object. More info: ${conventions}#resources`,
    type: "string",
  },
  kind: {
    description: `kind is a string value representing the type of this object. In CamelCase. More info: ${conventions}#types-kinds`,
    type: "string",
  },
};

/** Completes the schema of a CRD, which leaves type and metadata to the server. */
function customSchema(resource: ServedResource): JsonSchema {
  const schema: JsonSchema = resource.schema() ?? { type: "object", "x-kubernetes-preserve-unknown-fields": true };
  const { properties, ...rest } = expandEmbedded(schema);
  return { ...rest, properties: { ...typeProperties, ...properties, metadata } };
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
    expanded.anyOf = [{ type: "integer" }, { type: "string" }];
  if (schema["x-kubernetes-embedded-resource"] !== true) return expanded;
  expanded.properties = { ...embeddedProperties, ...expanded.properties, metadata };
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
        items: { $ref: definitionReference(definitionName(resource)) },
      },
      metadata: {
        description: `Standard list metadata. More info: ${conventions}#types-kinds`,
        allOf: [{ $ref: metaReference("ListMeta") }],
      },
    },
    "x-kubernetes-group-version-kind": [{ group, version, kind: listKind }],
  };
}

const scaleSchema: JsonSchema = {
  description: "Scale is a scaling request for a resource.",
  type: "object",
  properties: {
    ...typeProperties,
    metadata: { allOf: [{ $ref: metaReference("ObjectMeta") }] },
    spec: { type: "object", properties: { replicas: { type: "integer", format: "int32" } } },
    status: {
      type: "object",
      required: ["replicas"],
      properties: { replicas: { type: "integer", format: "int32" }, selector: { type: "string" } },
    },
  },
  "x-kubernetes-group-version-kind": [{ group: "autoscaling", version: "v1", kind: "Scale" }],
};
