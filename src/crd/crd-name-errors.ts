import { invalid, required, type FieldError } from "../apimachinery/schema/field-error.ts";
import type { CrdSpec } from "./crd-types.ts";

/** Checks the names of a kind. */
export function nameErrors({ names }: CrdSpec): FieldError[] {
  const { plural, singular, kind, listKind, shortNames, categories } = names ?? {};
  const errors = [
    ...labelErrors("spec.names.plural", plural ?? ""),
    ...(singular ? labelErrors("spec.names.singular", singular) : [required("spec.names.singular")]),
  ];
  for (const [list, values] of Object.entries({ shortNames, categories }))
    values?.forEach((name, index) => errors.push(...labelErrors(`spec.names.${list}[${index}]`, name)));
  errors.push(...kindErrors("spec.names.kind", kind ?? ""));
  errors.push(...kindErrors("spec.names.listKind", listKind ?? ""));
  if (kind && kind === listKind)
    errors.push(invalid("spec.names.listKind", listKind, "kind and listKind may not be the same"));
  return errors;
}

/** Checks a name that must be a DNS-1035 label. */
export function labelErrors(field: string, name: string): FieldError[] {
  if (name === "") return field === "spec.names.plural" ? [required(field)] : [invalid(field, name, labelText)];
  return labelProblems(name).map((problem) => invalid(field, name, problem));
}

/** Checks a group, which must be a DNS subdomain. */
export function groupErrors(field: string, group: string): FieldError[] {
  if (group.length > 253) return [invalid(field, group, "must be no more than 253 characters")];
  if (!subdomain.test(group)) return [invalid(field, group, subdomainText)];
  return group.includes(".") ? [] : [invalid(field, group, "should be a domain with at least one dot")];
}

function kindErrors(field: string, kind: string): FieldError[] {
  if (kind === "") return [required(field)];
  const problems = labelProblems(kind.toLowerCase());
  return problems.map((problem) => invalid(field, kind, `may have mixed case, but should otherwise match: ${problem}`));
}

function labelProblems(name: string): string[] {
  return [
    ...(name.length > 63 ? ["must be no more than 63 characters"] : []),
    ...(label.test(name) ? [] : [labelText]),
  ];
}

const label = /^[a-z]([-a-z0-9]*[a-z0-9])?$/;
const labelText =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and " +
  "end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";

const subdomain = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const subdomainText =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end " +
  "with an alphanumeric character (e.g. 'example.com', regex used for validation is " +
  "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
