import type { BuiltinKind } from "./builtin-kind.ts";
import { textAt } from "./printing/field-access.ts";
import { printer } from "./printing/printer.ts";
import { desiredSpec, kindRules } from "./rules/immutable.ts";
import { minimum, required } from "./rules/field-rules.ts";

/** Kinds that drivers and controllers write: they have neither defaults nor columns nor rules for their fields. */
export const plainKinds: Readonly<Record<string, BuiltinKind>> = {
  "apps/ControllerRevision": { validate: kindRules({}, "data") },
  "networking.k8s.io/IPAddress": {},
  "networking.k8s.io/ServiceCIDR": {},
  "node.k8s.io/RuntimeClass": { requiresVersion: true },
  "resource.k8s.io/DeviceClass": { generationOf: desiredSpec },
  "resource.k8s.io/ResourceClaim": { prepareCreate: (claim) => void (claim["status"] = {}) },
  "resource.k8s.io/ResourceSlice": { generationOf: desiredSpec },
  "storage.k8s.io/CSIDriver": { requiresVersion: true, returnsDeleted: true },
  "storage.k8s.io/CSINode": { requiresVersion: true, returnsDeleted: true },
  "storage.k8s.io/CSIStorageCapacity": { requiresVersion: true },
  "storage.k8s.io/VolumeAttachment": { requiresVersion: true, returnsDeleted: true },
  "storage.k8s.io/VolumeAttributesClass": { returnsDeleted: true },
  // The core group is an empty text.
  "storagemigration.k8s.io/StorageVersionMigration": {
    ignoresSchema: true,
    validate: kindRules({ "spec.resource.resource": required() }, "spec"),
  },
};

/** Lease. Leader election relies on the version that an update requires. */
export const lease: BuiltinKind = {
  createsOnUpdate: true,
  requiresVersion: true,
  takesAnyFinalizer: true,
  validate: kindRules({ spec: { leaseDurationSeconds: minimum(1), leaseTransitions: minimum(0) } }),
  printer: printer("Holder|Age", (object) => [textAt(object, "spec", "holderIdentity")]),
};
