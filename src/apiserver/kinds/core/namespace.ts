import { child, fill } from "../../../apimachinery/fields.ts";
import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import type { BuiltinKind } from "../builtin-kind.ts";
import { textAt } from "../printing/field-access.ts";
import { labelKeyErrors, unqualifiedFinalizerErrors } from "../rules/name-errors.ts";
import { printer } from "../printing/printer.ts";

/** Namespace. It ends when `spec.finalizers` is empty, which `/finalize` writes. */
export const namespace: BuiltinKind = {
  returnsDeleted: true,
  nameRule: "label",
  applyDefaults(namespace) {
    const { metadata } = namespace;
    if (metadata.name) metadata.labels = { ...metadata.labels, "kubernetes.io/metadata.name": metadata.name };
    fill(child(namespace, "status"), { phase: "Active" });
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
  beginDelete(namespace) {
    namespace["status"] = { ...(namespace["status"] as object), phase: "Terminating" };
  },
  validate: (namespace) =>
    finalizersOf(namespace).flatMap((name, index) => {
      const field = `spec.finalizers[${index}]`;
      return [...labelKeyErrors(field, name), ...unqualifiedFinalizerErrors(field, name)];
    }),
  isHeldBack: (namespace) => finalizersOf(namespace).length > 0,
  seeds: () => ["default", "kube-node-lease", "kube-public", "kube-system"].map(newNamespace),
  printer: printer("Status|Age", (object) => [textAt(object, "status", "phase")]),
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
