import type { KubeObject } from "../apimachinery/meta.ts";
import type { JsonPatchOperation } from "../apimachinery/patch/json-patch.ts";
import { createMergePatch } from "../apimachinery/patch/merge-patch.ts";
import { TsopError } from "../errors/tsop-error.ts";
import type { Patch, PatchType } from "./client.ts";

/** Options of `mergeFrom`. */
export interface MergeFromOptions {
  /** Makes the patch fail with a conflict if the object has changed since `base` was read. */
  readonly optimisticLock?: boolean;
}

/**
 * Returns the merge patch from `base` to `changed`: copy the object, change the copy, patch the difference.
 *
 * @example
 * const changed = cloneJson(memcached);
 * changed.spec.size = 3;
 * await client.patch(Memcached, objectKey(memcached), mergeFrom(memcached, changed));
 */
export function mergeFrom<T extends KubeObject>(base: T, changed: T, options: MergeFromOptions = {}): Patch {
  const body = createMergePatch(base, changed) as { metadata?: object };
  if (options.optimisticLock) {
    const { resourceVersion } = base.metadata;
    if (!resourceVersion) throw new TsopError("TSOP_PATCH_WITHOUT_VERSION", {});
    body.metadata = { ...body.metadata, resourceVersion };
  }
  return { type: "application/merge-patch+json", body };
}

/**
 * Returns a merge patch: fields that are `null` are removed, lists are replaced.
 *
 * @example
 * await client.patch(Deployment, request, mergePatch({ spec: { replicas: 3, paused: null } }));
 */
export function mergePatch(changes: Readonly<Record<string, unknown>>): Patch {
  return { type: "application/merge-patch+json", body: changes };
}

/**
 * Returns a patch with JSON Patch operations.
 *
 * @example
 * await client.patch(Memcached, request, jsonPatch([{ op: "replace", path: "/spec/size", value: 3 }]));
 */
export function jsonPatch(operations: readonly JsonPatchOperation[]): Patch {
  return { type: "application/json-patch+json", body: operations };
}

/**
 * Returns a patch of any type, with its body unchanged.
 *
 * @example
 * const body = [{ op: "test", path: "/spec/size", value: 1 }, { op: "replace", path: "/spec/size", value: 3 }];
 * await client.patch(Memcached, request, rawPatch("application/json-patch+json", body));
 */
export function rawPatch(type: PatchType, body: unknown): Patch {
  return { type, body };
}

/**
 * Returns a strategic merge patch, which merges lists by their keys instead of replacing them. For built-in kinds only;
 * servers reject it for custom resources.
 *
 * @example
 * const containers = [{ name: "memcached", image: "memcached:1.6" }]; // the other containers stay
 * await client.patch(Deployment, request, strategicMergePatch({ spec: { template: { spec: { containers } } } }));
 */
export function strategicMergePatch(changes: Readonly<Record<string, unknown>>): Patch {
  return { type: "application/strategic-merge-patch+json", body: changes };
}
