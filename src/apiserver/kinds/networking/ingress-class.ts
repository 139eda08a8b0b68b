import { childIf, textOf } from "../../../apimachinery/fields.ts";
import { isSubdomain } from "../../../apimachinery/label-syntax.ts";
import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import { type FieldError, invalid, required } from "../../../apimachinery/schema/field-error.ts";
import type { BuiltinKind } from "../builtin-kind.ts";
import { textAt, valueAt } from "../printing/field-access.ts";
import { creationAge } from "../printing/human-duration.ts";
import { printer } from "../printing/printer.ts";
import { desiredSpec } from "../rules/immutable.ts";

/** IngressClass. */
export const ingressClass: BuiltinKind = {
  unconditionalUpdate: true,
  generationOf: desiredSpec,
  validate: (ingressClass, old) => [
    ...controllerErrors(childIf(ingressClass, "spec")?.["controller"]),
    ...controllerChange(ingressClass, old),
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

function controllerErrors(controller: unknown): FieldError[] {
  const field = "spec.controller";
  if (!controller) return [required(field)];
  const text = textOf(controller);
  const [domain = "", ...path] = text.split("/");
  if (isSubdomain(domain) && path.length > 0 && /^[A-Za-z0-9/\-._~%!$&'()*+,;=:]+$/.test(path.join("/"))) return [];
  return [invalid(field, text, 'must be a domain-prefixed path (such as "acme.io/foo")')];
}
