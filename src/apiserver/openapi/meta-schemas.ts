import type { JsonSchema } from "../../apimachinery/schema/json-schema.ts";

/** Definitions that every document refers to, with descriptions of our own for `kubectl explain`. */
export const metaSchemas: Readonly<Record<string, JsonSchema>> = {
  [metaName("Time")]: text("A time as RFC 3339 text in UTC.", "date-time"),
  [metaName("FieldsV1")]: { type: "object", description: "A set of fields as a tree of field names." },
  [metaName("Patch")]: { type: "object", description: "A change of a Kubernetes object." },
  [metaName("OwnerReference")]: {
    ...object("An object that owns this one and without which it is garbage.", {
      apiVersion: text("API version of the owner."),
      kind: text("Kind of the owner."),
      name: text("Name of the owner."),
      uid: text("UID of the owner."),
      controller: flag("True for the one owner that manages this object."),
      blockOwnerDeletion: flag("Keeps the owner, deleted in the foreground, until this object is gone."),
    }),
    required: ["apiVersion", "kind", "name", "uid"],
    "x-kubernetes-map-type": "atomic",
  },
  [metaName("ManagedFieldsEntry")]: object("The fields that one manager has set.", {
    apiVersion: text("API version of the fields."),
    fieldsType: text("FieldsV1."),
    fieldsV1: { allOf: [{ $ref: metaReference("FieldsV1") }], description: "The set of fields." },
    manager: text("Name of the manager."),
    operation: text("Apply or Update."),
    subresource: text("Subresource through which the fields were set; empty for the object itself."),
    time: { allOf: [{ $ref: metaReference("Time") }], description: "When the set last changed." },
  }),
  [metaName("ObjectMeta")]: object("What all Kubernetes objects have.", {
    annotations: strings("Notes that tools keep with the object; not for selecting."),
    creationTimestamp: { allOf: [{ $ref: metaReference("Time") }], description: "When the object was created." },
    deletionGracePeriodSeconds: integer("Seconds between the deletion request and the deletion."),
    deletionTimestamp: {
      allOf: [{ $ref: metaReference("Time") }],
      description: "When the object is to be gone; set by a deletion request.",
    },
    finalizers: {
      ...list("What must be done before the object is removed.", { type: "string" }),
      "x-kubernetes-list-type": "set",
      "x-kubernetes-patch-strategy": "merge",
    },
    generateName: text("Prefix of a name that the server completes when no name is given."),
    generation: integer("Counts the changes of the desired state."),
    labels: strings("Names and values by which the object can be selected."),
    managedFields: {
      ...list("Which manager has set which fields.", { $ref: metaReference("ManagedFieldsEntry") }),
      "x-kubernetes-list-type": "atomic",
    },
    name: text("Name of the object, unique in its namespace; cannot be changed."),
    namespace: text("Namespace of the object; cannot be changed."),
    ownerReferences: {
      ...list("The objects that own this one.", { $ref: metaReference("OwnerReference") }),
      "x-kubernetes-list-map-keys": ["uid"],
      "x-kubernetes-list-type": "map",
      "x-kubernetes-patch-merge-key": "uid",
      "x-kubernetes-patch-strategy": "merge",
    },
    resourceVersion: text("Version of the stored object, for optimistic locking and watching; opaque."),
    selfLink: text("No longer filled in."),
    uid: text("Identifies the object in time and space."),
  }),
  [metaName("ListMeta")]: object("What all lists have.", {
    continue: text("Token for the next part of a list that came with a limit."),
    remainingItemCount: integer("How many items are left after this part."),
    resourceVersion: text("Version of the list, to start a watch from."),
    selfLink: text("No longer filled in."),
  }),
  [metaName("Preconditions")]: object("What must hold for a deletion to be carried out.", {
    resourceVersion: text("The resourceVersion that the object must have."),
    uid: text("The UID that the object must have."),
  }),
  [metaName("DeleteOptions")]: object("How an object is to be deleted.", {
    apiVersion: text("v1"),
    dryRun: list("All: nothing is deleted.", { type: "string" }),
    gracePeriodSeconds: integer("Seconds until the object is removed; 0 means at once."),
    kind: text("DeleteOptions"),
    orphanDependents: flag("Superseded by propagationPolicy."),
    preconditions: { allOf: [{ $ref: metaReference("Preconditions") }], description: "What must hold." },
    propagationPolicy: text("What happens to dependents: Orphan, Background or Foreground."),
  }),
};

/** The key of a metav1 type under components.schemas. */
export function metaName(type: string): string {
  return `io.k8s.apimachinery.pkg.apis.meta.v1.${type}`;
}

/** A `$ref` to a metav1 type. */
export function metaReference(type: string): string {
  return `#/components/schemas/${metaName(type)}`;
}

function object(description: string, properties: Record<string, JsonSchema>): JsonSchema {
  return { description, type: "object", properties };
}

function text(description: string, format?: string): JsonSchema {
  return { description, type: "string", ...(format === undefined ? {} : { format }) };
}

function integer(description: string): JsonSchema {
  return { description, type: "integer", format: "int64" };
}

function flag(description: string): JsonSchema {
  return { description, type: "boolean" };
}

function list(description: string, items: JsonSchema): JsonSchema {
  return { description, type: "array", items };
}

function strings(description: string): JsonSchema {
  return { description, type: "object", additionalProperties: { type: "string" } };
}
