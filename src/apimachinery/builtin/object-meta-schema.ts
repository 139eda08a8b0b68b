import type { JsonSchema } from "../json-schema.ts";

const text: JsonSchema = { type: "string" };
const integer: JsonSchema = { type: "integer", format: "int64" };
const time: JsonSchema = { type: "string", format: "date-time", nullable: true };
const texts: JsonSchema = { type: "object", additionalProperties: text };
const meta = "io.k8s.apimachinery.pkg.apis.meta.v1";

/**
 * The schema of metadata, in objects and in pod templates. The recorded data has only an open object, which generators
 * write.
 */
export const objectMetaSchema: JsonSchema = {
  type: "object",
  properties: {
    annotations: texts,
    creationTimestamp: time,
    deletionGracePeriodSeconds: integer,
    deletionTimestamp: time,
    finalizers: { type: "array", items: text, "x-kubernetes-list-type": "set" },
    generateName: text,
    generation: integer,
    labels: texts,
    managedFields: {
      type: "array",
      items: { $ref: `${meta}.ManagedFieldsEntry` },
      "x-kubernetes-list-type": "atomic",
    },
    name: text,
    namespace: text,
    ownerReferences: {
      type: "array",
      items: { $ref: `${meta}.OwnerReference` },
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["uid"],
    },
    resourceVersion: text,
    selfLink: text,
    uid: text,
  },
};
