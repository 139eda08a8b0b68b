import { readFileSync } from "node:fs";
import { packageFile } from "../../apimachinery/package-file.ts";
import type { JsonSchema } from "../../apimachinery/json-schema.ts";

/** Texts of a real server's OpenAPI documents that the Go types lack; recorded by test/record/kubernetes. */
export interface OpenApiTexts {
  /** The metav1 types that every document refers to, by the name of their definition. */
  readonly meta: Readonly<Record<string, JsonSchema>>;
  /** Ends of descriptions by `type.field`: the meaning of each value. */
  readonly enums: Readonly<Record<string, string>>;
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
