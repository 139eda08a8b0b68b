import { readFileSync } from "node:fs";
import { packageFile } from "../package-file.ts";
import type { JsonSchema } from "../schema/json-schema.ts";

/** What Kubernetes 1.36 serves and the types behind it; recorded by test/record/kubernetes-data. */
export interface Builtins {
  readonly version: string;
  readonly resources: readonly BuiltinResource[];
  /** By OpenAPI name, such as `io.k8s.api.core.v1.PodSpec`; `$ref`s are OpenAPI names, too. */
  readonly types: Readonly<Record<string, JsonSchema>>;
  /** `type.field` to patch strategy and merge key. */
  readonly lists: Readonly<Record<string, readonly [strategy: string, mergeKey: string]>>;
  /** `type.field` to the values the server allows. */
  readonly enums: Readonly<Record<string, readonly string[]>>;
}

export interface BuiltinResource {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly singular: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  /** The OpenAPI name of the type. */
  readonly type: string;
  readonly subresources: readonly {
    readonly name: string;
    readonly kind: string;
    readonly group?: string;
    readonly version?: string;
    readonly verbs: readonly string[];
  }[];
}

let loaded: Builtins | undefined;

/** Reads the data file on the first call (a few milliseconds); whoever needs no built-in type never pays for it. */
export function loadBuiltins(): Builtins {
  loaded ??= JSON.parse(readFileSync(packageFile("src/apimachinery/builtin/kubernetes-1.36.json"), "utf8")) as Builtins;
  return loaded;
}
