import { labelText, replicaCells, replicaColumns } from "../printing/cells.ts";
import { child, childIf, fill } from "../../../apimachinery/fields.ts";
import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import type { FieldError } from "../../../apimachinery/field-error.ts";
import type { BuiltinKind } from "../builtin-kind.ts";
import { mapAt } from "../printing/field-access.ts";
import { printer } from "../printing/printer.ts";
import { desiredSpec } from "../rules/immutable.ts";
import { defaultTemplate, labelLikePods } from "../rules/pod-defaults.ts";
import { lastingPodErrors, podTemplateErrors, selectorMismatch } from "../rules/pod-spec-errors.ts";
import { templateWarnings } from "../rules/pod-warnings.ts";
import { fieldRules, required } from "../rules/field-rules.ts";
import { replicaStatusRules } from "../rules/replica-status-errors.ts";

/** ReplicationController. */
export const replicationController: BuiltinKind = {
  orphansByDefault: true,
  generationOf: desiredSpec,
  applyDefaults(controller) {
    const spec = child(controller, "spec");
    const labels = childIf(childIf(childIf(spec, "template"), "metadata"), "labels");
    if (labels) fill(spec, { selector: labels });
    labelLikePods(controller);
    fill(spec, { replicas: 1 });
    // The schema defaults it to zero, which Go does not write.
    if (spec["minReadySeconds"] === 0) delete spec["minReadySeconds"];
    if (childIf(spec, "template")) defaultTemplate(spec);
  },
  validate: controllerErrors,
  warn: templateWarnings,
  printer: printer(replicaColumns, (object) => replicaCells(object, labelText(mapAt(object, "spec", "selector")))),
};

const statusErrors = replicaStatusRules(["fullyLabeledReplicas", "readyReplicas", "availableReplicas"]);
const specErrors = fieldRules({ selector: required(), template: required() });

function controllerErrors(
  controller: UnstructuredObject,
  _old: UnstructuredObject | undefined,
  subresource: string | undefined,
): FieldError[] {
  if (subresource === "status") return statusErrors(controller);
  const spec = childIf(controller, "spec") ?? {};
  const template = childIf(spec, "template");
  const selector = (spec["selector"] ?? {}) as Record<string, string>;
  const labels = childIf(childIf(template, "metadata"), "labels");
  const isSelecting = Object.keys(selector).length > 0;
  const matches = Object.entries(selector).every(([key, value]) => labels?.[key] === value);
  return [
    ...specErrors(spec, "spec"),
    ...(template && isSelecting && !matches ? [selectorMismatch(labels)] : []),
    ...podTemplateErrors(template, "spec.template"),
    ...lastingPodErrors(template, "spec.template.spec"),
  ];
}
