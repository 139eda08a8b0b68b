import { equalJson } from "../equal.ts";
import { invalid, notSupported, required, type FieldError } from "../schema/field-error.ts";
import { hasRules } from "../schema/has-rules.ts";
import type { JsonSchema } from "../schema/json-schema.ts";
import { structuralErrors } from "../schema/structural-errors.ts";
import type { CrdSpec, CrdVersion, CustomResourceDefinition } from "./custom-resource-definition.ts";

/** What a real server finds wrong with a CRD. */
export async function crdErrors(
  crd: CustomResourceDefinition,
  old: CustomResourceDefinition | undefined,
): Promise<FieldError[]> {
  const { spec } = crd;
  const [only, ...others] = spec.versions ?? [];
  // What all versions have in common is named at the top, where it stood before CRDs had versions.
  const hoisted = only !== undefined && others.length === 0;
  const contents = (spec.versions ?? []).map((version, index) => {
    const schemaBefore = old?.spec.versions.find(({ name }) => name === version.name)?.schema?.openAPIV3Schema;
    return contentErrors(version, hoisted ? "spec" : `spec.versions[${index}]`, { hoisted, schemaBefore });
  });
  return [
    ...(old ? [] : ownNameErrors(crd)),
    ...identityErrors(crd),
    ...nameErrors(spec),
    ...versionErrors(crd),
    ...(await Promise.all(contents)).flat(),
    ...(old ? changeErrors(crd, old) : []),
  ];
}

const label = /^[a-z]([-a-z0-9]*[a-z0-9])?$/;
const labelText =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and " +
  "end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";

function ownNameErrors({ metadata, spec }: CustomResourceDefinition): FieldError[] {
  if (metadata.name === `${spec.names?.plural}.${spec.group}`) return [];
  return [invalid("metadata.name", metadata.name, 'must be spec.names.plural+"."+spec.group')];
}

function identityErrors({ metadata, spec }: CustomResourceDefinition): FieldError[] {
  const errors: FieldError[] = [];
  const { group, scope } = spec;
  if (!group) errors.push(required("spec.group"));
  if (scope !== "Cluster" && scope !== "Namespaced")
    errors.push(notSupported("spec.scope", scope, ["Cluster", "Namespaced"]));
  if (spec.preserveUnknownFields === true)
    errors.push(
      invalid(
        "spec.preserveUnknownFields",
        true,
        "cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead",
      ),
    );
  const approval = "api-approved.kubernetes.io";
  if (isProtected(group) && !metadata.annotations?.[approval])
    errors.push(
      required(
        `metadata.annotations[${approval}]`,
        `protected groups must have approval annotation "${approval}", see https://github.com/kubernetes/enhancements/pull/1111`,
      ),
    );
  return errors;
}

function isProtected(group = ""): boolean {
  return /(^|\.)(k8s|kubernetes)\.io$/.test(group);
}

function nameErrors({ names }: CrdSpec): FieldError[] {
  const errors: FieldError[] = [];
  if (!names) return [required("spec.names.plural"), required("spec.names.kind")];
  const { plural, singular, kind, listKind, shortNames = [] } = names;
  const lower: readonly (readonly [string, string | undefined])[] = [
    ["spec.names.plural", plural],
    ["spec.names.singular", singular],
    ...shortNames.map((name, index) => [`spec.names.shortNames[${index}]`, name] as const),
  ];
  for (const [field, name] of lower) {
    if (name === undefined || name === "") errors.push(...(field === "spec.names.plural" ? [required(field)] : []));
    else if (!label.test(name)) errors.push(invalid(field, name, labelText));
  }
  for (const [field, name] of [
    ["spec.names.kind", kind],
    ["spec.names.listKind", listKind],
  ] as const) {
    if (!name) errors.push(...(field === "spec.names.kind" ? [required(field)] : []));
    else if (!label.test(name.toLowerCase()))
      errors.push(invalid(field, name, `may have mixed case, but should otherwise match: ${labelText}`));
  }
  if (kind && kind === listKind)
    errors.push(invalid("spec.names.listKind", listKind, "kind and listKind may not be the same"));
  return errors;
}

function versionErrors({ spec, status }: CustomResourceDefinition): FieldError[] {
  const errors: FieldError[] = [];
  const versions = spec.versions ?? [];
  versions.forEach(({ name, schema }, index) => {
    if (!label.test(name ?? "")) errors.push(invalid(`spec.versions[${index}].name`, name ?? "", labelText));
    if (!schema?.openAPIV3Schema) errors.push(required(`spec.versions[${index}].schema.openAPIV3Schema`));
  });
  if (versions[0]?.name && !label.test(versions[0].name))
    errors.push(invalid("spec.version", versions[0].name, labelText));
  if (new Set(versions.map(({ name }) => name)).size < versions.length)
    errors.push(invalid("spec.versions", versions.map(internalVersion), "must contain unique version names"));
  const stored = versions.filter(({ storage }) => storage);
  if (stored.length !== 1)
    errors.push(
      invalid(
        "spec.versions",
        versions.map(internalVersion),
        "must have exactly one version marked as storage version",
      ),
    );
  if (!status?.storedVersions?.length)
    errors.push(invalid("status.storedVersions", null, "must have at least one stored version"));
  status?.storedVersions?.forEach((name, index) => {
    if (!versions.some((version) => version.name === name))
      errors.push(invalid(`status.storedVersions[${index}]`, name, "missing from spec.versions; " + migrationText));
  });
  return errors;
}

const migrationText =
  "cannot remove this version until all existing objects using it have been migrated and it has been removed from status.storedVersions";

/** A version as the server's internal type prints it. */
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
  return [
    ...(schema && !equalJson(schema, schemaBefore) ? await schemaErrors(schema, schemaPath) : []),
    ...columnErrors(version, path),
    ...scaleErrors(version, path),
    ...selectableErrors(version, path),
  ];
}

/** Rules are compiled only for a schema that is sound: they get their types from it. */
async function schemaErrors(schema: JsonSchema, path: string): Promise<FieldError[]> {
  const errors = structuralErrors(schema, path);
  if (errors.length > 0 || !hasRules(schema)) return errors;
  // A large library, which a server without rules never loads.
  const { ruleErrors } = await import("../cel/rule-errors.ts");
  return ruleErrors(schema, path);
}

const columnTypes = ["boolean", "date", "integer", "number", "string"];

function columnErrors({ additionalPrinterColumns = [] }: CrdVersion, path: string): FieldError[] {
  return additionalPrinterColumns.flatMap(({ name, type, jsonPath }, index) => {
    const at = `${path}.additionalPrinterColumns[${index}]`;
    const errors: FieldError[] = [];
    if (!name) errors.push(required(`${at}.name`));
    if (!type) errors.push(required(`${at}.type`, `must be one of ${columnTypes.join(",")}`));
    else if (!columnTypes.includes(type))
      errors.push(invalid(`${at}.type`, type, `must be one of ${columnTypes.join(",")}`));
    if (!jsonPath) errors.push(required(`${at}.JSONPath`));
    else if (!jsonPath.startsWith(".")) errors.push(invalid(`${at}.JSONPath`, jsonPath, simplePath));
    return errors;
  });
}

const simplePath = "must be a simple json path starting with .";

function scaleErrors({ subresources }: CrdVersion, path: string): FieldError[] {
  const scale = subresources?.scale;
  if (!scale) return [];
  const at = `${path}.subresources.scale`;
  const check = (field: string, value: string | undefined, roots: readonly string[]): FieldError[] => {
    if (!value) return field === "labelSelectorPath" ? [] : [required(`${at}.${field}`)];
    if (!value.startsWith(".")) return [invalid(`${at}.${field}`, value, simplePath)];
    if (roots.some((root) => value.startsWith(`${root}.`))) return [];
    return [invalid(`${at}.${field}`, value, `should be a json path under ${roots.toReversed().join(" or ")}`)];
  };
  return [
    ...check("specReplicasPath", scale.specReplicasPath, [".spec"]),
    ...check("statusReplicasPath", scale.statusReplicasPath, [".status"]),
    ...check("labelSelectorPath", scale.labelSelectorPath, [".status", ".spec"]),
  ];
}

function selectableErrors({ selectableFields = [], schema }: CrdVersion, path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (selectableFields.length > 8)
    errors.push({
      reason: "FieldValueTooMany",
      field: `${path}.selectableFields`,
      message: `Too many: ${selectableFields.length}: must have at most 8 items`,
    });
  selectableFields.forEach(({ jsonPath }, index) => {
    const type = typeAt(schema?.openAPIV3Schema, jsonPath);
    if (type === "string" || type === "boolean" || type === "integer") return;
    const why =
      "must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.";
    errors.push(invalid(`${path}.selectableFields[${index}].jsonPath`, jsonPath, why));
  });
  return errors;
}

function typeAt(schema: JsonSchema | undefined, path: string): string | undefined {
  return path
    .split(".")
    .slice(1)
    .reduce<JsonSchema | undefined>((node, name) => node?.properties?.[name], schema)?.type;
}

function changeErrors({ spec, status }: CustomResourceDefinition, old: CustomResourceDefinition): FieldError[] {
  const errors: FieldError[] = [];
  const keep = (field: string, now: unknown, before: unknown): void => {
    if (!equalJson(now, before)) errors.push(invalid(field, now, "field is immutable"));
  };
  keep("spec.group", spec.group, old.spec.group);
  const established = status?.conditions?.some((each) => each.type === "Established" && each.status === "True");
  if (!established) return errors;
  keep("spec.scope", spec.scope, old.spec.scope);
  keep("spec.names.kind", spec.names.kind, old.spec.names.kind);
  keep("spec.names.plural", spec.names.plural, old.spec.names.plural);
  return errors;
}
