import { foregroundFinalizer, orphanFinalizer } from "../../../apimachinery/collector-finalizers.ts";
import type { ObjectMeta } from "../../../apimachinery/meta.ts";
import { invalid, tooLong, type FieldError } from "../../../apimachinery/field-error.ts";
import { labelKeyErrors, labelsErrors } from "../../kinds/rules/name-errors.ts";

const largestAnnotations = 256 * 1024;

/** Returns the findings about the parts of metadata that may be wrong in any object, embedded ones included. */
export function metaTextErrors(metadata: ObjectMeta, path = "metadata"): FieldError[] {
  return [
    ...labelsErrors(`${path}.labels`, metadata.labels),
    ...annotationErrors(`${path}.annotations`, metadata.annotations),
    ...ownerErrors(`${path}.ownerReferences`, metadata),
  ];
}

function annotationErrors(field: string, annotations: Record<string, string> | undefined): FieldError[] {
  const entries = Object.entries(annotations ?? {});
  const size = entries.reduce((sum, [key, value]) => sum + key.length + Buffer.byteLength(value), 0);
  const errors = entries.flatMap(([key]) => labelKeyErrors(field, key.toLowerCase()));
  if (size <= largestAnnotations) return errors;
  return [...errors, tooLong(field, largestAnnotations)];
}

function ownerErrors(path: string, { ownerReferences = [] }: ObjectMeta): FieldError[] {
  const errors = ownerReferences.flatMap((owner) =>
    (["apiVersion", "kind", "name", "uid"] as const)
      .filter((name) => !(name === "apiVersion" ? versionOf(owner.apiVersion) : owner[name]))
      .map((name) => {
        const field = `${path}.${name}`;
        if (name === "apiVersion") return invalid(field, owner.apiVersion ?? "", "version must not be empty");
        return invalid(field, "", `must not be empty`);
      }),
  );
  for (const owner of ownerReferences)
    if (owner.apiVersion === "v1" && owner.kind === "Event")
      errors.push(invalid(path, owner, "/v1, Kind=Event is disallowed from being an owner"));
  const controllers = ownerReferences.filter((owner) => owner.controller === true);
  if (controllers.length > 1) {
    const [first, second] = controllers.map(({ kind, name }) => `${kind}/${name}`);
    const why = `Only one reference can have Controller set to true. Found "true" in references for ${first} and ${second}`;
    errors.push(invalid(path, ownerReferences, why));
  }
  return errors;
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
