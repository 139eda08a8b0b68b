import { normalize } from "node:path/posix";
import { equalJson } from "../../../apimachinery/equal.ts";
import { type Fields, childIf, textOf } from "../../../apimachinery/fields.ts";
import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import { parseQuantity } from "../../../apimachinery/quantity.ts";
import { type FieldError, forbidden, invalid, notSupported, required } from "../../../apimachinery/field-error.ts";
import { accessModeErrors, emptyModeErrors } from "../rules/claim-spec-errors.ts";
import { currentNodeLabel } from "../rules/node-label-warnings.ts";
import { nodeSelectorErrors } from "../rules/scheduling-errors.ts";
import { driverErrors, otherSourceErrors } from "../rules/volume-driver-errors.ts";
import { immutableText } from "../rules/immutable.ts";
import { dnsSubdomainErrors } from "../rules/name-errors.ts";

/** Returns the errors of a volume, apart from missing fields and unknown words, which the schema reports. */
export function volumeErrors(volume: UnstructuredObject, old: UnstructuredObject | undefined): FieldError[] {
  const spec = childIf(volume, "spec") ?? {};
  const { storageClassName } = spec;
  const modes = (spec["accessModes"] ?? []) as string[];
  return [
    ...(modes.length === 0 ? [required("spec.accessModes")] : []),
    ...accessModeErrors(modes, "spec.accessModes"),
    ...capacityErrors(childIf(spec, "capacity") ?? {}),
    ...affinityErrors(childIf(spec, "nodeAffinity")),
    ...sourceErrors(volume),
    ...mountOptionErrors(volume),
    ...emptyModeErrors(spec, "spec"),
    ...attributesClassErrors(spec),
    ...(storageClassName ? dnsSubdomainErrors("spec.storageClassName", textOf(storageClassName)) : []),
    ...(old ? changeErrors(spec, childIf(old, "spec") ?? {}) : []),
  ];
}

/** The annotation that named the options of mounts before a field did. */
export const optionsNote = "volume.beta.kubernetes.io/mount-options";

/** The sources that the annotation is for; the field is for all. */
const withOptions: readonly string[] = [
  "gcePersistentDisk",
  "awsElasticBlockStore",
  "glusterfs",
  "nfs",
  "rbd",
  "quobyte",
  "cephfs",
  "iscsi",
  "cinder",
  "azureFile",
  "vsphereVolume",
  "photonPersistentDisk",
  "azureDisk",
];

function mountOptionErrors({ metadata, spec = {} }: UnstructuredObject): FieldError[] {
  const isUsed = withOptions.some((source) => (spec as Fields)[source] !== undefined);
  if (metadata.annotations?.[optionsNote] === undefined || isUsed) return [];
  return [forbidden(`metadata.annotations.${optionsNote}`, "may not specify mount options for this volume type")];
}

function capacityErrors(capacity: Fields): FieldError[] {
  const names = Object.keys(capacity);
  const isStorage = names.length === 1 && names[0] === "storage";
  return [
    ...(names.length === 0 ? [required("spec.capacity")] : []),
    ...(isStorage ? [] : [notSupported("spec.capacity", capacity, ["storage"])]),
    ...Object.entries(capacity)
      .filter(([, amount]) => parseQuantity(textOf(amount)).nanos <= 0n)
      .map(([name, amount]) => invalid(`spec.capacity[${name}]`, amount, "must be greater than zero")),
  ];
}

function affinityErrors(affinity: Fields | undefined): FieldError[] {
  if (!affinity) return [];
  const [at, needed] = ["spec.nodeAffinity.required", childIf(affinity, "required")];
  return needed ? nodeSelectorErrors(needed, at) : [required(at, "must specify required node constraints")];
}

/** Checks the class of attributes, which only drivers of CSI know. */
function attributesClassErrors({ csi, volumeAttributesClassName: name }: Fields): FieldError[] {
  if (typeof name !== "string") return [];
  const field = "spec.volumeAttributesClassName";
  return [
    ...(name === "" ? [required(field, "an empty string is disallowed")] : dnsSubdomainErrors(field, name)),
    ...(csi ? [] : [required("spec.csi", "has to be specified when using volumeAttributesClassName")]),
  ];
}

/** The sources of volumes, in the order in which a real server looks for the first one. */
const sources = [
  "hostPath",
  "gcePersistentDisk",
  "awsElasticBlockStore",
  "glusterfs",
  "flocker",
  "nfs",
  "rbd",
  "quobyte",
  "cephfs",
  "iscsi",
  "cinder",
  "fc",
  "flexVolume",
  "azureFile",
  "vsphereVolume",
  "photonPersistentDisk",
  "portworxVolume",
  "azureDisk",
  "scaleIO",
  "local",
  "storageos",
  "csi",
];

function sourceErrors({ metadata, spec = {} }: UnstructuredObject): FieldError[] {
  const { hostPath, persistentVolumeReclaimPolicy: policy, nodeAffinity } = spec as Fields;
  const [first, ...others] = sources.filter((name) => (spec as Fields)[name] !== undefined);
  if (first === undefined) return [required("spec", "must specify a volume type")];
  const isRoot = normalize(textOf((hostPath as Fields | undefined)?.["path"])) === "/";
  return [
    ...driverErrors(first, childIf(spec as Fields, first) ?? {}, "spec", {
      name: metadata.name ?? "",
      isPersistent: true,
    }),
    ...otherSourceErrors(others, "spec"),
    ...(first === "local" && !nodeAffinity
      ? [required("spec.nodeAffinity", "Local volume requires node affinity")]
      : []),
    ...(isRoot && policy === "Recycle"
      ? [forbidden("spec.persistentVolumeReclaimPolicy", "may not be 'recycle' for a hostPath mount of '/'")]
      : []),
  ];
}

function changeErrors(spec: Fields, old: Fields): FieldError[] {
  const source = "spec.persistentvolumesource";
  // A volume may get the secret with which its driver expands it.
  const getsSecret = childIf(old, "csi")?.["controllerExpandSecretRef"] === undefined;
  const [fixed, oldFixed] = [spec, old].map((each) => (getsSecret ? withoutSecret(each) : each));
  const isChanged = sources.some((name) => !equalJson(fixed![name], oldFixed![name]));
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

/** Checks the nodes that reach a volume. They stay the same but for labels that others have replaced. */
function affinityChangeErrors(affinity: unknown, old: unknown): FieldError[] {
  if (old === undefined || equalJson(withCurrentLabels(affinity), withCurrentLabels(old))) return [];
  return [invalid("nodeAffinity", affinity ?? null, `${immutableText}, except for updating from beta label to GA`)];
}

function withCurrentLabels(affinity: unknown): unknown {
  return JSON.parse(JSON.stringify(affinity ?? null), (name, value: unknown) =>
    name === "key" ? currentNodeLabel(textOf(value)) : value,
  );
}
