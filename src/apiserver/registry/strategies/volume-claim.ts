import { equalJson } from "../../../apimachinery/equal.ts";
import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import {
  forbidden,
  invalid,
  notSupported,
  required,
  type FieldError,
} from "../../../apimachinery/schema/field-error.ts";
import { childIf, textOf } from "../defaults/fields.ts";
import { defaultPersistentVolume, defaultPersistentVolumeClaim } from "../defaults/policy-defaults.ts";
import { parseQuantity } from "../../../apimachinery/quantity.ts";
import { claimViolations } from "../limit-violations.ts";
import { refuseViolations } from "../refuse-violations.ts";
import { labelSelectorErrors } from "../label-selector-errors.ts";
import { dnsSubdomainErrors } from "../name-errors.ts";
import { fractionalBytes } from "../pod-warnings.ts";
import type { Strategy } from "../strategy.ts";

/** PersistentVolumeClaim: once made it can only grow, when it is bound. */
export const volumeClaimStrategy: Strategy = {
  unconditionalUpdate: true,
  returnsDeleted: true,
  applyDefaults: defaultPersistentVolumeClaim,
  prepareCreate: (claim) => protect(claim, "kubernetes.io/pvc-protection"),
  admit: (claim, _old, context) =>
    refuseViolations({ group: "", plural: "persistentvolumeclaims" }, claim, claimViolations(claim, context)),
  warn: (claim) =>
    fractionalBytes(childIf(childIf(childIf(claim, "spec"), "resources"), "requests"), "spec.resources.requests"),
  validate: (claim, old) => [...claimErrors(claim), ...(old ? changeErrors(claim, old) : [])],
};

/** Volumes of storage. */
export const volumeStrategy: Strategy = {
  unconditionalUpdate: true,
  returnsDeleted: true,
  applyDefaults: defaultPersistentVolume,
  prepareCreate: (volume) => protect(volume, "kubernetes.io/pv-protection"),
};

/** What is in use is kept by a controller until it no longer is; what an admission plugin does. */
function protect({ metadata }: UnstructuredObject, finalizer: string): void {
  const { finalizers = [] } = metadata;
  if (!finalizers.includes(finalizer)) metadata.finalizers = [...finalizers, finalizer];
}

const accessModes = ["ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"];

function claimErrors(claim: UnstructuredObject): FieldError[] {
  const spec = childIf(claim, "spec") ?? {};
  const modes = (spec["accessModes"] ?? []) as string[];
  const storage = childIf(childIf(spec, "resources"), "requests")?.["storage"];
  const className = spec["storageClassName"];
  return [
    ...(modes.length === 0 ? [required("spec.accessModes", "at least 1 access mode is required")] : []),
    ...modes
      .filter((mode) => !accessModes.includes(mode))
      .map((mode) => notSupported("spec.accessModes", mode, accessModes)),
    ...(modes.length > 1 && modes.includes("ReadWriteOncePod")
      ? [forbidden("spec.accessModes", "may not use ReadWriteOncePod with other access modes")]
      : []),
    ...storageErrors(storage),
    ...(className ? dnsSubdomainErrors("spec.storageClassName", textOf(className)) : []),
    ...labelSelectorErrors(childIf(spec, "selector"), "spec.selector"),
  ];
}

function storageErrors(storage: unknown): FieldError[] {
  const field = "spec.resources[storage]";
  if (storage === undefined) return [required(field)];
  return parseQuantity(textOf(storage)).nanos > 0n ? [] : [invalid(field, storage, "must be greater than zero")];
}

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
  // The binder names the volume, and a default class may be given later.
  const { volumeName: _volume, storageClassName: _class, ...fixed } = spec;
  if (!isBound) return fixed;
  const { volumeAttributesClassName: _attributes, resources, ...rest } = fixed;
  const { requests: _requests, ...limits } = (resources ?? {}) as Record<string, unknown>;
  return { ...rest, resources: limits };
}
