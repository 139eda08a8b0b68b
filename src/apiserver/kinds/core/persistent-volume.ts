import { normalize } from "node:path/posix";
import { equalJson } from "../../../apimachinery/equal.ts";
import { type FieldError, forbidden, invalid, required as missing } from "../../../apimachinery/field-error.ts";
import { type Fields, child, childIf, fill, textOf } from "../../../apimachinery/fields.ts";
import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import { parseQuantity } from "../../../apimachinery/quantity.ts";
import type { BuiltinKind } from "../builtin-kind.ts";
import { isTerminating, textAt, textsAt, valueAt } from "../printing/field-access.ts";
import { printer } from "../printing/printer.ts";
import { accessModes as modeRules } from "../rules/claim-spec-rules.ts";
import { type FieldRule, fieldRules, format, must, required } from "../rules/field-rules.ts";
import { immutableText } from "../rules/immutable.ts";
import { defaultDisk } from "../rules/pod-defaults.ts";
import { nodeSelectorErrors } from "../rules/scheduling-rules.ts";
import { driverRules, presentSources } from "../rules/volume-rules.ts";

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

const specErrors = fieldRules({
  ...driverRules,
  "csi.(controllerPublishSecretRef|controllerExpandSecretRef|nodePublishSecretRef|nodeExpandSecretRef)": {
    name: [required(), format("k8s-long-name")],
    namespace: [required(), format("k8s-short-name")],
  },
  accessModes: modeRules,
  capacity: [required(), must((sizes: Fields) => Object.keys(sizes).join() === "storage", "must be of storage alone")],
  "capacity{}": must((size: string) => parseQuantity(size).nanos > 0n, "must be greater than zero"),
  nodeAffinity: (affinity, at) => {
    if (!affinity) return [];
    const needed = childIf(affinity as Fields, "required");
    return needed ? nodeSelectorErrors(needed, `${at}.required`) : [missing(`${at}.required`)];
  },
  volumeAttributesClassName: [
    must((name) => name !== "", "an empty string is disallowed"),
    format("k8s-long-name"),
    (name, _at, { csi }) => (name === undefined || csi ? [] : [missing("spec.csi", "for volumeAttributesClassName")]),
  ],
  storageClassName: format("k8s-long-name"),
  persistentVolumeReclaimPolicy: must(
    (policy, spec) => policy !== "Recycle" || normalize(textOf(childIf(spec, "hostPath")?.["path"])) !== "/",
    "may not be 'Recycle' for a hostPath mount of '/'",
  ),
  ".": [
    must((spec: Fields) => presentSources(spec).length > 0, "must specify a volume type"),
    driverRules["."] as FieldRule,
    (spec) =>
      (spec as Fields)["local"] && !(spec as Fields)["nodeAffinity"]
        ? [missing("spec.nodeAffinity", "for a local volume")]
        : [],
  ],
});

/** Returns the errors of a volume, apart from missing fields and unknown words, which the schema reports. */
function volumeErrors(volume: UnstructuredObject, old: UnstructuredObject | undefined): FieldError[] {
  const spec = childIf(volume, "spec") ?? {};
  return [...specErrors(spec, "spec"), ...(old ? changeErrors(spec, childIf(old, "spec") ?? {}) : [])];
}

function sourcesOf(spec: Fields = {}): Fields {
  return Object.fromEntries(presentSources(spec).map((name) => [name, spec[name]]));
}

function changeErrors(spec: Fields, old: Fields): FieldError[] {
  const source = "spec.persistentvolumesource";
  // A volume may get the secret with which its driver expands it.
  const getsSecret = childIf(old, "csi")?.["controllerExpandSecretRef"] === undefined;
  const [fixed, oldFixed] = [spec, old].map((each) => (getsSecret ? withoutSecret(each) : each));
  const isChanged = !equalJson(sourcesOf(fixed), sourcesOf(oldFixed));
  return [
    ...(isChanged ? [forbidden(source, `${source} is immutable after creation`)] : []),
    ...(spec["volumeMode"] === old["volumeMode"] ? [] : [invalid("volumeMode", spec["volumeMode"], immutableText)]),
    ...affinityChangeErrors(spec["nodeAffinity"], old["nodeAffinity"]),
    ...(old["volumeAttributesClassName"] !== undefined && spec["volumeAttributesClassName"] === undefined
      ? [forbidden("spec.volumeAttributesClassName", "update from non-nil value to nil is forbidden")]
      : []),
  ];
}

function withoutSecret({ csi, ...spec }: Fields): Fields {
  const { controllerExpandSecretRef: _secret, ...rest } = (csi ?? {}) as Fields;
  return { ...spec, csi: csi && rest };
}

/** Checks the nodes that reach a volume, which stay the same. */
function affinityChangeErrors(affinity: unknown, old: unknown): FieldError[] {
  if (old === undefined || equalJson(affinity, old)) return [];
  return [invalid("nodeAffinity", affinity ?? null, immutableText)];
}
