import type { Version } from "../../../../src/check/conversion/version.ts";
import { apiVersionOf, defineKind, type Kind } from "../../../../src/apimachinery/kind.ts";
import type { KubeObject, UnstructuredObject } from "../../../../src/apimachinery/meta.ts";
import type { Converter } from "../../../../src/runtime/webhook/converter.ts";

const shared = {
  image: { type: "string" },
  mode: { type: "string", enum: ["Fast", "Safe"], default: "Fast" },
  surge: { "x-kubernetes-int-or-string": true },
  env: {
    type: "array",
    maxItems: 3,
    "x-kubernetes-list-type": "map",
    "x-kubernetes-list-map-keys": ["name"],
    items: {
      type: "object",
      required: ["name"],
      properties: { name: { type: "string" }, value: { type: "string" } },
    },
  },
  labels: { type: "object", additionalProperties: { type: "string" } },
  extra: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
};
const size = { type: "integer", format: "int32", minimum: 1, maximum: 9 };

function schemaOf(properties: object, rules: object[]): object {
  const spec = { type: "object", required: ["image"], properties, "x-kubernetes-validations": rules };
  const envelope = { apiVersion: { type: "string" }, kind: { type: "string" }, metadata: { type: "object" } };
  const status = { type: "object", properties: { ready: { type: "integer" } } };
  return { type: "object", required: ["spec"], properties: { ...envelope, spec, status } };
}

const names = { group: "cache.example.com", kind: "Cache", plural: "caches", subresources: ["status"] };
const message = "a safe cache has two instances";

/** The hub: `replicas`. */
export const Hub: Kind<Cache> = defineKind<Cache>({
  ...names,
  version: "v1",
  schema: () =>
    schemaOf({ ...shared, replicas: size }, [
      { rule: "self.mode != 'Safe' || !has(self.replicas) || self.replicas > 1", message },
    ]),
});

/** The spoke: `size` instead of `replicas`, and a port that the hub does not have. */
export const Spoke: Kind<Cache> = defineKind<Cache>({
  ...names,
  version: "v1alpha1",
  schema: () =>
    schemaOf({ ...shared, size, port: { type: "integer", minimum: 1, maximum: 65535 } }, [
      { rule: "self.mode != 'Safe' || !has(self.size) || self.size > 1", message },
    ]),
});

export interface Cache extends KubeObject {
  spec: Record<string, unknown>;
  status?: Record<string, unknown>;
}

export const sample: UnstructuredObject = {
  apiVersion: "cache.example.com/v1",
  kind: "Cache",
  metadata: { name: "sample" },
  spec: { image: "registry.example.com/cache:1", replicas: 2 },
};

const port = "cache.example.com/port";

/** Converts without a loss: it keeps the port in an annotation. */
export const correct: Converter = {
  groupKind: "Cache.cache.example.com",
  async convert(object, apiVersion) {
    const { metadata, spec, ...rest } = object as Cache;
    if (typeof spec !== "object") throw new Error("spec is not an object");
    const type = { ...rest, apiVersion, kind: "Cache" };
    if (apiVersion === "cache.example.com/v1") {
      const { size: replicas, port: kept, ...others } = spec;
      const annotations = { ...metadata.annotations, ...(kept !== undefined && { [port]: JSON.stringify(kept) }) };
      return {
        ...type,
        metadata: { ...metadata, annotations },
        spec: { ...others, ...(replicas !== undefined && { replicas }) },
      };
    }
    const { replicas, ...others } = spec;
    const { [port]: kept, ...annotations } = metadata.annotations ?? {};
    return {
      ...type,
      metadata: { ...metadata, annotations },
      spec: {
        ...others,
        ...(replicas !== undefined && { size: replicas }),
        ...(kept !== undefined && { port: JSON.parse(kept) as number }),
      },
    };
  },
};

/** Returns the correct converter with another result. */
export function changing(edit: (result: Cache, from: Cache, to: string) => KubeObject | void): Converter {
  return {
    groupKind: correct.groupKind,
    async convert(object, apiVersion) {
      const result = structuredClone(await correct.convert(object, apiVersion)) as Cache;
      return edit(result, object as Cache, apiVersion) ?? result;
    },
  };
}

/** Returns a kind as the check sees it. */
export function versionOf(kind: Kind): Version {
  return { apiVersion: apiVersionOf(kind), kind: kind.kind, isNamespaced: true, schema: kind.schema!() };
}
