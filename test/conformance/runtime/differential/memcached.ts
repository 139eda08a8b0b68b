import {
  defineKind,
  type Condition,
  type Kind,
  type KubeObject,
  type UnstructuredObject,
} from "../../../../src/index.ts";

/** Version v1alpha1, which the controllers use. */
export interface Memcached extends KubeObject {
  spec: { size?: number; mode?: string };
  status?: { nodes?: string[]; conditions?: Condition[] };
}

/** Version v1, the target of conversions; only webhooks know it. */
export interface HubMemcached extends KubeObject {
  spec: { replicas?: number };
}

const names = { group: "differential.example.com", kind: "Memcached", plural: "memcacheds" };

export const Memcached: Kind<Memcached> = defineKind<Memcached>({
  ...names,
  version: "v1alpha1",
  subresources: ["status"],
});
export const HubMemcached: Kind<HubMemcached> = defineKind<HubMemcached>({ ...names, version: "v1" });

const condition = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
const properties = {
  spec: { type: "object", properties: { size: { type: "integer", format: "int32" }, mode: { type: "string" } } },
  status: {
    type: "object",
    properties: {
      nodes: { type: "array", items: { type: "string" } },
      conditions: { type: "array", items: condition },
    },
  },
};

export const memcachedCrd: UnstructuredObject = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: `${names.plural}.${names.group}` },
  spec: {
    group: names.group,
    names: { kind: names.kind, plural: names.plural, listKind: "MemcachedList", singular: "memcached" },
    scope: "Namespaced",
    versions: [
      {
        name: "v1alpha1",
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: { openAPIV3Schema: { type: "object", properties } },
      },
    ],
  },
};
