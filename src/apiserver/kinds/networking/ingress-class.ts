import { childIf, fill } from "../../../apimachinery/fields.ts";
import type { BuiltinKind } from "../builtin-kind.ts";
import { textAt, valueAt } from "../printing/field-access.ts";
import { printer } from "../printing/printer.ts";
import { enumOf, ifParent, must, required, text } from "../rules/field-rules.ts";
import { desiredSpec, kindRules } from "../rules/immutable.ts";
import { domainPathErrors } from "../rules/name-errors.ts";

/** IngressClass. */
export const ingressClass: BuiltinKind = {
  generationOf: desiredSpec,
  applyDefaults(ingressClass) {
    const parameters = childIf(childIf(ingressClass, "spec"), "parameters");
    if (parameters) fill(parameters, { scope: "Cluster" });
  },
  validate: kindRules(
    {
      spec: {
        controller: [required(), text(domainPathErrors)],
        "parameters.scope": enumOf("Cluster", "Namespace"),
        "parameters.namespace": [
          ifParent(({ scope }) => scope === "Namespace", required()),
          must((namespace: string, { scope }) => namespace === "" || scope !== "Cluster", "is not for `Cluster`"),
        ],
      },
    },
    "spec.controller",
  ),
  printer: printer("Controller|Parameters|Age", (object) => {
    const parameters = valueAt(object, "spec", "parameters");
    const group = textAt(parameters, "apiGroup");
    const kind = textAt(parameters, "kind") + (group === "" ? "" : `.${group}`);
    const shown = parameters === undefined ? "<none>" : `${kind}/${textAt(parameters, "name")}`;
    return [textAt(object, "spec", "controller"), shown];
  }),
};
