import type { ObjectMeta, UnstructuredObject } from "../../../apimachinery/meta.ts";

/** A field that the server sets after the mutating webhooks, unless the client sent it. */
type LaterField = keyof Pick<
  ObjectMeta,
  | "uid"
  | "creationTimestamp"
  | "generation"
  | "resourceVersion"
  | "selfLink"
  | "deletionTimestamp"
  | "deletionGracePeriodSeconds"
>;
export type LaterFields = readonly LaterField[];

const laterFields: LaterFields = [
  "uid",
  "creationTimestamp",
  "generation",
  "resourceVersion",
  "selfLink",
  "deletionTimestamp",
  "deletionGracePeriodSeconds",
];

/** The fields of a new object that no mutating webhook sees. */
export const laterOnCreate: LaterFields = ["uid", "creationTimestamp", "generation"];

/** Returns the fields that a client did not send with a PUT. A patched object has those of the stored one. */
export function laterOnPut({ metadata }: UnstructuredObject): LaterFields {
  return laterFields.filter((field) => metadata[field] === undefined);
}

/** Returns an object without these fields. */
export function withoutLater(object: UnstructuredObject, fields: LaterFields): UnstructuredObject {
  const metadata = { ...object.metadata };
  for (const field of fields) delete metadata[field];
  return { ...object, metadata };
}
