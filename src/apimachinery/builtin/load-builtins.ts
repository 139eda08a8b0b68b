import { readFileSync } from "node:fs";
import { packageFile } from "../package-file.ts";
import type { JsonSchema } from "../json-schema.ts";

/** The resources and types of Kubernetes, recorded by test/record/kubernetes. */
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

/** Loads the data file on the first call. Its parts are decoded and parsed on demand: most programs use few types. */
export function loadBuiltins(): Builtins {
  return (loaded ??= builtinsIn(readFileSync(packageFile("src/apimachinery/builtin/kubernetes.json"))));
}

/** Reads the data. The recorder writes each type on a line of its own. */
function builtinsIn(data: Buffer): Builtins {
  const start = data.indexOf('\n"types":{\n') + 11;
  const end = data.indexOf('},\n"lists":{\n', start);
  const places = placesOfTypes(data, start, end);
  const types = new Map<string, JsonSchema>();
  let rest: Pick<Builtins, "resources" | "lists" | "enums"> | undefined;

  return {
    version: /"version":"(.*)"/.exec(data.toString("latin1", 0, 100))?.[1] ?? "",
    get resources() {
      return parseRest().resources;
    },
    get lists() {
      return parseRest().lists;
    },
    get enums() {
      return parseRest().enums;
    },
    typeNames: [...places.keys()],
    type,
  };

  function parseRest(): NonNullable<typeof rest> {
    return (rest ??= JSON.parse(data.toString("utf8", 0, start) + data.toString("utf8", end)) as typeof rest & {});
  }

  function type(name: string): JsonSchema | undefined {
    const known = types.get(name);
    const place = places.get(name);
    if (known || !place) return known;
    const schema = JSON.parse(data.toString("utf8", ...place)) as JsonSchema;
    types.set(name, schema);
    return schema;
  }
}

const lineFeed = 10;

/** Returns the position of each type's JSON. */
function placesOfTypes(data: Buffer, start: number, end: number): Map<string, readonly [start: number, end: number]> {
  const places = new Map<string, readonly [number, number]>();
  for (let line = start; line < end;) {
    const colon = data.indexOf('":', line);
    const next = data.indexOf(lineFeed, line);
    // Without the comma, which the last entry lacks.
    const last = next > end ? end : next - 1;
    places.set(data.toString("latin1", line + 1, colon), [colon + 2, last]);
    line = next + 1;
  }
  return places;
}
