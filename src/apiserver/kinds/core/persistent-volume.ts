import { type Fields, child, childIf, fill } from "../../../apimachinery/fields.ts";
import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import type { BuiltinKind } from "../builtin-kind.ts";
import { isTerminating, textAt, textsAt, valueAt } from "../printing/field-access.ts";
import { printer } from "../printing/printer.ts";
import { defaultDisk } from "../rules/pod-defaults.ts";
import { volumeErrors } from "./persistent-volume-errors.ts";

/** PersistentVolume. */
export const persistentVolume: BuiltinKind = {
  returnsDeleted: true,
  applyDefaults(volume) {
    const spec = child(volume, "spec");
    fill(spec, { persistentVolumeReclaimPolicy: "Retain", volumeMode: "Filesystem" });
    const hostPath = childIf(spec, "hostPath");
    if (hostPath) fill(hostPath, { type: "" });
    defaultDisk(spec);
    fill(child(volume, "status"), { phase: "Pending" });
  },
  prepareCreate(volume, { now }) {
    protect(volume, "kubernetes.io/pv-protection");
    volume["status"] = { phase: "Pending", lastPhaseTransitionTime: now() };
  },
  prepareStatusUpdate(volume, old, { now }) {
    const [status, before] = [child(volume, "status"), childIf(old, "status") ?? {}];
    const since = before["lastPhaseTransitionTime"];
    const isNew = status["phase"] !== before["phase"];
    if (isNew && (status["lastPhaseTransitionTime"] ?? since) === since) status["lastPhaseTransitionTime"] = now();
    else if (since !== undefined) fill(status, { lastPhaseTransitionTime: since });
  },
  // A real server does not check the spec again when the status changes.
  validate: (volume, old, subresource) => (subresource === "status" ? [] : volumeErrors(volume, old)),
  printer: printer(
    "Capacity|Access Modes|Reclaim Policy|Status|Claim|StorageClass|VolumeAttributesClass|Reason|Age|VolumeMode*",
    (object) => {
      const claimRef = valueAt(object, "spec", "claimRef");
      return [
        textAt(object, "spec", "capacity", "storage") || "0",
        accessModes(textsAt(object, "spec", "accessModes")),
        textAt(object, "spec", "persistentVolumeReclaimPolicy"),
        phase(object),
        claimRef === undefined ? "" : `${textAt(claimRef, "namespace")}/${textAt(claimRef, "name")}`,
        storageClassOf(object),
        textAt(object, "spec", "volumeAttributesClassName") || "<unset>",
        textAt(object, "status", "reason"),
        textAt(object, "spec", "volumeMode") || "<unset>",
      ];
    },
  ),
};

/** The annotation that named the class of volumes and claims before a field did. */
export const classNote = "volume.beta.kubernetes.io/storage-class";

/** Adds the finalizer that protects a volume or claim in use, as an admission plugin does. */
export function protect({ metadata }: UnstructuredObject, finalizer: string): void {
  const { finalizers = [] } = metadata;
  if (!finalizers.includes(finalizer)) metadata.finalizers = [...finalizers, finalizer];
}

export function phase(object: Fields): string {
  return isTerminating(object) ? "Terminating" : textAt(object, "status", "phase");
}

export function storageClassOf(object: Fields): string {
  const annotation = textAt(object, "metadata", "annotations", classNote);
  return annotation || textAt(object, "spec", "storageClassName");
}

const shortModes: readonly (readonly [mode: string, short: string])[] = [
  ["ReadWriteOnce", "RWO"],
  ["ReadOnlyMany", "ROX"],
  ["ReadWriteMany", "RWX"],
  ["ReadWriteOncePod", "RWOP"],
];

export function accessModes(modes: readonly string[]): string {
  return shortModes
    .filter(([mode]) => modes.includes(mode))
    .map(([, short]) => short)
    .join(",");
}
