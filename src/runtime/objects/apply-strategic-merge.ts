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
  // Few operators need them.
  const [{ mergeSchemaOf }, { applyStrategicMergePatch }] = await Promise.all([
    import("./merge-schema.ts"),
    import("../../apimachinery/patch/strategic-merge.ts"),
  ]);
  const schema = mergeSchemaOf(kind);
  if (!schema) throw new TsopError("TSOP_MERGE_NOT_BUILT_IN", { kind: kind.kind, apiVersion: apiVersionOf(kind) });
  const merged = applyStrategicMergePatch(object as Fields, changes, schema);
  // A directive in a new item of a list is not carried out.
  return JSON.parse(JSON.stringify(merged, (key, value: unknown) => (directive.test(key) ? undefined : value))) as T;
}
