import { emitYamlDocuments } from "../apimachinery/yaml/emit.ts";
import type { DefinedVersion, ResourceDefinition } from "./model.ts";
import type { JsonSchema } from "../apimachinery/json-schema.ts";
import { mapSubschemas } from "../apimachinery/map-subschemas.ts";

/** A generated file; the path is relative to the project. */
export interface OutputFile {
  readonly path: string;
  readonly text: string;
}

/** The annotation that marks the files of tsop for later runs. */
export const versionAnnotation = "tsop.dev/version";

/** Generates one file for each CustomResourceDefinition, in controller-gen's layout. */
export function generateCrds(resources: readonly ResourceDefinition[], { folder, version }: CrdOptions): OutputFile[] {
  return resources.map((resource) => ({
    path: `${folder}/${resource.group}_${resource.plural}.yaml`,
    text: emitYamlDocuments([customResourceDefinition(resource, version)]),
  }));
}

export interface CrdOptions {
  readonly folder: string;
  /** The version of tsop, for the annotation. */
  readonly version: string;
}

/** Returns the CustomResourceDefinition as an object for the server. */
export function customResourceDefinition(resource: ResourceDefinition, version: string): object {
  const { group, kind, plural, singular, shortNames, categories, scope, labels } = resource;
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: {
      annotations: { ...resource.annotations, [versionAnnotation]: version },
      labels: Object.keys(labels).length > 0 ? labels : undefined,
      name: `${plural}.${group}`,
    },
    spec: {
      group,
      names: {
        categories: categories.length > 0 ? categories : undefined,
        kind,
        listKind: `${kind}List`,
        plural,
        shortNames: shortNames.length > 0 ? shortNames : undefined,
        singular,
      },
      scope,
      versions: resource.versions.map(versionEntry),
    },
  };
}

function versionEntry(version: DefinedVersion): object {
  const { name, served, storage, deprecated, subresources, printColumns, selectableFields, schema, source } = version;
  const { maxDescLen } = source;
  const { status, scale } = subresources;
  // controller-gen writes empty subresources for a version that has columns only.
  const mentions = status ?? scale ?? (printColumns.length > 0 ? true : undefined);
  return {
    additionalPrinterColumns: printColumns.length > 0 ? printColumns.map(printColumn) : undefined,
    deprecated: deprecated ? true : undefined,
    deprecationWarning: deprecated?.warning,
    name,
    schema: { openAPIV3Schema: maxDescLen === undefined ? schema : shortenDescriptions(schema, maxDescLen) },
    selectableFields: selectableFields.length > 0 ? selectableFields : undefined,
    served,
    storage,
    subresources: mentions ? { scale, status: status ? {} : undefined } : undefined,
  };
}

function printColumn({ description, format, priority, ...column }: DefinedVersion["printColumns"][number]): object {
  return {
    ...column,
    description: description || undefined,
    format: format || undefined,
    priority: priority || undefined,
  };
}

/** Shortens the descriptions of a schema to a number of bytes, as controller-gen's maxDescLen does; 0 removes them. */
export function shortenDescriptions(schema: JsonSchema, bytes: number): JsonSchema {
  const { description, ...rest } = schema;
  return {
    ...(description && bytes > 0 && { description: shorten(description, bytes) }),
    ...rest,
    ...mapSubschemas(schema, (each) => shortenDescriptions(each, bytes)),
  };
}

/** Cuts a text after the last sentence that fits, or else after the last word. */
function shorten(text: string, bytes: number): string {
  if (Buffer.byteLength(text) <= bytes) return text;
  const cut = Buffer.from(text)
    .subarray(0, bytes)
    .toString()
    .replace(/\uFFFD$/, "");
  const sentences = /^[\s\S]+\p{Sentence_Terminal}/u.exec(cut)?.[0];
  return sentences ?? `${/^([\s\S]+)\p{White_Space}/u.exec(cut)?.[1] ?? cut}...`;
}
