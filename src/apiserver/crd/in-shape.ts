import { cloneJson } from "../../apimachinery/clone.ts";
import { equalJson } from "../../apimachinery/equal.ts";
import { freezeJson } from "../../apimachinery/freeze.ts";
import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import { applyDefaults } from "../../apimachinery/schema/apply-defaults.ts";
import type { JsonSchema } from "../../apimachinery/json-schema.ts";
import { pruneUnknown } from "../../apimachinery/schema/prune.ts";

export interface Schemas {
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
