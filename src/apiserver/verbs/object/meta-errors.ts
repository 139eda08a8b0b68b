import { foregroundFinalizer, orphanFinalizer } from "../../../apimachinery/collector-finalizers.ts";
import type { ObjectMeta, OwnerReference } from "../../../apimachinery/meta.ts";
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
  const isEvent = ({ apiVersion, kind }: OwnerReference): boolean => apiVersion === "v1" && kind === "Event";
  const isWrong =
    ownerReferences.some(isEvent) || ownerReferences.filter(({ controller }) => controller === true).length > 1;
  return [
    ...ownerReferences.flatMap((owner) =>
      (["apiVersion", "kind", "name", "uid"] as const)
        .filter((name) => !(name === "apiVersion" ? versionOf(owner.apiVersion) : owner[name]))
        .map((name) => invalid(`${path}.${name}`, owner[name] ?? "", "must not be empty")),
    ),
    ...(isWrong ? [invalid(path, ownerReferences, "must have one controller at most, and no events")] : []),
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
