import type { KubeObject, UnstructuredObject } from "./meta.ts";

declare const objectType: unique symbol;

/** The description of a kind for client and runtime. `T` is the object's type and exists only for the compiler. */
export interface Kind<T extends KubeObject = KubeObject> {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly listKind: string;
  readonly plural: string;
  readonly scope: "Namespaced" | "Cluster";
  readonly subresources: readonly string[];
  /** `metadata` asks the server for PartialObjectMetadata only. */
  readonly projection: "full" | "metadata";
  /** The OpenAPI v3 schema, for validation and defaulting in the process; absent for built-in kinds. */
  readonly schema?: (() => object) | undefined;
  readonly [objectType]?: T;
}

/** The input of `defineKind`; the rest is derived from it. */
export interface KindDefinition {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly listKind?: string;
  readonly scope?: "Namespaced" | "Cluster";
  readonly subresources?: readonly string[];
  readonly schema?: () => object;
}

/**
 * Declares a kind. Generated code calls this.
 *
 * @example
 * const Backup = defineKind({ group: "example.com", version: "v1", kind: "Backup", plural: "backups", subresources: ["status"] });
 * const backups = await client.list(Backup);
 */
export function defineKind<T extends KubeObject = UnstructuredObject>(definition: KindDefinition): Kind<T> {
  return {
    group: definition.group,
    version: definition.version,
    kind: definition.kind,
    listKind: definition.listKind ?? `${definition.kind}List`,
    plural: definition.plural,
    scope: definition.scope ?? "Namespaced",
    subresources: definition.subresources ?? [],
    projection: "full",
    schema: definition.schema,
  };
}

/**
 * Returns a kind that is read as metadata only.
 *
 * @example
 * const { items } = await client.list(metadataOnly(Secret), { namespace: "default" });
 * const names = items.map(({ metadata }) => metadata.name);
 */
export function metadataOnly(kind: Kind): Kind {
  return { ...kind, projection: "metadata", schema: undefined };
}

/**
 * Returns `apps/v1`, or `v1` for the core group.
 *
 * @example
 * const owner = { apiVersion: apiVersionOf(Memcached), kind: Memcached.kind, name: request.name };
 */
export function apiVersionOf(kind: Pick<Kind, "group" | "version">): string {
  return kind.group ? `${kind.group}/${kind.version}` : kind.version;
}

/** Splits an `apiVersion` into group and version. */
export function parseApiVersion(apiVersion: string): { group: string; version: string } {
  const slash = apiVersion.indexOf("/");
  return slash < 0
    ? { group: "", version: apiVersion }
    : { group: apiVersion.slice(0, slash), version: apiVersion.slice(slash + 1) };
}

/**
 * Returns `Deployment.apps`, or `Pod` for the core group.
 *
 * @example
 * ctx.log.info("Watching", { kind: groupKindOf(Deployment) }); // Deployment.apps
 */
export function groupKindOf(kind: Pick<Kind, "group" | "kind">): string {
  return kind.group ? `${kind.kind}.${kind.group}` : kind.kind;
}

/** Returns the URL path of a collection, an object, or a subresource. */
export function resourcePath(kind: Pick<Kind, "group" | "version" | "plural">, at: ResourceAddress = {}): string {
  const root = kind.group ? `/apis/${kind.group}/${kind.version}` : `/api/${kind.version}`;
  const namespace = at.namespace ? `/namespaces/${encodeURIComponent(at.namespace)}` : "";
  const name = at.name ? `/${encodeURIComponent(at.name)}` : "";
  const subresource = at.subresource ? `/${at.subresource}` : "";
  return `${root}${namespace}/${kind.plural}${name}${subresource}`;
}

export interface ResourceAddress {
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
  readonly subresource?: string | undefined;
}

/** A schema of a library that follows Standard JSON Schema: zod 4, ArkType, and Valibot with `toStandardJsonSchema`. */
export interface StandardJsonSchema {
  readonly "~standard": { readonly jsonSchema: { readonly input: (options: { target: "draft-2020-12" }) => object } };
}

/**
 * Makes a schema the source of a kind, and returns it. `tsop generate` writes the kind's types from it, next to the file.
 *
 * @example
 * // The same as z.object({ spec: z.object({ size: z.int().min(1) }) }) of zod.
 * const spec = { type: "object", properties: { size: { type: "integer", minimum: 1 } }, required: ["size"] };
 * const schema = { "~standard": { jsonSchema: { input: () => ({ properties: { spec }, required: ["spec"] }) } } };
 * // +kubebuilder:object:root=true
 * export const Memcached = kindOf(schema);
 */
export function kindOf<Schema extends StandardJsonSchema>(schema: Schema): Schema {
  return schema;
}
