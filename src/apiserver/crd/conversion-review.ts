import type { UnstructuredObject, ObjectMeta } from "../../apimachinery/meta.ts";
import { isObject } from "../../apimachinery/is-object.ts";
import { cloneJson } from "../../apimachinery/clone.ts";
import { equalJson } from "../../apimachinery/equal.ts";
import { freezeJson } from "../../apimachinery/freeze.ts";
import { applyDefaults } from "../../apimachinery/schema/apply-defaults.ts";
import type { JsonSchema } from "../../apimachinery/json-schema.ts";
import { pruneUnknown } from "../../apimachinery/schema/prune.ts";

const reviewVersion = "apiextensions.k8s.io/v1";

/** Returns the request to a conversion webhook. Stored objects have no resourceVersion yet. */
export function conversionReview(
  objects: readonly UnstructuredObject[],
  { uid, desiredAPIVersion }: { uid: string; desiredAPIVersion: string },
): Record<string, unknown> {
  return {
    kind: "ConversionReview",
    apiVersion: reviewVersion,
    request: { uid, desiredAPIVersion, objects: objects.map(withoutVersion) },
  };
}

/** Returns the objects of a response; throws an Error with a real server's text for an invalid one. */
export function readConverted(text: string, uid: string): readonly unknown[] {
  const { kind, apiVersion, response } = parse(text);
  if (kind !== "ConversionReview" || apiVersion !== reviewVersion)
    throw new Error(
      `expected webhook response of ${reviewVersion}, Kind=ConversionReview, got ${apiVersion ?? ""}, Kind=${kind ?? ""}`,
    );
  if (!response) throw new Error("no response provided");
  if (response.uid !== uid) throw new Error(`expected response.uid="${uid}", got "${response.uid ?? ""}"`);
  const { status = "", message } = response.result ?? {};
  if (status !== "Success") throw new Error(message || `response.result.status was '${status}', not 'Success'`);
  return response.convertedObjects ?? [];
}

function withoutVersion(object: UnstructuredObject): UnstructuredObject {
  const { resourceVersion: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}

interface Review {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly response?: {
    readonly uid?: string;
    readonly result?: { readonly status?: string; readonly message?: string };
    readonly convertedObjects?: readonly unknown[];
  };
}

function parse(text: string): Review {
  try {
    return (JSON.parse(text) as Review | null) ?? {};
  } catch (error) {
    throw new Error("couldn't get version/kind; json parse error: not a JSON object", { cause: error });
  }
}

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

interface Schemas {
  /** Schema of the version in which the object was stored: defaults may have been added later. */
  readonly stored: JsonSchema | undefined;
  /** Schema of the requested version, which may have fewer fields. */
  readonly shown: JsonSchema | undefined;
}

/**
 * Returns a stored object in the shape of a version: with defaults and without unknown fields. Defaults that were added
 * later and are too large for the object are incomplete, so that it can still be read, changed and deleted.
 */
export function inShape(object: UnstructuredObject, { stored, shown }: Schemas): UnstructuredObject {
  const shaped = cloneJson(object);
  if (stored) applyDefaults(stored, shaped);
  if (shown) pruneUnknown(shown, shaped);
  return equalJson(shaped, object) ? object : freezeJson(shaped);
}
