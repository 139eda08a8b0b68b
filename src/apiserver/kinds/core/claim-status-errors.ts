import { type Fields, childIf, textOf } from "../../../apimachinery/fields.ts";
import { parseQuantity, roundUpQuantity } from "../../../apimachinery/quantity.ts";
import { type FieldError, invalid, notSupported } from "../../../apimachinery/field-error.ts";
import { labelKeyErrors } from "../rules/name-errors.ts";
import { isNative } from "../rules/resource-name-errors.ts";

const resizes = [
  "ControllerResizeInProgress",
  "ControllerResizeInfeasible",
  "NodeResizeInProgress",
  "NodeResizeInfeasible",
  "NodeResizePending",
];

/** Returns the errors in the status of a claim for a volume. */
export function claimStatusErrors(claim: Fields): FieldError[] {
  const status = childIf(claim, "status");
  const entriesOf = (name: string): [string, unknown][] => Object.entries(childIf(status, name) ?? {});
  const [states, allocated] = ["status.allocatedResourceStatuses", "status.allocatedResources"] as const;
  return [
    ...entriesOf("capacity").flatMap(([name, amount]) => amountErrors(`status.capacity[${name}]`, amount)),
    ...entriesOf("allocatedResourceStatuses").flatMap(([name, state]) => [
      ...nameErrors(states, name),
      ...(resizes.includes(textOf(state)) ? [] : [notSupported(states, name, resizes)]),
    ]),
    ...entriesOf("allocatedResources").flatMap(([name, amount]) => {
      const errors = nameErrors(allocated, name);
      return errors.length > 0 ? errors : amountErrors(`${allocated}[${name}]`, amount);
    }),
  ];
}

function nameErrors(field: string, name: string): FieldError[] {
  const errors = labelKeyErrors(field, name);
  if (errors.length > 0 || !isNative(name) || name === "storage") return errors;
  return [notSupported(field, name, ["storage"])];
}

function amountErrors(field: string, amount: unknown): FieldError[] {
  const { nanos, style } = parseQuantity(textOf(amount));
  if (nanos >= 0n) return [];
  const whole = roundUpQuantity({ nanos: -nanos, style }).nanos / 10n ** 9n;
  return [invalid(field, -Number(whole), "must be a valid resource quantity")];
}
