import { apiVersionOf, type Kind } from "../../apimachinery/kind.ts";
import type { KubeObject } from "../../apimachinery/meta.ts";
import type { Fields } from "../../apimachinery/patch/strategic-patch.ts";
import type { DeepPartial } from "../../client/client.ts";
import { TsopError } from "../../errors/tsop-error.ts";

const directive = /^\$(patch|retainKeys|setElementOrder\/.*|deleteFromPrimitiveList\/.*)$/;

/**
 * Merges changes into an object as a server does with a strategic merge patch: lists such as containers are merged by
 * their keys. Operators use it for overrides that a custom resource contains. Returns a new object. The kind must be
 * built in; a part of one is wrapped, such as the template of pods in a PodTemplate.
 *
 * @example
 * const overrides = { spec: { template: { spec: { containers: [{ name: "memcached", args: ["-m", "64"] }] } } } };
 * await client.create(Deployment, await applyStrategicMerge(Deployment, deployment, overrides));
 */
export async function applyStrategicMerge<T extends KubeObject>(
  kind: Kind<T>,
  object: T,
  changes: DeepPartial<T> | Readonly<Record<string, unknown>>,
): Promise<T> {
  // The schemas are a large file, and few operators need them.
  const [{ builtinSchema }, { loadBuiltins }, { applyStrategicMergePatch }] = await Promise.all([
    import("../../apimachinery/builtin/builtin-schema.ts"),
    import("../../apimachinery/builtin/load-builtins.ts"),
    import("../../apimachinery/patch/strategic-merge.ts"),
  ]);
  const resource = loadBuiltins().resources.find(
    (each) => each.group === kind.group && each.version === kind.version && each.kind === kind.kind,
  );
  if (!resource) throw new TsopError("TSOP_MERGE_NOT_BUILT_IN", { kind: kind.kind, apiVersion: apiVersionOf(kind) });
  const merged = applyStrategicMergePatch(object as Fields, changes, builtinSchema(resource.type));
  // A directive in a new item of a list is not carried out.
  return JSON.parse(JSON.stringify(merged, (key, value: unknown) => (directive.test(key) ? undefined : value))) as T;
}
