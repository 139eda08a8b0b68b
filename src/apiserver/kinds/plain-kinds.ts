import { child, childIf, type Fields, fill, items } from "../../apimachinery/fields.ts";
import type { BuiltinKind } from "./builtin-kind.ts";
import { numberAt, textAt, textsAt, valueAt } from "./printing/field-access.ts";
import { printer } from "./printing/printer.ts";
import { desiredSpec, kindRules } from "./rules/immutable.ts";
import { minimum, required } from "./rules/field-rules.ts";

/** Kinds that drivers and controllers write: they have defaults and columns, but no rules for their fields. */
export const plainKinds: Readonly<Record<string, BuiltinKind>> = {
  "apps/ControllerRevision": {
    validate: kindRules({}, "data"),
    printer: printer("Revision|Age", (object) => [numberAt(object, "revision")]),
  },
  "networking.k8s.io/IPAddress": {},
  "networking.k8s.io/ServiceCIDR": {
    printer: printer("CIDRs|Age", (object) => [textsAt(object, "spec", "cidrs").join(",")]),
  },
  "node.k8s.io/RuntimeClass": {
    requiresVersion: true,
    printer: printer("Handler|Age", (object) => [textAt(object, "handler")]),
  },
  "resource.k8s.io/DeviceClass": { generationOf: desiredSpec },
  "resource.k8s.io/ResourceClaim": {
    applyDefaults: (claim) => defaultRequests(childIf(claim, "spec")),
    prepareCreate: (claim) => void (claim["status"] = {}),
  },
  "resource.k8s.io/ResourceClaimTemplate": {
    applyDefaults: (template) => defaultRequests(childIf(childIf(template, "spec"), "spec")),
  },
  "resource.k8s.io/ResourceSlice": { generationOf: desiredSpec },
  "storage.k8s.io/CSIDriver": {
    requiresVersion: true,
    returnsDeleted: true,
    applyDefaults: (driver) => fill(child(driver, "spec"), { ...driverDefaults, preventPodSchedulingIfMissing: false }),
  },
  "storage.k8s.io/CSINode": { requiresVersion: true, returnsDeleted: true },
  "storage.k8s.io/CSIStorageCapacity": { requiresVersion: true },
  "storage.k8s.io/VolumeAttachment": {
    requiresVersion: true,
    returnsDeleted: true,
    printer: printer("Attacher|Attached:boolean|Age", (object) => [
      textAt(object, "spec", "attacher"),
      valueAt(object, "status", "attached") === true,
    ]),
  },
  "storage.k8s.io/VolumeAttributesClass": {
    returnsDeleted: true,
    printer: printer("DriverName|Age", (object) => [textAt(object, "driverName")]),
  },
  // The core group is an empty text.
  "storagemigration.k8s.io/StorageVersionMigration": {
    ignoresSchema: true,
    validate: kindRules({ "spec.resource.resource": required() }, "spec"),
  },
};

const driverDefaults = {
  attachRequired: true,
  fsGroupPolicy: "ReadWriteOnceWithFSType",
  podInfoOnMount: false,
  requiresRepublish: false,
  seLinuxMount: false,
  storageCapacity: false,
  volumeLifecycleModes: ["Persistent"],
};

/** Returns CSIDriver as it was with a default less. */
export function driverBefore137(kind: BuiltinKind): BuiltinKind {
  return { ...kind, applyDefaults: (driver) => fill(child(driver, "spec"), driverDefaults) };
}

function defaultRequests(spec: Fields | undefined): void {
  for (const request of items(childIf(spec, "devices"), "requests")) {
    const exactly = childIf(request, "exactly");
    for (const each of [...(exactly ? [exactly] : []), ...items(request, "firstAvailable")]) {
      each["allocationMode"] ||= "ExactCount";
      if (each["allocationMode"] === "ExactCount") fill(each, { count: 1 });
    }
  }
}

/** Lease. Leader election relies on the version that an update requires. */
export const lease: BuiltinKind = {
  createsOnUpdate: true,
  requiresVersion: true,
  takesAnyFinalizer: true,
  validate: kindRules({ spec: { leaseDurationSeconds: minimum(1), leaseTransitions: minimum(0) } }),
  printer: printer("Holder|Age", (object) => [textAt(object, "spec", "holderIdentity")]),
};
