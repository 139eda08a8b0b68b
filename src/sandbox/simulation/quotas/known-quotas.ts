import { evaluatorOf } from "../../../apiserver/admission/quota/evaluator-of.ts";
import type { Kind } from "../../../apimachinery/kind.ts";
import type { ResourceQuota } from "../../../k8s/core/v1.ts";
import { objectKey, type ObjectKey } from "../../../apimachinery/meta.ts";

/** The quotas of all namespaces. */
export class KnownQuotas {
  private readonly byNamespace = new Map<string, Map<string, ResourceQuota>>();

  set(quota: ResourceQuota): void {
    const { namespace = "", name = "" } = quota.metadata;
    const beside = this.byNamespace.get(namespace) ?? new Map<string, ResourceQuota>();
    this.byNamespace.set(namespace, beside.set(name, quota));
  }

  delete({ metadata: { namespace = "", name = "" } }: ResourceQuota): void {
    const beside = this.byNamespace.get(namespace);
    beside?.delete(name);
    if (beside?.size === 0) this.byNamespace.delete(namespace);
  }

  /** Returns the quotas that count a kind, of one namespace or of all. */
  counting(kind: Kind, namespace?: string): ObjectKey[] {
    if (this.byNamespace.size === 0) return [];
    const evaluator = evaluatorOf(kind);
    const namespaces = namespace === undefined ? [...this.byNamespace.values()] : [this.byNamespace.get(namespace)];
    return namespaces
      .flatMap((quotas) => [...(quotas?.values() ?? [])])
      .filter(({ spec }) => Object.keys(spec?.hard ?? {}).some((name) => evaluator.tracks(name)))
      .map(objectKey);
  }
}
