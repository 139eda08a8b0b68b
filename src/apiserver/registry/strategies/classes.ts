import { isSubdomain } from "../../../apimachinery/label-syntax.ts";
import { invalid, notSupported, required, type FieldError } from "../../../apimachinery/schema/field-error.ts";
import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import { childIf, items, type Fields, textOf } from "../../../apimachinery/fields.ts";
import { defaultStorageClass } from "../defaults/policy-defaults.ts";
import { labelKeyErrors } from "../rules/name-errors.ts";
import type { Strategy } from "../strategy.ts";
import { desiredSpec, immutable } from "./immutable.ts";

/** What provisions volumes never changes. */
export const storageClassStrategy: Strategy = {
  unconditionalUpdate: true,
  returnsDeleted: true,
  applyDefaults: defaultStorageClass,
  validate: (storageClass, old) => [
    ...storageClassErrors(storageClass),
    ...immutable(storageClass, old, ["parameters", "provisioner", "reclaimPolicy", "volumeBindingMode"]),
  ],
};

/** Which controller serves an ingress. */
export const ingressClassStrategy: Strategy = {
  unconditionalUpdate: true,
  generationOf: desiredSpec,
  validate: (ingressClass, old) => [
    ...controllerErrors(childIf(ingressClass, "spec")?.["controller"]),
    ...controllerChange(ingressClass, old),
  ],
};

function storageClassErrors(storageClass: UnstructuredObject): FieldError[] {
  const { provisioner, parameters = {} } = storageClass as { provisioner?: string; parameters?: object };
  return [
    ...(provisioner ? labelKeyErrors("provisioner", provisioner.toLowerCase()) : [required("provisioner")]),
    ...(Object.hasOwn(parameters, "") ? [invalid("parameters", "", "field can not be empty.")] : []),
    ...oneOf(storageClass, "reclaimPolicy", ["Delete", "Retain"]),
    ...oneOf(storageClass, "volumeBindingMode", ["Immediate", "WaitForFirstConsumer"]),
    ...items(storageClass, "allowedTopologies").flatMap((term, index) =>
      termErrors(term, `allowedTopologies[${index}].matchLabelExpressions`),
    ),
  ];
}

function oneOf(object: UnstructuredObject, field: string, words: readonly string[]): FieldError[] {
  return words.includes(textOf(object[field])) ? [] : [notSupported(field, object[field], words)];
}

function termErrors(term: Fields, at: string): FieldError[] {
  return items(term, "matchLabelExpressions").flatMap(({ key = "", values }, index) => [
    ...(Array.isArray(values) && values.length > 0 ? [] : [required(`${at}[${index}].values`)]),
    ...labelKeyErrors(`${at}[${index}].key`, textOf(key)),
  ]);
}

function controllerChange(ingressClass: UnstructuredObject, old: UnstructuredObject | undefined): FieldError[] {
  const [now = "", before = ""] = [ingressClass, old].map((each) => childIf(each, "spec")?.["controller"]);
  return !old || now === before ? [] : [invalid("spec.controller", now, "field is immutable")];
}

function controllerErrors(controller: unknown): FieldError[] {
  const field = "spec.controller";
  // That there is none is known from the schema or is told here.
  if (!controller) return [required(field)];
  const text = textOf(controller);
  const [domain = "", ...path] = text.split("/");
  if (isSubdomain(domain) && path.length > 0 && /^[A-Za-z0-9/\-._~%!$&'()*+,;=:]+$/.test(path.join("/"))) return [];
  return [invalid(field, text, 'must be a domain-prefixed path (such as "acme.io/foo")')];
}
