import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import { forbidden } from "../../refusals.ts";
import type { Strategy } from "../strategy.ts";

const protectedNames = new Set(["default", "kube-system", "kube-public"]);

/** Namespaces end when `spec.finalizers` is empty, which `/finalize` writes. */
export const namespaceStrategy: Strategy = {
  unconditionalUpdate: true,
  returnsDeleted: true,
  applyDefaults: labelWithName,
  prepareCreate(namespace) {
    namespace["status"] = { phase: "Active" };
    const finalizers = finalizersOf(namespace);
    if (!finalizers.includes("kubernetes")) namespace["spec"] = { finalizers: [...finalizers, "kubernetes"] };
  },
  prepareUpdate(namespace, old) {
    namespace["spec"] = old["spec"];
  },
  prepareStatusUpdate(namespace, old) {
    namespace["spec"] = old["spec"];
  },
  nameRule: "label",
  prepareDelete(namespace) {
    // Namespaces know no grace.
    delete namespace.metadata.deletionGracePeriodSeconds;
    namespace["status"] = { ...(namespace["status"] as object), phase: "Terminating" };
  },
  isHeldBack: (namespace) => finalizersOf(namespace).length > 0,
  checkDelete(namespace) {
    const { name = "" } = namespace.metadata;
    if (protectedNames.has(name))
      throw forbidden({ group: "", plural: "namespaces" }, name, "this namespace may not be deleted");
  },
};

function labelWithName({ metadata }: UnstructuredObject): void {
  if (metadata.name) metadata.labels = { ...metadata.labels, "kubernetes.io/metadata.name": metadata.name };
}

function finalizersOf(namespace: UnstructuredObject): string[] {
  return (namespace["spec"] as { finalizers?: string[] } | undefined)?.finalizers ?? [];
}
