import type { JsonSchema } from "../json-schema.ts";
import { mapSubschemas } from "../map-subschemas.ts";
import type { CrdColumn, CrdSpec, CrdVersion, CustomResourceDefinition } from "./crd-types.ts";

type OldColumn = Omit<CrdColumn, "jsonPath"> & { readonly JSONPath?: string; readonly jsonPath?: string };

interface OldVersion extends Omit<CrdVersion, "additionalPrinterColumns"> {
  readonly additionalPrinterColumns?: readonly OldColumn[];
}

/** The spec of `apiextensions.k8s.io/v1beta1`, as far as it differs from v1. */
interface OldSpec extends Omit<CrdSpec, "versions" | "scope"> {
  readonly scope?: CrdSpec["scope"];
  readonly version?: string;
  readonly versions?: readonly OldVersion[];
  readonly validation?: { readonly openAPIV3Schema?: JsonSchema };
  readonly subresources?: CrdVersion["subresources"];
  readonly additionalPrinterColumns?: readonly OldColumn[];
}

/**
 * Converts a CustomResourceDefinition of v1beta1 to v1: what the spec says about all versions is written in each of
 * them. One of v1 is returned as it is.
 */
export function convertV1beta1(crd: CustomResourceDefinition): CustomResourceDefinition {
  if (crd.apiVersion !== "apiextensions.k8s.io/v1beta1") return crd;
  const { version, versions, validation, subresources, additionalPrinterColumns, ...spec } = crd.spec as OldSpec;
  const named = versions ?? [{ name: version ?? "", served: true, storage: true }];
  const shared = { schema: validation, subresources, additionalPrinterColumns };
  return {
    ...crd,
    apiVersion: "apiextensions.k8s.io/v1",
    spec: { ...spec, scope: spec.scope ?? "Namespaced", versions: named.map((one) => convertVersion(one, shared)) },
  };
}

interface Shared {
  readonly schema: CrdVersion["schema"] | undefined;
  readonly subresources: CrdVersion["subresources"] | undefined;
  readonly additionalPrinterColumns: readonly OldColumn[] | undefined;
}

function convertVersion(version: OldVersion, shared: Shared): CrdVersion {
  const { schema = shared.schema, subresources = shared.subresources } = version;
  const columns = version.additionalPrinterColumns ?? shared.additionalPrinterColumns;
  const { additionalPrinterColumns: _old, ...rest } = version;
  return {
    ...rest,
    ...(schema?.openAPIV3Schema ? { schema: { openAPIV3Schema: completeRoot(schema.openAPIV3Schema) } } : {}),
    ...(subresources ? { subresources } : {}),
    ...(columns ? { additionalPrinterColumns: columns.map(convertColumn) } : {}),
  };
}

/** A server checks the fields of every object itself. */
function completeRoot({ properties = {}, ...schema }: JsonSchema): JsonSchema {
  const { apiVersion: _version, kind: _kind, ...own } = properties;
  return completeTypes({ ...schema, type: "object", properties: own });
}

function convertColumn({ JSONPath, jsonPath, ...column }: OldColumn): CrdColumn {
  return { ...column, jsonPath: jsonPath ?? JSONPath ?? "" };
}

/**
 * Returns a schema of v1beta1 with the types that v1 requires: an object for properties, a list for items, an
 * int-or-string for a choice of both, and any value for the rest.
 */
function completeTypes(schema: JsonSchema): JsonSchema {
  return {
    ...schema,
    ...missingType(schema),
    ...mapSubschemas(schema.type === "array" ? { items: {}, ...schema } : schema, completeTypes),
  };
}

function missingType(schema: JsonSchema): JsonSchema {
  const { type, properties, additionalProperties, items, anyOf, enum: values } = schema;
  if (type || schema["x-kubernetes-int-or-string"] || schema["x-kubernetes-preserve-unknown-fields"]) return {};
  if (properties || additionalProperties) return { type: "object" };
  if (items) return { type: "array" };
  const choices = anyOf?.map((choice) => choice.type);
  if (choices?.join() === "integer,string") return { "x-kubernetes-int-or-string": true };
  return values?.every((value) => typeof value === "string")
    ? { type: "string" }
    : { "x-kubernetes-preserve-unknown-fields": true };
}
