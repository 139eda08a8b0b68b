import { type Fields, textOf } from "../../../apimachinery/fields.ts";
import { invalid, notSupported, type FieldError } from "../../../apimachinery/field-error.ts";
import { labelValueProblems } from "../../../apimachinery/label-syntax.ts";
import { labelKeyErrors } from "./name-errors.ts";
import { wordErrors } from "./value-errors.ts";

const effects = ["NoSchedule", "PreferNoSchedule", "NoExecute"];
const anyKey = 'operator must be Exists when `key` is empty, which means "match all values and all keys"';
const onlyNoExecute = "effect must be 'NoExecute' when `tolerationSeconds` is set";

/** Returns the errors of tolerations. */
export function tolerationErrors(tolerations: readonly Fields[], at: string): FieldError[] {
  return tolerations.flatMap(({ key, operator = "", value = "", effect = "", tolerationSeconds }, index) => {
    const field = `${at}[${index}]`;
    return [
      ...(key ? labelKeyErrors(`${field}.key`, textOf(key)) : []),
      ...(!key && operator !== "Exists" ? [invalid(`${field}.operator`, operator, anyKey)] : []),
      ...(tolerationSeconds !== undefined && effect !== "NoExecute"
        ? [invalid(`${field}.effect`, effect, onlyNoExecute)]
        : []),
      ...operatorErrors(operator, textOf(value), `${field}.operator`),
      ...(effect === "" ? [] : wordErrors(`${field}.effect`, effect, effects)),
    ];
  });
}

function operatorErrors(operator: unknown, value: string, field: string): FieldError[] {
  if (operator === "Exists")
    return value === "" ? [] : [invalid(field, value, "value must be empty when `operator` is 'Exists'")];
  // Those that compare numbers belong to a feature that is not enabled.
  if (operator === "Lt" || operator === "Gt") return [notSupported(field, operator, ["Equal", "Exists", "Lt", "Gt"])];
  if (operator !== "" && operator !== "Equal") return wordErrors(field, operator, ["Equal", "Exists"]);
  const complaints = labelValueProblems(value);
  return complaints.length === 0 ? [] : [invalid(field, value, complaints.join(";"))];
}
