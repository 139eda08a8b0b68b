import { equalJson } from "../../../apimachinery/equal.ts";
import { child, childIf, fill } from "../../../apimachinery/fields.ts";
import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import { type FieldError, forbidden } from "../../../apimachinery/schema/field-error.ts";
import type { BuiltinKind } from "../builtin-kind.ts";
import { textAt, textsAt } from "../printing/field-access.ts";
import { creationAge } from "../printing/human-duration.ts";
import { printer } from "../printing/printer.ts";
import { claimSpecErrors } from "../rules/claim-spec-errors.ts";
import { accessModes, phase, protect, storageClassOf } from "./persistent-volume.ts";

/** PersistentVolumeClaim. A bound claim can only grow. */
export const persistentVolumeClaim: BuiltinKind = {
  unconditionalUpdate: true,
  returnsDeleted: true,
  checksUpdateAsNew: true,
  applyDefaults(claim) {
    fill(child(claim, "spec"), { volumeMode: "Filesystem" });
    fill(child(claim, "status"), { phase: "Pending" });
  },
  prepareCreate: (claim) => protect(claim, "kubernetes.io/pvc-protection"),
  validate: (claim, old) => [
    ...claimSpecErrors(childIf(claim, "spec"), "spec"),
    ...(old ? changeErrors(claim, old) : []),
  ],
  printer: printer(
    "Status|Volume|Capacity|Access Modes|StorageClass|VolumeAttributesClass|Age|VolumeMode*",
    (object, now) => {
      const volume = textAt(object, "spec", "volumeName");
      return [
        phase(object),
        volume,
        volume === "" ? "" : textAt(object, "status", "capacity", "storage") || "0",
        volume === "" ? "" : accessModes(textsAt(object, "status", "accessModes")),
        storageClassOf(object),
        textAt(object, "spec", "volumeAttributesClassName") || "<unset>",
        creationAge(object, now),
        textAt(object, "spec", "volumeMode") || "<unset>",
      ];
    },
  ),
};

function changeErrors(claim: UnstructuredObject, old: UnstructuredObject): FieldError[] {
  const isBound = childIf(old, "status")?.["phase"] === "Bound";
  if (equalJson(fixedPart(claim, isBound), fixedPart(old, isBound))) return [];
  return [
    forbidden(
      "spec",
      "spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims",
    ),
  ];
}

function fixedPart(claim: UnstructuredObject, isBound: boolean): unknown {
  const spec = childIf(claim, "spec") ?? {};
  // The binder sets the volume, and a default class may be set later.
  const { volumeName: _volume, storageClassName: _class, ...fixed } = spec;
  if (!isBound) return fixed;
  const { volumeAttributesClassName: _attributes, resources, ...rest } = fixed;
  const { requests: _requests, ...limits } = (resources ?? {}) as Record<string, unknown>;
  return { ...rest, resources: limits };
}
