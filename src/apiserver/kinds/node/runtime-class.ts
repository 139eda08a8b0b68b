import { childIf, items, textOf, type Fields } from "../../../apimachinery/fields.ts";
import { invalid, required, type FieldError } from "../../../apimachinery/field-error.ts";
import { resourceErrors } from "../rules/resource-errors.ts";
import { dnsLabelErrors, labelsErrors } from "../rules/name-errors.ts";
import { nodeLabelProblem } from "../rules/node-label-warnings.ts";
import { tolerationErrors } from "../rules/toleration-errors.ts";
import type { BuiltinKind } from "../builtin-kind.ts";
import { textAt } from "../printing/field-access.ts";
import { creationAge } from "../printing/human-duration.ts";
import { printer } from "../printing/printer.ts";

/** RuntimeClass. */
export const runtimeClass: BuiltinKind = {
  takesAnyFinalizer: true,
  validate(runtime, old) {
    const { handler } = runtime;
    const others = [...overheadErrors(runtime), ...schedulingErrors(runtime)];
    if (!handler) return [required("handler"), ...others];
    const changed = old && old["handler"] !== handler ? [invalid("handler", handler, "field is immutable")] : [];
    return [...dnsLabelErrors("handler", textOf(handler)), ...changed, ...others];
  },
  warn: (runtime) =>
    Object.keys(childIf(childIf(runtime, "scheduling"), "nodeSelector") ?? {}).flatMap((label) => {
      const problem = nodeLabelProblem(label);
      return problem === undefined ? [] : [`scheduling.nodeSelector: ${problem}`];
    }),
  printer: printer("Handler|Age", (object, now) => [textAt(object, "handler"), creationAge(object, now)]),
};

function overheadErrors(runtime: Fields): FieldError[] {
  return resourceErrors({ limits: childIf(childIf(runtime, "overhead"), "podFixed") }, "overhead");
}

function schedulingErrors(runtime: Fields): FieldError[] {
  const scheduling = childIf(runtime, "scheduling");
  const labels = childIf(scheduling, "nodeSelector") as Record<string, string> | undefined;
  return [
    ...labelsErrors("scheduling.nodeSelector", labels),
    ...tolerationErrors(items(scheduling, "tolerations"), "scheduling.tolerations"),
  ];
}
