import { cloneJson } from "../../apimachinery/clone.ts";
import { equalJson } from "../../apimachinery/equal.ts";
import { freezeJson } from "../../apimachinery/freeze.ts";
import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import { applyDefaults } from "../../apimachinery/schema/apply-defaults.ts";
import type { JsonSchema } from "../../apimachinery/json-schema.ts";
import { pruneUnknown } from "../../apimachinery/schema/prune.ts";

export interface Schemas {
  /** Of the version that the object was stored in: its defaults may have come later. */
  readonly stored: JsonSchema | undefined;
  /** Of the version that is asked for: it may know less. */
  readonly shown: JsonSchema | undefined;
}

/** A stored object as a version of its kind shows it: with defaults, and without unknown fields. */
export function inShape(object: UnstructuredObject, { stored, shown }: Schemas): UnstructuredObject {
  const shaped = cloneJson(object);
  if (stored) applyDefaults(stored, shaped);
  if (shown) pruneUnknown(shown, shaped);
  return equalJson(shaped, object) ? object : freezeJson(shaped);
}
