import { dns1035LabelProblems, dnsSubdomainProblems } from "../dns-names.ts";
import { invalid, required, type FieldError } from "../field-error.ts";
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
  if (name === "" && field === "spec.names.plural") return [required(field)];
  return dns1035LabelProblems(name).map((problem) => invalid(field, name, problem));
}

/** Checks a group, which must be a DNS subdomain. */
export function groupErrors(field: string, group: string): FieldError[] {
  const [problem] = dnsSubdomainProblems(group);
  if (problem !== undefined) return [invalid(field, group, problem)];
  return group.includes(".") ? [] : [invalid(field, group, "should be a domain with at least one dot")];
}

function kindErrors(field: string, kind: string): FieldError[] {
  if (kind === "") return [required(field)];
  const problems = dns1035LabelProblems(kind.toLowerCase());
  return problems.map((problem) => invalid(field, kind, `may have mixed case, but should otherwise match: ${problem}`));
}
