import { isConditionTrue } from "../conditions.ts";
import { equalJson } from "../equal.ts";
import { invalid, notSupported, required, type FieldError } from "../field-error.ts";
import type { JsonSchema } from "../json-schema.ts";
import { approvalErrors } from "./approval-errors.ts";
import type { CrdVersion, CustomResourceDefinition, CrdSpec } from "./crd-types.ts";
import { rootErrorsWithStatus, schemaErrors } from "./schema-errors.ts";
import { deprecationErrors, versionErrors } from "./version-errors.ts";
import { dns1035LabelProblems, dnsSubdomainProblems } from "../dns-names.ts";

/** Returns the errors for which a real server rejects a CRD. */
export async function crdErrors(
  crd: CustomResourceDefinition,
  old: CustomResourceDefinition | undefined,
): Promise<FieldError[]> {
  const { spec } = crd;
  const [only, ...others] = spec.versions ?? [];
  // The server names properties shared by all versions at the top level, as before CRDs had versions.
  const hoisted = only !== undefined && others.length === 0;
  const contents = (spec.versions ?? []).map((version, index) => {
    const schemaBefore = old?.spec.versions.find(({ name }) => name === version.name)?.schema?.openAPIV3Schema;
    return contentErrors(version, hoisted ? "spec" : `spec.versions[${index}]`, { hoisted, schemaBefore });
  });
  return [
    ...(old ? [] : ownNameErrors(crd)),
    ...identityErrors(crd),
    ...nameErrors(spec),
    ...listErrors(crd),
    ...(await Promise.all(contents)).flat(),
    ...(old ? changeErrors(crd, old) : []),
  ];
}

function ownNameErrors({ metadata, spec }: CustomResourceDefinition): FieldError[] {
  // Without a name, only that is reported.
  if (!metadata.name || metadata.name === `${spec.names?.plural}.${spec.group}`) return [];
  return [invalid("metadata.name", metadata.name, 'must be spec.names.plural+"."+spec.group')];
}

function identityErrors({ metadata, spec }: CustomResourceDefinition): FieldError[] {
  const errors: FieldError[] = [];
  const { group, scope } = spec;
  errors.push(...(group ? groupErrors("spec.group", group) : [required("spec.group")]));
  if (!scope) errors.push(required("spec.scope"));
  else if (scope !== "Cluster" && scope !== "Namespaced")
    errors.push(notSupported("spec.scope", scope, ["Cluster", "Namespaced"]));
  if (spec.preserveUnknownFields === true)
    errors.push(
      invalid(
        "spec.preserveUnknownFields",
        true,
        "cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead",
      ),
    );
  return [...errors, ...approvalErrors(group, metadata.annotations)];
}

function listErrors({ spec, status }: CustomResourceDefinition): FieldError[] {
  const errors: FieldError[] = [];
  const versions = spec.versions ?? [];
  versions.forEach((version, index) => {
    const at = `spec.versions[${index}]`;
    errors.push(...labelErrors(`${at}.name`, version.name ?? ""), ...deprecationErrors(version, at));
    if (!version.schema?.openAPIV3Schema) errors.push(required(`${at}.schema.openAPIV3Schema`));
  });
  if (versions[0]?.name) errors.push(...labelErrors("spec.version", versions[0].name));
  if (new Set(versions.map(({ name }) => name)).size < versions.length)
    errors.push(invalid("spec.versions", versions.map(internalVersion), "must contain unique version names"));
  const stored = versions.filter(({ storage }) => storage);
  if (stored.length !== 1)
    errors.push(
      invalid(
        "spec.versions",
        spec.versions?.map(internalVersion) ?? null,
        "must have exactly one version marked as storage version",
      ),
    );
  const { storedVersions = [] } = status ?? {};
  if (storedVersions.length === 0)
    errors.push(invalid("status.storedVersions", null, "must have at least one stored version"));
  else
    for (const { name } of stored)
      if (!storedVersions.includes(name))
        errors.push(invalid("status.storedVersions", storedVersions, `must have the storage version ${name}`));
  status?.storedVersions?.forEach((name, index) => {
    if (!versions.some((version) => version.name === name))
      errors.push(
        invalid(`status.storedVersions[${index}]`, name, `missing from spec.versions; ${migrationText(name)}`),
      );
  });
  return errors;
}

function migrationText(name: string): string {
  const until = `until a storage migration ensures no data remains persisted in ${name} and removes ${name} from`;
  return `${name} was previously a storage version, and must remain in spec.versions ${until} status.storedVersions`;
}

/** Renders a version as the server's internal type prints it. */
function internalVersion(version: CrdVersion): unknown {
  return {
    Name: version.name,
    Served: version.served ?? false,
    Storage: version.storage ?? false,
    Deprecated: version.deprecated ?? false,
    DeprecationWarning: version.deprecationWarning ?? null,
    Schema: null,
    Subresources: null,
    AdditionalPrinterColumns: null,
    SelectableFields: null,
  };
}

interface Context {
  readonly hoisted: boolean;
  readonly schemaBefore: JsonSchema | undefined;
}

async function contentErrors(
  version: CrdVersion,
  path: string,
  { hoisted, schemaBefore }: Context,
): Promise<FieldError[]> {
  const schema = version.schema?.openAPIV3Schema;
  const schemaPath = hoisted ? "spec.validation.openAPIV3Schema" : `${path}.schema.openAPIV3Schema`;
  const isNew = schema !== undefined && !equalJson(schema, schemaBefore);
  return [
    ...(isNew && version.subresources?.status ? rootErrorsWithStatus(schema, schemaPath) : []),
    ...(isNew ? await schemaErrors(schema, schemaPath) : []),
    ...versionErrors(version, path),
  ];
}

function changeErrors({ spec, status }: CustomResourceDefinition, old: CustomResourceDefinition): FieldError[] {
  const errors: FieldError[] = [];
  const keep = (field: string, now: unknown, before: unknown): void => {
    if (!equalJson(now, before)) errors.push(invalid(field, now, "field is immutable"));
  };
  keep("spec.group", spec.group, old.spec.group);
  if (!isConditionTrue(status?.conditions ?? [], "Established")) return errors;
  keep("spec.scope", spec.scope, old.spec.scope);
  keep("spec.names.kind", spec.names.kind, old.spec.names.kind);
  keep("spec.names.plural", spec.names.plural, old.spec.names.plural);
  return errors;
}

/** Checks the names of a kind. */
function nameErrors({ names }: CrdSpec): FieldError[] {
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
function labelErrors(field: string, name: string): FieldError[] {
  if (name === "" && field === "spec.names.plural") return [required(field)];
  return dns1035LabelProblems(name).map((problem) => invalid(field, name, problem));
}

/** Checks a group, which must be a DNS subdomain. */
function groupErrors(field: string, group: string): FieldError[] {
  const [problem] = dnsSubdomainProblems(group);
  if (problem !== undefined) return [invalid(field, group, problem)];
  return group.includes(".") ? [] : [invalid(field, group, "should be a domain with at least one dot")];
}

function kindErrors(field: string, kind: string): FieldError[] {
  if (kind === "") return [required(field)];
  const problems = dns1035LabelProblems(kind.toLowerCase());
  return problems.map((problem) => invalid(field, kind, `may have mixed case, but should otherwise match: ${problem}`));
}
