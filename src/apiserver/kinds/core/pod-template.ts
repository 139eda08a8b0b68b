import { containerCells, labelText } from "../printing/cells.ts";
import { childIf } from "../../../apimachinery/fields.ts";
import type { BuiltinKind } from "../builtin-kind.ts";
import { mapAt, valueAt } from "../printing/field-access.ts";
import { printer } from "../printing/printer.ts";
import { defaultTemplate } from "../rules/pod-defaults.ts";
import { podTemplateErrors } from "../rules/pod-spec-errors.ts";
import { templateWarnings } from "../rules/pod-warnings.ts";

/** PodTemplate. */
export const podTemplate: BuiltinKind = {
  returnsDeleted: true,
  applyDefaults: defaultTemplate,
  generationOf: (podTemplate) => podTemplate["template"],
  validate: (podTemplate) => podTemplateErrors(childIf(podTemplate, "template"), "template"),
  warn: (podTemplate, old) => templateWarnings(podTemplate, old, "template"),
  printer: printer("Containers|Images|Pod Labels", (object) => [
    ...containerCells(valueAt(object, "template")),
    labelText(mapAt(object, "template", "metadata", "labels")),
  ]),
};
