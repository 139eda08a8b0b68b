import { dnsLabelProblems } from "../../apimachinery/dns-names.ts";
import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import { TsopError } from "../../errors/tsop-error.ts";
import { hasMarks } from "./template.ts";

/**
 * Checks what a chart is made of: kinds, names and namespaces become parts of template text, of patterns, of paths and of
 * the Makefile. Throws if a cluster would refuse one of them, or if a text has a mark of template text.
 */
export function checkObjects(objects: readonly UnstructuredObject[], file: string): void {
  for (const object of objects) {
    const { name, namespace } = object.metadata;
    const refuse = (reason: string): never => {
      throw new TsopError("TSOP_HELM_OBJECT", { file, object: JSON.stringify(name ?? ""), reason });
    };
    if (!isText(object.kind) || !/^[A-Za-z][A-Za-z0-9]*$/.test(object.kind)) refuse("its kind is not a word");
    if (name !== undefined && !(isText(name) && /^[\w.:-]+$/.test(name) && !/^\.+$/.test(name)))
      refuse("its name is not one of Kubernetes");
    if (namespace !== undefined && !(isText(namespace) && dnsLabelProblems(namespace).length === 0))
      refuse("its namespace is not one of Kubernetes");
    if (hasMarks(object)) refuse("it has one of the characters U+E000 and U+E001, which stand for template text");
  }
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}
