import { type Fields, childIf, fill, textOf } from "../../../apimachinery/fields.ts";
import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import { type FieldError, forbidden, invalid, required } from "../../../apimachinery/field-error.ts";
import type { BuiltinKind } from "../builtin-kind.ts";
import { textAt, valueAt } from "../printing/field-access.ts";
import { creationAge } from "../printing/human-duration.ts";
import { printer } from "../printing/printer.ts";
import { desiredSpec } from "../rules/immutable.ts";
import { domainPathErrors } from "../rules/name-errors.ts";
import { optionalWordErrors } from "../rules/value-errors.ts";

/** IngressClass. */
export const ingressClass: BuiltinKind = {
  unconditionalUpdate: true,
  generationOf: desiredSpec,
  applyDefaults(ingressClass) {
    const parameters = childIf(childIf(ingressClass, "spec"), "parameters");
    if (parameters) fill(parameters, { scope: "Cluster" });
  },
  validate: (ingressClass, old) => [
    ...controllerErrors(childIf(ingressClass, "spec")?.["controller"]),
    ...controllerChange(ingressClass, old),
    ...scopeErrors(childIf(childIf(ingressClass, "spec"), "parameters"), "spec.parameters"),
  ],
  printer: printer("Controller|Parameters|Age", (object, now) => {
    const parameters = valueAt(object, "spec", "parameters");
    const group = textAt(parameters, "apiGroup");
    const kind = textAt(parameters, "kind") + (group === "" ? "" : `.${group}`);
    const shown = parameters === undefined ? "<none>" : `${kind}/${textAt(parameters, "name")}`;
    return [textAt(object, "spec", "controller"), shown, creationAge(object, now)];
  }),
};

function controllerChange(ingressClass: UnstructuredObject, old: UnstructuredObject | undefined): FieldError[] {
  const [now = "", before = ""] = [ingressClass, old].map((each) => childIf(each, "spec")?.["controller"]);
  return !old || now === before ? [] : [invalid("spec.controller", now, "field is immutable")];
}

function scopeErrors(parameters: Fields | undefined, at: string): FieldError[] {
  if (!parameters) return [];
  const { scope, namespace } = parameters;
  if (scope === "Namespace" && !namespace)
    return [required(`${at}.namespace`, "`parameters.scope` is set to 'Namespace'")];
  if (scope === "Cluster" && namespace) return [forbidden(`${at}.namespace`, "`parameters.scope` is set to 'Cluster'")];
  return optionalWordErrors(`${at}.scope`, scope, ["Cluster", "Namespace"]);
}

function controllerErrors(controller: unknown): FieldError[] {
  const field = "spec.controller";
  if (!controller) return [required(field)];
  return domainPathErrors(field, textOf(controller));
}
