import { type Fields, childIf, textOf } from "../../../apimachinery/fields.ts";
import { parseQuantity } from "../../../apimachinery/quantity.ts";
import { type FieldError, forbidden, invalid, required } from "../../../apimachinery/schema/field-error.ts";
import { labelSelectorErrors } from "./label-selector-errors.ts";
import { dnsSubdomainErrors } from "./name-errors.ts";
import { wordErrors } from "./value-errors.ts";

const accessModes = ["ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"];

/** Returns the errors in the spec of a claim or of a claim template. */
export function claimSpecErrors(spec: Fields | undefined, at: string): FieldError[] {
  const modes = (spec?.["accessModes"] ?? []) as string[];
  const storage = childIf(childIf(spec, "resources"), "requests")?.["storage"];
  const className = spec?.["storageClassName"];
  return [
    ...(modes.length === 0 ? [required(`${at}.accessModes`, "at least 1 access mode is required")] : []),
    ...modes.flatMap((mode) => wordErrors(`${at}.accessModes`, mode, accessModes)),
    ...exclusiveModeErrors(modes, `${at}.accessModes`),
    ...storageErrors(storage, `${at}.resources[storage]`),
    ...(className ? dnsSubdomainErrors(`${at}.storageClassName`, textOf(className)) : []),
    ...labelSelectorErrors(childIf(spec, "selector"), `${at}.selector`),
  ];
}

/** Returns an error if the mode of a single pod is not the only one. */
export function exclusiveModeErrors(modes: readonly string[], field: string): FieldError[] {
  const isShared = modes.length > 1 && modes.includes("ReadWriteOncePod");
  return isShared ? [forbidden(field, "may not use ReadWriteOncePod with other access modes")] : [];
}

function storageErrors(storage: unknown, field: string): FieldError[] {
  if (storage === undefined) return [required(field)];
  return parseQuantity(textOf(storage)).nanos > 0n ? [] : [invalid(field, storage, "must be greater than zero")];
}
