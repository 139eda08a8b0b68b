import { readFileSync } from "node:fs";
import { packageFile } from "../../apimachinery/package-file.ts";
import type { JsonSchema } from "../../apimachinery/json-schema.ts";

/** What a real server's OpenAPI documents say beyond the Go types; recorded by test/record/kubernetes. */
export interface OpenApiTexts {
  /** The metav1 types that every document refers to, by their definition's name. */
  readonly meta: Readonly<Record<string, JsonSchema>>;
  /** `type.field` to what its description ends with: what each of the values means. */
  readonly enums: Readonly<Record<string, string>>;
}

let loaded: OpenApiTexts | undefined;

/** Reads the data file on the first call. */
export function openApiTexts(): OpenApiTexts {
  const path = "src/apiserver/registry/open-api-texts.json";
  return (loaded ??= JSON.parse(readFileSync(packageFile(path), "utf8")) as OpenApiTexts);
}

/** The key of a metav1 type under components.schemas. */
export function metaName(type: string): string {
  return `io.k8s.apimachinery.pkg.apis.meta.v1.${type}`;
}

/** A `$ref` to a metav1 type. */
export function metaReference(type: string): string {
  return `#/components/schemas/${metaName(type)}`;
}
