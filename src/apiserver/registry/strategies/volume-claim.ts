import { equalJson } from "../../../apimachinery/equal.ts";
import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import { forbidden, type FieldError } from "../../../apimachinery/schema/field-error.ts";
import { claimSpecErrors } from "../rules/claim-spec-errors.ts";
import { childIf } from "../../../apimachinery/fields.ts";
import { defaultPersistentVolume, defaultPersistentVolumeClaim } from "../defaults/policy-defaults.ts";
import { fractionalBytes } from "../rules/pod-warnings.ts";
import type { Strategy } from "../strategy.ts";

/** PersistentVolumeClaim: once made it can only grow, when it is bound. */
export const volumeClaimStrategy: Strategy = {
  unconditionalUpdate: true,
  returnsDeleted: true,
  applyDefaults: defaultPersistentVolumeClaim,
  prepareCreate: (claim) => protect(claim, "kubernetes.io/pvc-protection"),
  warn: (claim) =>
    fractionalBytes(childIf(childIf(childIf(claim, "spec"), "resources"), "requests"), "spec.resources.requests"),
  validate: (claim, old) => [
    ...claimSpecErrors(childIf(claim, "spec"), "spec"),
    ...(old ? changeErrors(claim, old) : []),
  ],
};

/** Volumes of storage. */
export const volumeStrategy: Strategy = {
  unconditionalUpdate: true,
  returnsDeleted: true,
  applyDefaults: defaultPersistentVolume,
  prepareCreate(volume, { now }) {
    protect(volume, "kubernetes.io/pv-protection");
    volume["status"] = { phase: "Pending", lastPhaseTransitionTime: now() };
  },
};

/** What is in use is kept by a controller until it no longer is; what an admission plugin does. */
function protect({ metadata }: UnstructuredObject, finalizer: string): void {
  const { finalizers = [] } = metadata;
  if (!finalizers.includes(finalizer)) metadata.finalizers = [...finalizers, finalizer];
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
