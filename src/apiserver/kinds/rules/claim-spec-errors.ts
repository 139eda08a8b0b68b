import { type Fields, childIf, textOf } from "../../../apimachinery/fields.ts";
import { parseQuantity } from "../../../apimachinery/quantity.ts";
import { type FieldError, forbidden, invalid, required } from "../../../apimachinery/field-error.ts";
import { labelSelectorErrors } from "./label-selector-errors.ts";
import { dnsLabelErrors, dnsSubdomainErrors } from "./name-errors.ts";
import { wordErrors } from "./value-errors.ts";

const accessModes = ["ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"];

/** Returns the errors in the spec of a claim or of a claim template. */
export function claimSpecErrors(spec: Fields | undefined, at: string): FieldError[] {
  const modes = (spec?.["accessModes"] ?? []) as string[];
  const storage = childIf(childIf(spec, "resources"), "requests")?.["storage"];
  return [
    ...(modes.length === 0 ? [required(`${at}.accessModes`, "at least 1 access mode is required")] : []),
    ...accessModeErrors(modes, `${at}.accessModes`),
    ...storageErrors(storage, `${at}.resources[storage]`),
    ...["storageClassName", "volumeAttributesClassName"].flatMap((name) =>
      spec?.[name] ? dnsSubdomainErrors(`${at}.${name}`, textOf(spec[name])) : [],
    ),
    ...emptyModeErrors(spec, at),
    ...labelSelectorErrors(childIf(spec, "selector"), `${at}.selector`),
    ...dataSourceErrors(spec, at),
  ];
}

/** Returns an error for each unknown mode, and one if the mode of a single pod has another beside it. */
export function accessModeErrors(modes: readonly string[], field: string): FieldError[] {
  const isShared =
    modes.includes("ReadWriteOncePod") &&
    accessModes.some((mode) => mode !== "ReadWriteOncePod" && modes.includes(mode));
  return [
    ...modes.flatMap((mode) => wordErrors(field, mode, accessModes)),
    ...(isShared ? [forbidden(field, "may not use ReadWriteOncePod with other access modes")] : []),
  ];
}

/** Returns an error for an empty mode of the volume. The schema reports an unknown one. */
export function emptyModeErrors(spec: Fields | undefined, at: string): FieldError[] {
  return spec?.["volumeMode"] === "" ? wordErrors(`${at}.volumeMode`, "", ["Block", "Filesystem"]) : [];
}

function dataSourceErrors(spec: Fields | undefined, at: string): FieldError[] {
  const [source, ref] = [childIf(spec, "dataSource"), childIf(spec, "dataSourceRef")];
  // A real server shows an empty value.
  const refuse = (why: string): FieldError[] => [invalid(at, {}, why)];
  const isSame = ["apiGroup", "kind", "name"].every((name) => source?.[name] === ref?.[name]);
  return [
    ...(source ? referenceErrors(source, `${at}.dataSource`) : []),
    ...(ref ? referenceErrors(ref, `${at}.dataSourceRef`) : []),
    ...(source && ref?.["namespace"] ? refuse("may not be specified when dataSourceRef.namespace is specified") : []),
    ...(source && ref && !ref["namespace"] && !isSame ? refuse("must match dataSourceRef") : []),
  ];
}

/** Returns the errors of a reference, apart from missing names, which the schema reports. */
function referenceErrors({ apiGroup, kind, namespace }: Fields, at: string): FieldError[] {
  const claim = "PersistentVolumeClaim";
  return [
    ...(apiGroup || kind === claim
      ? []
      : [invalid(at, kind, `must be '${claim}' when referencing the default apiGroup`)]),
    ...(apiGroup ? dnsSubdomainErrors(`${at}.apiGroup`, textOf(apiGroup)) : []),
    ...(namespace ? dnsLabelErrors(`${at}.namespace`, textOf(namespace)) : []),
  ];
}

function storageErrors(storage: unknown, field: string): FieldError[] {
  if (storage === undefined) return [required(field)];
  return parseQuantity(textOf(storage)).nanos > 0n ? [] : [invalid(field, storage, "must be greater than zero")];
}
