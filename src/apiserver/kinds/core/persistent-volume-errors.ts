import { normalize } from "node:path/posix";
import { equalJson } from "../../../apimachinery/equal.ts";
import { type Fields, childIf, textOf } from "../../../apimachinery/fields.ts";
import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import { parseQuantity } from "../../../apimachinery/quantity.ts";
import { type FieldError, forbidden, invalid, notSupported, required } from "../../../apimachinery/field-error.ts";
import { accessModeErrors, emptyModeErrors } from "../rules/claim-spec-errors.ts";
import { nodeSelectorErrors } from "../rules/scheduling-errors.ts";
import { driverErrors, otherSourceErrors, presentSources } from "../rules/volume-driver-errors.ts";
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
    ...emptyModeErrors(spec, "spec"),
    ...attributesClassErrors(spec),
    ...(storageClassName ? dnsSubdomainErrors("spec.storageClassName", textOf(storageClassName)) : []),
    ...(old ? changeErrors(spec, childIf(old, "spec") ?? {}) : []),
  ];
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

function sourceErrors({ spec = {} }: UnstructuredObject): FieldError[] {
  const { hostPath, persistentVolumeReclaimPolicy: policy, nodeAffinity } = spec as Fields;
  const [first, ...others] = presentSources(spec as Fields);
  if (first === undefined) return [required("spec", "must specify a volume type")];
  const isRoot = normalize(textOf((hostPath as Fields | undefined)?.["path"])) === "/";
  return [
    ...driverErrors(first, childIf(spec as Fields, first) ?? {}, `spec.${first}`, true),
    ...otherSourceErrors(others, "spec"),
    ...(first === "local" && !nodeAffinity
      ? [required("spec.nodeAffinity", "Local volume requires node affinity")]
      : []),
    ...(isRoot && policy === "Recycle"
      ? [forbidden("spec.persistentVolumeReclaimPolicy", "may not be 'recycle' for a hostPath mount of '/'")]
      : []),
  ];
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
