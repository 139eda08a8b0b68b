import { readFileSync } from "node:fs";
import type { JsonSchema } from "../../apimachinery/json-schema.ts";
import { packageFile } from "../../apimachinery/package-file.ts";

/** What the OpenAPI documents of a real server have and the Go types lack; recorded by lab/record/kubernetes. */
export interface OpenApiTexts {
  /** The definition of ObjectMeta, of which controller-gen writes no fields. */
  readonly objectMeta: JsonSchema;
  /** Ends of descriptions by `type.field`: the meaning of each value. */
  readonly enums: Readonly<Record<string, string>>;
}

let openApiData: OpenApiTexts | undefined;

/** Returns the texts; reads the data file on the first call. */
export function openApiTexts(): OpenApiTexts {
  const path = "src/apiserver/registry/open-api-texts.json";
  return (openApiData ??= JSON.parse(readFileSync(packageFile(path), "utf8")) as OpenApiTexts);
}
