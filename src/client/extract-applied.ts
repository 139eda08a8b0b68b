import { cloneJson } from "../apimachinery/clone.ts";
import { equalJson } from "../apimachinery/equal.ts";
import { isObject } from "../apimachinery/is-object.ts";
import type { KubeObject, Named } from "../apimachinery/meta.ts";
import { TsopError } from "../errors/tsop-error.ts";
import type { ApplyConfiguration } from "./client.ts";

/** The part of an object that `extractApplied` looks at. */
export interface ExtractOptions {
  /** The subresource that the owner has applied, such as `status`; by default, the object itself. */
  readonly subresource?: string;
}

/**
 * Returns the fields of an object that an owner has applied, ready to be changed and applied again. Without such fields, the
 * result has only the names of the object: others may have taken them over. Throws if the object has no managedFields, as
 * in the cache of a manager, because to apply the result would remove all fields of the owner.
 *
 * @example
 * const applied = extractApplied(await mgr.apiReader.get(ConfigMap, request), "memcached-operator");
 * applied.data = { ...applied.data, "max-memory": "64m" };
 * await client.apply(ConfigMap, applied, { fieldOwner: "memcached-operator" });
 */
export function extractApplied<T extends KubeObject>(
  object: T & Named,
  fieldOwner: string,
  { subresource = "" }: ExtractOptions = {},
): ApplyConfiguration<T> {
  const { apiVersion, kind, metadata } = object;
  if (!metadata.managedFields)
    throw new TsopError("TSOP_NO_MANAGED_FIELDS", { kind: kind ?? "object", name: metadata.name });
  const entry = metadata.managedFields.find(
    (one) => one.manager === fieldOwner && one.operation === "Apply" && (one.subresource ?? "") === subresource,
  );
  const owned = (entry?.fieldsV1 ? extract(object, entry.fieldsV1) : {}) as Partial<KubeObject>;
  return {
    ...owned,
    ...(apiVersion === undefined ? {} : { apiVersion }),
    ...(kind === undefined ? {} : { kind }),
    metadata: {
      ...owned.metadata,
      name: metadata.name,
      ...(metadata.namespace === undefined ? {} : { namespace: metadata.namespace }),
    },
  } as ApplyConfiguration<T>;
}

/** Returns the part of a value that a set of fields names; a field without members is owned as a whole. */
function extract(value: unknown, fields: Readonly<Record<string, unknown>>): unknown {
  const members = Object.entries(fields).filter(([key]) => key !== ".");
  const isWhole = members.length === 0 && !Object.hasOwn(fields, ".");
  if (isWhole || typeof value !== "object" || value === null) return cloneJson(value);
  if (Array.isArray(value)) return members.flatMap(([key, inner]) => elementsOf(value, key, inner));
  const parts = members.flatMap(([key, inner]) => {
    const name = key.slice("f:".length);
    const member = Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
    return member === undefined ? [] : [[name, extract(member, isObject(inner) ? inner : {})] as const];
  });
  return Object.fromEntries(parts);
}

/** Finds the element of a list that `k:{…}` identifies by its keys, `v:…` by its value, or `i:…` by its index. */
function elementsOf(list: readonly unknown[], key: string, inner: unknown): unknown[] {
  const [type, text] = [key.slice(0, 2), key.slice(2)];
  const fields = isObject(inner) ? inner : {};
  if (type === "i:") return [extract(list[Number(text)], fields)];
  const wanted: unknown = JSON.parse(text);
  if (type === "v:") return list.filter((one) => equalJson(one, wanted)).map((one) => cloneJson(one));
  const keys = Object.entries(wanted as object);
  const found = list.find((one) => isObject(one) && keys.every(([name, part]) => equalJson(one[name], part)));
  return found === undefined ? [] : [{ ...Object.fromEntries(keys), ...(extract(found, fields) as object) }];
}
