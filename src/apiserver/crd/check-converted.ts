import { goType } from "../../apimachinery/go-text.ts";
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
  if (object.apiVersion !== apiVersion)
    throw new Error(
      `returned invalid object at index 0: invalid groupVersion (expected ${apiVersion}, received ${object.apiVersion ?? ""})`,
    );
  if (object.kind !== original.kind)
    throw new Error(
      `returned invalid object at index 0: invalid kind (expected ${original.kind}, received ${object.kind ?? ""})`,
    );
  return { ...object, metadata: convertedMeta(original.metadata, metaOf(object)) };
}

function metaOf({ metadata }: UnstructuredObject): Partial<ObjectMeta> {
  return typeof metadata === "object" && metadata !== null ? metadata : {};
}

const identity = [
  ["name", "name"],
  ["namespace", "namespace"],
  ["uid", "UID"],
] as const;

function convertedMeta(original: ObjectMeta, converted: Partial<ObjectMeta>): ObjectMeta {
  for (const [field, title] of identity) {
    const [before = "", after = ""] = [original[field], converted[field]];
    if (before !== after)
      throw new Error(`returned invalid object: must have the same ${title}: ${before} != ${after}`);
  }
  const { labels: _labels, annotations: _annotations, ...kept } = original;
  return { ...kept, ...texts(converted, "labels"), ...texts(converted, "annotations") };
}

function texts(metadata: Partial<ObjectMeta>, field: "labels" | "annotations"): Partial<ObjectMeta> {
  const found: unknown = metadata[field];
  if (found === undefined || found === null) return {};
  if (typeof found !== "object" || Array.isArray(found))
    throw new Error(
      `returned invalid metadata: metadata.${field} must be a map, but is ${typeof found} in converted object`,
    );
  for (const [key, value] of Object.entries(found))
    if (typeof value !== "string")
      throw new Error(
        `returned invalid metadata: metadata.${field}[${key}] must be a string, but is ${goType(value)} in converted object`,
      );
  // A real server omits an empty map.
  return Object.keys(found).length > 0 ? { [field]: found } : {};
}
