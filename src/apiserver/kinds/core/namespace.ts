import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import { forbidden } from "../../refusals.ts";
import type { BuiltinKind } from "../builtin-kind.ts";
import { textAt } from "../printing/field-access.ts";
import { creationAge } from "../printing/human-duration.ts";
import { printer } from "../printing/printer.ts";

const protectedNames = new Set(["default", "kube-system", "kube-public"]);

/** Namespace. It ends when `spec.finalizers` is empty, which `/finalize` writes. */
export const namespace: BuiltinKind = {
  unconditionalUpdate: true,
  returnsDeleted: true,
  nameRule: "label",
  applyDefaults({ metadata }) {
    if (metadata.name) metadata.labels = { ...metadata.labels, "kubernetes.io/metadata.name": metadata.name };
  },
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
  prepareDelete(namespace) {
    // Namespaces have no grace period.
    delete namespace.metadata.deletionGracePeriodSeconds;
    namespace["status"] = { ...(namespace["status"] as object), phase: "Terminating" };
  },
  isHeldBack: (namespace) => finalizersOf(namespace).length > 0,
  checkDelete(namespace) {
    const { name = "" } = namespace.metadata;
    if (protectedNames.has(name))
      throw forbidden({ group: "", plural: "namespaces" }, name, "this namespace may not be deleted");
  },
  seeds: () => ["default", "kube-node-lease", "kube-public", "kube-system"].map(newNamespace),
  printer: printer("Status|Age", (object, now) => [textAt(object, "status", "phase"), creationAge(object, now)]),
};

function finalizersOf(namespace: UnstructuredObject): string[] {
  return (namespace["spec"] as { finalizers?: string[] } | undefined)?.finalizers ?? [];
}

function newNamespace(name: string): UnstructuredObject {
  return {
    kind: "Namespace",
    apiVersion: "v1",
    metadata: { name, labels: { "kubernetes.io/metadata.name": name } },
    spec: { finalizers: ["kubernetes"] },
    status: { phase: "Active" },
  };
}
