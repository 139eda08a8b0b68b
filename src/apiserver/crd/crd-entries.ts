import { compareVersions } from "../../apimachinery/compare-versions.ts";
import { apiVersionOf, parseApiVersion } from "../../apimachinery/kind.ts";
import { pruneUnknown } from "../../apimachinery/schema/prune.ts";
import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import type { ServiceResolver } from "../call-webhook.ts";
import { memoize } from "../registry/memoize.ts";
import type {
  ResourceEntry,
  CustomResourceVersion,
  ServedResource,
  ServedSubresource,
  Strategy,
} from "../registry/served-resource.ts";
import type {
  CrdSpec,
  CrdVersion,
  CustomResourceDefinition,
  CrdNames,
  CrdScale,
} from "../../apimachinery/crd/crd-types.ts";
import { inShape, WebhookConversion } from "./webhook-conversion.ts";
import { isObject } from "../../apimachinery/is-object.ts";
import { invalid, type FieldError } from "../../apimachinery/field-error.ts";
import { ownField } from "../../apimachinery/set-field.ts";

const verbs = ["delete", "deletecollection", "get", "list", "patch", "create", "update", "watch"];
const partVerbs = ["get", "patch", "update"];

/** Returns an entry for each served version of an established CRD. */
export function crdEntries(crd: CustomResourceDefinition, resolveService: ServiceResolver): ResourceEntry[] {
  const { spec } = crd;
  return spec.versions
    .filter((version) => version.served)
    .map((version) => {
      const resource = servedResource(crd, version);
      return {
        resource,
        strategy: customStrategy(resource, version.deprecated ? warningOf(spec, version) : undefined),
        terminating: crd.metadata.deletionTimestamp !== undefined,
        storage: { group: spec.group, plural: spec.names.plural },
        ...conversion(crd, version, resolveService),
      };
    });
}

/** Returns the conversions between one version and the stored one. */
function conversion(
  { spec, metadata }: CustomResourceDefinition,
  version: CrdVersion,
  resolveService: ServiceResolver,
): Pick<ResourceEntry, "load" | "read" | "convert" | "write"> {
  const storageVersion = spec.versions.find((each) => each.storage);
  if (spec.conversion?.strategy === "Webhook") {
    const webhook = new WebhookConversion({ spec, version, storageVersion, resolveService });
    return {
      load: (stored) => webhook.load(stored),
      read: (stored) => webhook.read(stored),
      convert: (object) => webhook.convert(object),
      write: (object) => webhook.write(object),
    };
  }
  const apiVersion = apiVersionOf({ group: spec.group, version: version.name });
  const storedAs = apiVersionOf({ group: spec.group, version: storageVersion?.name ?? "" });
  const schemaOf = (name: string) => spec.versions.find((each) => each.name === name)?.schema?.openAPIV3Schema;
  const [shown, kept] = [schemaOf(version.name), schemaOf(storageVersion?.name ?? "")];
  // Objects fit the only schema that ever wrote them.
  const fits = spec.versions.length === 1 && metadata.generation === 1;
  const convert = memoize((stored) => {
    const from = schemaOf(parseApiVersion(stored.apiVersion ?? "").version);
    return inShape(withApiVersion(stored, apiVersion), { stored: from, shown });
  });
  return {
    convert: (object) => withApiVersion(object, apiVersion),
    read: (stored) => (fits && stored.apiVersion === apiVersion ? stored : convert(stored)),
    write(object) {
      // Applies and webhooks bring fields that the schema does not declare.
      if (kept) pruneUnknown(kept, object);
      return withApiVersion(object, storedAs);
    },
  };
}

function servedResource(crd: CustomResourceDefinition, version: CrdVersion): ServedResource {
  const { group, names, scope } = crd.spec;
  return {
    group,
    version: version.name,
    kind: names.kind,
    listKind: names.listKind ?? `${names.kind}List`,
    plural: names.plural,
    singular: names.singular ?? names.kind.toLowerCase(),
    shortNames: names.shortNames ?? [],
    categories: names.categories ?? [],
    namespaced: scope === "Namespaced",
    verbs,
    subresources: subresources(version, names.kind),
    schema: () => version.schema?.openAPIV3Schema,
    custom: customVersion(crd, version),
  };
}

function subresources({ subresources }: CrdVersion, kind: string): ServedSubresource[] {
  const found: ServedSubresource[] = [];
  if (subresources?.status) found.push({ name: "status", kind, verbs: partVerbs });
  if (subresources?.scale)
    found.push({ name: "scale", kind: "Scale", group: "autoscaling", version: "v1", verbs: partVerbs });
  return found;
}

function customVersion(crd: CustomResourceDefinition, version: CrdVersion): CustomResourceVersion {
  return {
    storageVersion: crd.spec.versions.find(({ storage }) => storage)?.name ?? "",
    versions: crd.spec.versions.map(({ name }) => name),
    columns: version.additionalPrinterColumns ?? [],
    selectableFields: (version.selectableFields ?? []).map(({ jsonPath }) => jsonPath),
    hasStatus: version.subresources?.status !== undefined,
    ...(version.subresources?.scale && { scale: version.subresources.scale }),
  };
}

function warningOf(spec: CrdSpec, version: CrdVersion): string {
  const { group, names, versions } = spec;
  const current = versions.filter((each) => each.served && !each.deprecated).map(({ name }) => name);
  const [best] = current.sort(compareVersions);
  const advice = best === undefined ? "" : `; use ${group}/${best} ${names.kind}`;
  return version.deprecationWarning ?? `${group}/${version.name} ${names.kind} is deprecated${advice}`;
}

function customStrategy(resource: ServedResource, deprecation: string | undefined): Strategy {
  const hasStatus = resource.custom?.hasStatus === true;
  return {
    ...(deprecation !== undefined && { deprecation }),
    requiresVersion: true,
    validate: (object) => scaleErrors(resource.custom?.scale, object),
    generationOf({ metadata: _metadata, status, ...rest }) {
      return hasStatus ? rest : { ...rest, status };
    },
  };
}

function withApiVersion(object: UnstructuredObject, apiVersion: string): UnstructuredObject {
  return object.apiVersion === apiVersion ? object : Object.freeze({ ...object, apiVersion });
}

/** The conflict of a CRD's names with the names of another accepted CRD of the group. */
interface NameConflict {
  readonly reason: string;
  readonly message: string;
}

interface SettledNames {
  readonly accepted: Partial<CrdNames>;
  readonly conflict: NameConflict | undefined;
}

/**
 * Accepts the names of a CRD one by one, unless another CRD of the group has them; then the CRD keeps what it had. Of
 * several conflicts the last one found is reported, as in Go.
 */
export function settleNames(crd: CustomResourceDefinition, others: Iterable<CustomResourceDefinition>): SettledNames {
  const [taken, takenKinds] = takenNames(crd, others);
  const names = completeNames(crd.spec.names);
  const had = crd.status?.acceptedNames ?? {};
  const accepted: { -readonly [Name in keyof CrdNames]?: CrdNames[Name] } = {};
  let conflict: NameConflict | undefined;
  const refuse = (reason: string, name: string): void => {
    conflict = { reason, message: `"${name}" is already in use` };
  };
  const settle = (field: "plural" | "singular" | "kind" | "listKind", reason: string, used: Set<string>): void => {
    const name = names[field];
    if (name && used.has(name)) refuse(reason, name);
    const kept = name && used.has(name) ? had[field] : name;
    if (kept) accepted[field] = kept;
  };
  settle("plural", "PluralConflict", taken);
  settle("singular", "SingularConflict", taken);
  const short = (names.shortNames ?? []).filter((name) => taken.has(name));
  if (short[0]) refuse("ShortNamesConflict", short[0]);
  const shortNames = short.length > 0 ? had.shortNames : names.shortNames;
  if (shortNames) accepted.shortNames = shortNames;
  settle("kind", "KindConflict", takenKinds);
  settle("listKind", "ListKindConflict", takenKinds);
  if (names.categories) accepted.categories = names.categories;
  return { accepted, conflict };
}

function takenNames(
  crd: CustomResourceDefinition,
  others: Iterable<CustomResourceDefinition>,
): [names: Set<string>, kinds: Set<string>] {
  const [names, kinds] = [new Set<string>(), new Set<string>()];
  for (const other of others) {
    if (other.spec.group !== crd.spec.group || other.metadata.name === crd.metadata.name) continue;
    const { plural, singular, shortNames, kind, listKind } = other.status?.acceptedNames ?? {};
    for (const name of [plural, singular, ...(shortNames ?? [])]) if (name) names.add(name);
    for (const name of [kind, listKind]) if (name) kinds.add(name);
  }
  return [names, kinds];
}

/** Returns the names with their defaults. */
function completeNames(names: CrdNames): CrdNames {
  return {
    ...names,
    singular: names.singular ?? names.kind.toLowerCase(),
    listKind: names.listKind ?? `${names.kind}List`,
  };
}

const largestCount = 2 ** 31 - 1;

/** Returns the errors of the fields that the `scale` subresource shows. */
function scaleErrors(scale: CrdScale | undefined, object: UnstructuredObject): FieldError[] {
  if (!scale) return [];
  const { specReplicasPath, statusReplicasPath, labelSelectorPath } = scale;
  const counts = [specReplicasPath, statusReplicasPath].flatMap((path) => {
    const [count = 0] = [valueAt(object, path)];
    const fits = Number.isInteger(count) && Number(count) >= 0 && Number(count) <= largestCount;
    return fits ? [] : [invalid(path, count, `should be an integer between 0 and ${largestCount}`)];
  });
  const [selector = ""] = labelSelectorPath ? [valueAt(object, labelSelectorPath)] : [];
  if (typeof selector === "string") return counts;
  return [...counts, invalid(labelSelectorPath!, selector, "should be a string")];
}

/** Returns the value at a path; a list, which fits nowhere, if a value on the way has no fields. */
function valueAt(object: unknown, path: string): unknown {
  const names = path.replace(/^\./, "").split(".");
  return names.reduce<unknown>((value, name) => {
    if (isObject(value)) return ownField(value, name);
    return value === undefined || value === null ? undefined : [value];
  }, object);
}
