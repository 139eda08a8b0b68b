import { isObject } from "../../../apimachinery/is-object.ts";
import type { JsonSchema } from "../../../apimachinery/json-schema.ts";
import type { ObjectMeta, UnstructuredObject } from "../../../apimachinery/meta.ts";
import { embeddedObjects } from "../../../apimachinery/schema/embedded-objects.ts";
import { invalid, joinField, type FieldError } from "../../../apimachinery/field-error.ts";
import { sortMembers } from "../../../apimachinery/sort-members.ts";
import { dns1035Errors, dnsLabelErrors } from "../../kinds/rules/name-errors.ts";
import { metaDecodeError } from "../../registry/decode-error.ts";
import { metaTextErrors } from "./meta-errors.ts";

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
export function embeddedErrors(schema: JsonSchema, object: UnstructuredObject): FieldError[] {
  return [...embeddedObjects(schema, object)].flatMap(({ fields, path }) => [
    ...versionErrors(joinField(path, "apiVersion"), fields["apiVersion"]),
    ...kindErrors(joinField(path, "kind"), fields["kind"]),
    ...metadataErrors(joinField(path, "metadata"), fields["metadata"]),
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

function metadataErrors(field: string, metadata: unknown): FieldError[] {
  if (!isObject(metadata)) return [];
  const { namespace, generation = 0 } = metadata as ObjectMeta;
  return [
    ...(namespace ? dnsLabelErrors(`${field}.namespace`, namespace) : []),
    ...(generation < 0 ? [invalid(`${field}.generation`, generation, "must be greater than or equal to 0")] : []),
    ...metaTextErrors(metadata, field),
  ];
}
