import { readFileSync } from "node:fs";
import { packageFile } from "../../apimachinery/package-file.ts";
import type { JsonSchema } from "../../apimachinery/json-schema.ts";

/** Parts of a real server's OpenAPI documents that the Go types lack; recorded by lab/record/kubernetes. */
export interface OpenApiTexts {
  /** The types of metadata and options whole, by the name of their definition. */
  readonly meta: Readonly<Record<string, JsonSchema>>;
  /** Ends of descriptions by `type.field`: the meaning of each value. */
  readonly enums: Readonly<Record<string, string>>;
  /** Merge patches from the definitions that the Go types give to the real ones: defaults, for the most part. */
  readonly types: Readonly<Record<string, unknown>>;
  /** Parameters by name; ` of <verb or subresource>` follows a name that has several descriptions. */
  readonly parameters: Readonly<Record<string, RecordedParameter>>;
  /** Groups that the options of custom resources are not said to belong to. */
  readonly notCustom: readonly string[];
}

/** A parameter as in version 2 of OpenAPI. */
export interface RecordedParameter {
  readonly name: string;
  readonly in: "path" | "query" | "body";
  readonly description?: string;
  readonly required?: boolean;
  readonly type?: string;
  readonly uniqueItems?: boolean;
  readonly schema?: JsonSchema;
  /** The name by which operations of version 2 refer to it. */
  readonly shared?: string;
}

let openApiData: OpenApiTexts | undefined;

/** Returns the texts; reads the data file on the first call. */
export function openApiTexts(): OpenApiTexts {
  const path = "src/apiserver/registry/open-api-texts.json";
  return (openApiData ??= JSON.parse(readFileSync(packageFile(path), "utf8")) as OpenApiTexts);
}

/** Returns the key of a metav1 type under components.schemas. */
export function metaName(type: string): string {
  return `io.k8s.apimachinery.pkg.apis.meta.v1.${type}`;
}

/** Returns a `$ref` to a metav1 type. */
export function metaReference(type: string): string {
  return `#/components/schemas/${metaName(type)}`;
}
