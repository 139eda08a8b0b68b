import { type Fields, textOf } from "../../../apimachinery/fields.ts";
import { type FieldError, duplicate, invalid, required, tooLong } from "../../../apimachinery/field-error.ts";
import { labelKeyErrors } from "./name-errors.ts";
import { repeatedIndexes, wordErrors } from "./value-errors.ts";

const reason = "[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?";
const reasonText =
  "a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric characters or " +
  "'_,:', and must end with an alphanumeric character or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName',  or " +
  `'ReasonA,ReasonB',  or 'ReasonA:ReasonB', regex used for validation is '${reason}')`;
const longest = { reason: 1024, message: 32 * 1024 };

/** Returns the errors of conditions in the form that all kinds share. */
export function conditionErrors(conditions: readonly Fields[], at: string): FieldError[] {
  const repeated = repeatedIndexes(conditions.map(({ type }) => type));
  return conditions.flatMap((condition, index) => {
    const [field, type] = [`${at}[${index}]`, textOf(condition["type"])];
    const { status = "", lastTransitionTime, reason: why, observedGeneration: generation = 0 } = condition;
    return [
      ...(repeated.has(index) ? [duplicate(`${field}.type`, type)] : []),
      ...labelKeyErrors(`${field}.type`, type),
      ...wordErrors(`${field}.status`, status, ["False", "True", "Unknown"]),
      ...(Number(generation) < 0
        ? [invalid(`${field}.observedGeneration`, generation, "must be greater than or equal to zero")]
        : []),
      ...(lastTransitionTime ? [] : [required(`${field}.lastTransitionTime`)]),
      ...(why ? [] : [required(`${field}.reason`)]),
      ...(why && !new RegExp(`^${reason}$`).test(textOf(why)) ? [invalid(`${field}.reason`, why, reasonText)] : []),
      ...Object.entries(longest).flatMap(([name, most]) =>
        Buffer.byteLength(textOf(condition[name])) > most ? [tooLong(`${field}.${name}`, most)] : [],
      ),
    ];
  });
}
