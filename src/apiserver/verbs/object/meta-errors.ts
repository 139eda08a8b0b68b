import { foregroundFinalizer, orphanFinalizer } from "../../../apimachinery/collector-finalizers.ts";
import type { Builtins } from "../../../apimachinery/builtin/load-builtins.ts";
import { isSince } from "../../../apimachinery/kubernetes-version.ts";
import type { ObjectMeta, OwnerReference, UnstructuredObject } from "../../../apimachinery/meta.ts";
import { invalid, tooLong, type FieldError, joinField } from "../../../apimachinery/field-error.ts";
import { labelKeyErrors, labelsErrors, dns1035Errors, dnsLabelErrors } from "../../kinds/rules/name-errors.ts";
import { isObject } from "../../../apimachinery/is-object.ts";
import type { JsonSchema } from "../../../apimachinery/json-schema.ts";
import { embeddedObjects } from "../../../apimachinery/schema/embedded-objects.ts";
import { sortMembers } from "../../../apimachinery/sort-members.ts";
import { metaDecodeError } from "../../registry/decode-error.ts";

const largestAnnotations = 256 * 1024;

/** Returns the findings about the parts of metadata that may be wrong in any object, embedded ones included. */
export function metaTextErrors(metadata: ObjectMeta, builtins: Builtins, path = "metadata"): FieldError[] {
  return [
    ...labelsErrors(`${path}.labels`, metadata.labels),
    ...annotationErrors(`${path}.annotations`, metadata.annotations),
    ...ownerErrors(`${path}.ownerReferences`, metadata, isSince(builtins.version, "1.37")),
  ];
}

function annotationErrors(field: string, annotations: Record<string, string> | undefined): FieldError[] {
  const entries = Object.entries(annotations ?? {});
  const size = entries.reduce((sum, [key, value]) => sum + key.length + Buffer.byteLength(value), 0);
  const errors = entries.flatMap(([key]) => labelKeyErrors(field, key.toLowerCase()));
  if (size <= largestAnnotations) return errors;
  return [...errors, tooLong(field, largestAnnotations)];
}

/** Returns the findings about owners. From 1.37 on, they are about an item of the list. */
function ownerErrors(path: string, { ownerReferences = [] }: ObjectMeta, isIndexed: boolean): FieldError[] {
  const pathOf = (at: number): string => (isIndexed ? `${path}[${at}]` : path);
  const isEvent = ({ apiVersion, kind }: OwnerReference): boolean => apiVersion === "v1" && kind === "Event";
  const eventAt = ownerReferences.findIndex(isEvent);
  const isWrong = eventAt >= 0 || ownerReferences.filter(({ controller }) => controller === true).length > 1;
  return [
    ...ownerReferences.flatMap((owner, at) =>
      (["apiVersion", "kind", "name", "uid"] as const)
        .filter((name) => !(name === "apiVersion" ? versionOf(owner.apiVersion) : owner[name]))
        .map((name) => invalid(`${pathOf(at)}.${name}`, owner[name] ?? "", "must not be empty")),
    ),
    ...(isWrong
      ? [
          invalid(
            isIndexed && eventAt >= 0 ? pathOf(eventAt) : path,
            ownerReferences,
            "must have one controller at most, and no events",
          ),
        ]
      : []),
  ];
}

/** Returns the findings about finalizers. */
export function finalizerErrors({ finalizers = [] }: ObjectMeta): FieldError[] {
  const errors = finalizers.flatMap((name) => labelKeyErrors("metadata.finalizers", name));
  if (!finalizers.includes(orphanFinalizer) || !finalizers.includes(foregroundFinalizer)) return errors;
  const why = "finalizer orphan and foregroundDeletion cannot be both set";
  return [...errors, invalid("metadata.finalizers", finalizers, why)];
}

/** Returns the version in an apiVersion; empty for a text that has none. */
function versionOf(apiVersion = ""): string {
  const parts = apiVersion.split("/");
  return parts.length > 2 ? "" : (parts.at(-1) ?? "");
}

/** Returns the error of a decoder about the type or the metadata of an embedded object. */
export function embeddedDecodeError(schema: JsonSchema, object: UnstructuredObject): string | undefined {
  for (const { fields, path } of embeddedObjects(schema, object)) {
    for (const name of ["apiVersion", "kind"])
      if (typeof (fields[name] ?? "") !== "string")
        return refusal(joinField(path, name), fields[name], "must be a string");
    const why = metaDecodeError(fields["metadata"]);
    if (why !== undefined) return refusal(joinField(path, "metadata"), fields["metadata"], why);
  }
  return undefined;
}

function refusal(field: string, value: unknown, why: string): string {
  return `${field}: Invalid value: ${JSON.stringify(sortMembers(value))}: ${why}`;
}

/** Normalizes the metadata of embedded objects: a null counts as absent. */
export function tidyEmbedded(schema: JsonSchema, object: UnstructuredObject): void {
  for (const { schema: own, fields } of embeddedObjects(schema, object)) {
    // Its schema drops the null if it declares the metadata.
    if (fields["metadata"] === null && !own.properties?.["metadata"]) fields["metadata"] = {};
    const metadata = fields["metadata"];
    if (!isObject(metadata)) continue;
    for (const name of Object.keys(metadata)) if (metadata[name] === null) delete metadata[name];
  }
}

/** Returns the errors in the types and the metadata of embedded objects. */
export function embeddedErrors(schema: JsonSchema, object: UnstructuredObject, builtins: Builtins): FieldError[] {
  return [...embeddedObjects(schema, object)].flatMap(({ fields, path }) => [
    ...versionErrors(joinField(path, "apiVersion"), fields["apiVersion"]),
    ...kindErrors(joinField(path, "kind"), fields["kind"]),
    ...metadataErrors(joinField(path, "metadata"), fields["metadata"], builtins),
  ]);
}

function versionErrors(field: string, value: unknown): FieldError[] {
  if (value === "") return [invalid(field, value, "must not be empty")];
  if (typeof value !== "string" || value.split("/").length < 3) return [];
  return [invalid(field, value, `unexpected GroupVersion string: ${value}`)];
}

function kindErrors(field: string, value: unknown): FieldError[] {
  if (value === "") return [invalid(field, value, "must not be empty")];
  if (typeof value !== "string") return [];
  return dns1035Errors(field, value.toLowerCase());
}

function metadataErrors(field: string, metadata: unknown, builtins: Builtins): FieldError[] {
  if (!isObject(metadata)) return [];
  const { namespace, generation = 0 } = metadata as ObjectMeta;
  return [
    ...(namespace ? dnsLabelErrors(`${field}.namespace`, namespace) : []),
    ...(generation < 0 ? [invalid(`${field}.generation`, generation, "must be greater than or equal to 0")] : []),
    ...metaTextErrors(metadata, builtins, field),
  ];
}
