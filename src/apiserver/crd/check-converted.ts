import { isObject } from "../../apimachinery/is-object.ts";
import type { ObjectMeta, UnstructuredObject } from "../../apimachinery/meta.ts";

/**
 * Returns a converted object with the metadata of the original: only labels and annotations may differ. Throws an
 * Error with a real server's text if the webhook returned something else.
 */
export function checkConverted(
  original: UnstructuredObject,
  converted: unknown,
  apiVersion: string,
): UnstructuredObject {
  if (!isObject(converted)) throw new Error("returned invalid object at index 0: not an object");
  const object = converted as UnstructuredObject;
  for (const [field, wanted] of [["apiVersion", apiVersion] as const, ["kind", original.kind] as const])
    if (object[field] !== wanted)
      throw new Error(`returned invalid object: invalid ${field} (expected ${wanted}, received ${object[field]})`);
  return { ...object, metadata: convertedMeta(original.metadata, metaOf(object)) };
}

function metaOf({ metadata }: UnstructuredObject): Partial<ObjectMeta> {
  return typeof metadata === "object" && metadata !== null ? metadata : {};
}

function convertedMeta(original: ObjectMeta, converted: Partial<ObjectMeta>): ObjectMeta {
  for (const field of ["name", "namespace", "uid"] as const) {
    const [before = "", after = ""] = [original[field], converted[field]];
    if (before !== after)
      throw new Error(`returned invalid object: must have the same ${field}: ${before} != ${after}`);
  }
  const { labels: _labels, annotations: _annotations, ...kept } = original;
  return { ...kept, ...texts(converted, "labels"), ...texts(converted, "annotations") };
}

function texts(metadata: Partial<ObjectMeta>, field: "labels" | "annotations"): Partial<ObjectMeta> {
  const found: unknown = metadata[field];
  if (found === undefined || found === null) return {};
  const isMap = isObject(found) && Object.values(found).every((value) => typeof value === "string");
  if (!isMap) throw new Error(`returned invalid metadata: metadata.${field} must be a map of strings`);
  return Object.keys(found).length > 0 ? { [field]: found } : {};
}
