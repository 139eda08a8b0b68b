import { loadBuiltins } from "../../apimachinery/builtin/load-builtins.ts";
import type { JsonSchema } from "../../apimachinery/json-schema.ts";
import { mapSubschemas } from "../../apimachinery/map-subschemas.ts";
import { flatten, useOf, type Draft } from "./schema-draft.ts";
import { merge } from "./merge.ts";
import { nameType } from "./type-names.ts";

/** Returns the OpenAPI name of an imported built-in type; `undefined` if it is not built in. */
export function builtinTypeName(specifier: string, name: string): string | undefined {
  if (specifier === "tsop") return nameIn(`${meta}.v1.${name}`);
  const path = /^tsop\/k8s\/([a-z0-9.]+)\/(v\w+)$/.exec(specifier);
  if (path) return nameIn(...namesIn(path[1] ?? "", `${path[2]}.${name}`));
  return specifier === "@kubernetes/client-node" ? clientNodeType(name) : undefined;
}

/**
 * Returns the flat schema with its documentation, expanded as controller-gen does; `recursive` if the type contains
 * itself.
 */
export function builtinTypeSchema(name: string): JsonSchema | "recursive" {
  const known = flat.get(name);
  if (known) return known;
  flat.set(name, "recursive");
  const found: Found = { recursive: false };
  const schema = flatten(resolve(loadBuiltins().type(name) ?? {}, found), noConflict);
  const typeName = { name: name.slice(name.lastIndexOf(".") + 1), builtin: name };
  const result = found.recursive ? "recursive" : nameType(schema, typeName);
  flat.set(name, result);
  return result;
}

/** Returns the Kubernetes release of the types. */
export function builtinVersion(): string {
  return loadBuiltins().version;
}

const flat = new Map<string, JsonSchema | "recursive">();
const meta = "io.k8s.apimachinery.pkg.apis.meta";

interface Found {
  /** True if a type on the way contains itself. */
  recursive: boolean;
}

function nameIn(...candidates: readonly string[]): string | undefined {
  return candidates.find((candidate) => loadBuiltins().type(candidate) !== undefined);
}

function namesIn(group: string, versionAndName: string): string[] {
  if (group === "meta") return [`${meta}.${versionAndName}`];
  return [
    `io.k8s.api.${group.split(".")[0]}.${versionAndName}`,
    `io.k8s.apiextensions-apiserver.pkg.apis.${group}.${versionAndName}`,
  ];
}

/** Resolves names of client-node: `V1PodSpec`, or `CoreV1Event` if groups share a name. */
function clientNodeType(name: string): string | undefined {
  if (name === "IntOrString") return "io.k8s.apimachinery.pkg.util.intstr.IntOrString";
  if (name === "KubernetesObject") return "io.k8s.apimachinery.pkg.runtime.RawExtension";
  const [, group, version, type] = /^([A-Z][a-z]+)??(V\d+(?:(?:alpha|beta)\d+)?)([A-Z]\w*)$/.exec(name) ?? [];
  if (!version || !type) return undefined;
  const end = `.${version.toLowerCase()}.${type}`;
  const all = loadBuiltins().typeNames.filter((candidate) => candidate.endsWith(end));
  if (group) return all.find((candidate) => candidate.endsWith(`.${group.toLowerCase()}${end}`));
  return all.find((candidate) => candidate.includes(".core.")) ?? all[0];
}

/** Replaces references by uses of flat schemas. */
function resolve(source: JsonSchema, found: Found): Draft {
  const { $ref, allOf, ...own } = source;
  const draft: Draft = $ref === undefined ? own : Object.assign(useOf(resolveReference($ref, found)), own);
  Object.assign(
    draft,
    mapSubschemas(own, (part) => resolve(part, found)),
  );
  return allOf ? embed(draft, allOf, found) : draft;
}

/** Embeds Go's embedded structs: their fields join the type's own. */
function embed(draft: Draft, embedded: readonly JsonSchema[], found: Found): Draft {
  const branches = embedded.map((branch) => flatten(resolve(branch, found), noConflict));
  return branches.reduce<JsonSchema>((joined, branch) => merge(joined, branch, noConflict), flatten(draft, noConflict));
}

function resolveReference(name: string, found: Found): JsonSchema {
  const schema = builtinTypeSchema(name);
  if (schema !== "recursive") return schema;
  found.recursive = true;
  return {};
}

// The data comes from types that compile, so two of them never disagree.
function noConflict(): void {}
