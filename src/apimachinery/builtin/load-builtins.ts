import { readFileSync } from "node:fs";
import { packageFile } from "../package-file.ts";
import type { JsonSchema } from "../schema/json-schema.ts";

/** What Kubernetes 1.36 serves and the types behind it; recorded by test/record/kubernetes-data. */
export interface Builtins {
  readonly version: string;
  readonly resources: readonly BuiltinResource[];
  /** All types by OpenAPI name, such as `io.k8s.api.core.v1.PodSpec`. */
  readonly typeNames: readonly string[];
  /** A type by its OpenAPI name; `$ref`s in it are OpenAPI names, too. */
  readonly type: (name: string) => JsonSchema | undefined;
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

/**
 * Reads the data file on the first call. Types are parsed when they are first asked for: few need all of them, and whoever
 * needs none never pays for them.
 */
export function loadBuiltins(): Builtins {
  return (loaded ??= parseBuiltins(readFileSync(packageFile("src/apimachinery/builtin/kubernetes-1.36.json"), "utf8")));
}

/** The recorder puts every type on a line of its own. */
function parseBuiltins(text: string): Builtins {
  const opening = '\n"types":{\n';
  const closing = '},\n"lists":{\n';
  const start = text.indexOf(opening) + opening.length;
  const end = text.indexOf(closing, start);
  const { version, resources, lists, enums } = JSON.parse(text.slice(0, start) + text.slice(end)) as Omit<
    Builtins,
    "type" | "typeNames"
  >;
  const lines = new Map<string, string>();
  for (const line of text.slice(start, end).split("\n")) lines.set(line.slice(1, line.indexOf('":')), line);
  const parsed = new Map<string, JsonSchema>();
  return { version, resources, lists, enums, typeNames: [...lines.keys()], type };

  function type(name: string): JsonSchema | undefined {
    const line = lines.get(name);
    const known = parsed.get(name);
    if (known || line === undefined) return known;
    const schema = JSON.parse(line.slice(name.length + 3, line.endsWith(",") ? -1 : undefined)) as JsonSchema;
    parsed.set(name, schema);
    return schema;
  }
}
