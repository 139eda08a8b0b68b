import { readFileSync } from "node:fs";
import { packageFile } from "../package-file.ts";
import type { JsonSchema } from "../json-schema.ts";
import { kubernetesVersion, releaseOf } from "../kubernetes-version.ts";

/** The resources and types of Kubernetes, recorded by lab/record/kubernetes. */
export interface Builtins {
  readonly version: string;
  readonly resources: readonly BuiltinResource[];
  /** All types by OpenAPI name, such as `io.k8s.api.core.v1.PodSpec`. */
  readonly typeNames: readonly string[];
  /** A type by its OpenAPI name; `$ref`s in it are OpenAPI names, too. */
  readonly type: (name: string) => JsonSchema | undefined;
  /** The patch strategy and merge key of each `type.field`. */
  readonly lists: Readonly<Record<string, readonly [strategy: string, mergeKey: string]>>;
  /** The values that the server allows for each `type.field`. */
  readonly enums: Readonly<Record<string, readonly string[]>>;
  /** The `+k8s:` tags of each `type.field` that are in force, without their prefix. */
  readonly tags: Readonly<Record<string, readonly string[]>>;
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

const loaded = new Map<string, Builtins>();

/**
 * Loads the data file of a recorded version on the first call. Its parts are parsed on demand: most programs use few
 * types.
 */
export function loadBuiltins(version: string = kubernetesVersion): Builtins {
  let builtins = loaded.get(version);
  if (!builtins) {
    const file = packageFile(`src/apimachinery/builtin/kubernetes-${releaseOf(version)}.json`);
    loaded.set(version, (builtins = builtinsIn(readFileSync(file, "latin1"))));
  }
  return builtins;
}

/** Reads the data. The recorder writes ASCII, and each type on a line of its own. */
function builtinsIn(data: string): Builtins {
  const start = data.indexOf('\n"types":{\n') + 11;
  const end = data.indexOf('},\n"lists":{\n', start);
  const types = new Map<string, JsonSchema>();
  let texts: ReadonlyMap<string, string> | undefined;
  let rest: Pick<Builtins, "resources" | "lists" | "enums" | "tags"> | undefined;

  return {
    version: /"version":"(.*)"/.exec(data.slice(0, 100))?.[1] ?? "",
    get resources() {
      return parseRest().resources;
    },
    get lists() {
      return parseRest().lists;
    },
    get enums() {
      return parseRest().enums;
    },
    get tags() {
      return parseRest().tags;
    },
    get typeNames() {
      return [...textsOfTypes().keys()];
    },
    type,
  };

  function parseRest(): NonNullable<typeof rest> {
    return (rest ??= JSON.parse(data.slice(0, start) + data.slice(end)) as typeof rest & {});
  }

  /** Returns each type's JSON. */
  function textsOfTypes(): ReadonlyMap<string, string> {
    return (texts ??= new Map(data.slice(start, end).split(",\n").map(nameAndValue)));
  }

  function type(name: string): JsonSchema | undefined {
    const known = types.get(name);
    const text = known ? undefined : textsOfTypes().get(name);
    if (text === undefined) return known;
    const schema = JSON.parse(text) as JsonSchema;
    types.set(name, schema);
    return schema;
  }
}

/** Splits `"name":value`. */
function nameAndValue(field: string): [string, string] {
  const colon = field.indexOf('":');
  return [field.slice(1, colon), field.slice(colon + 2)];
}
