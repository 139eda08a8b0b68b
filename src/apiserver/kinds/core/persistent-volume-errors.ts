import { equalJson } from "../../../apimachinery/equal.ts";
import { type Fields, childIf, items, textOf } from "../../../apimachinery/fields.ts";
import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import { parseQuantity } from "../../../apimachinery/quantity.ts";
import {
  type FieldError,
  forbidden,
  invalid,
  notSupported,
  required,
} from "../../../apimachinery/schema/field-error.ts";
import { accessModeErrors } from "../rules/claim-spec-errors.ts";
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
    ...sourceErrors(spec),
    ...mountOptionErrors(volume),
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
  const at = "spec.nodeAffinity.required";
  const needed = childIf(affinity, "required");
  if (!needed) return [required(at, "must specify required node constraints")];
  const terms = items(needed, "nodeSelectorTerms");
  return terms.length > 0 ? [] : [required(`${at}.nodeSelectorTerms`, "must have at least one node selector term")];
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

function sourceErrors(spec: Fields): FieldError[] {
  const [first, ...others] = sources.filter((name) => spec[name] !== undefined);
  if (first === undefined) return [required("spec", "must specify a volume type")];
  const source = childIf(spec, first) ?? {};
  return [
    ...(rules[first]?.(source, `spec.${first}`, spec) ?? []),
    ...others.map((name) => forbidden(`spec.${name}`, "may not specify more than 1 volume type")),
  ];
}

/** The errors of the sources that people write by hand. */
const rules: Readonly<Record<string, (source: Fields, at: string, spec: Fields) => FieldError[]>> = {
  hostPath: ({ path }, at, { persistentVolumeReclaimPolicy: policy }) => [
    ...pathErrors(path, `${at}.path`),
    ...(path === "/" && policy === "Recycle"
      ? [forbidden("spec.persistentVolumeReclaimPolicy", "may not be 'recycle' for a hostPath mount of '/'")]
      : []),
  ],
  nfs: ({ path }, at) =>
    !path || textOf(path).startsWith("/") ? [] : [invalid(`${at}.path`, path, "must be an absolute path")],
  local: ({ path }, at, { nodeAffinity }) => [
    ...pathErrors(path, `${at}.path`),
    ...(nodeAffinity ? [] : [required("spec.nodeAffinity", "Local volume requires node affinity")]),
  ],
  csi: ({ driver }, at) => (driver ? dnsSubdomainErrors(`${at}.driver`, textOf(driver)) : []),
};

function pathErrors(path: unknown, field: string): FieldError[] {
  const isAbove = path && textOf(path).split("/").includes("..");
  return isAbove ? [invalid(field, path, "must not contain '..'")] : [];
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
  ];
}

function withoutSecret({ csi, ...spec }: Fields): Fields {
  const { controllerExpandSecretRef: _secret, ...rest } = (csi ?? {}) as Fields;
  return { ...spec, csi: csi && rest };
}
