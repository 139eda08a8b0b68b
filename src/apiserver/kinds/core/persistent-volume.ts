import { type Fields, child, childIf, fill } from "../../../apimachinery/fields.ts";
import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import { parseQuantity, compareQuantities, type ParsedQuantity } from "../../../apimachinery/quantity.ts";
import type { BuiltinKind } from "../builtin-kind.ts";
import { isTerminating, textAt, textsAt, valueAt, mapAt } from "../printing/field-access.ts";
import { printer } from "../printing/printer.ts";
import { accessModes as modeRules, driverRules, presentSources, claimSpecRules } from "../rules/volume-rules.ts";
import { type FieldRule, fieldRules, format, must, required, enumOf, text } from "../rules/field-rules.ts";
import { equalJson } from "../../../apimachinery/equal.ts";
import { type FieldError, forbidden, invalid } from "../../../apimachinery/field-error.ts";
import { immutableText } from "../../../apimachinery/tags.ts";
import { kindRules } from "../rules/immutable.ts";
import { labelKeyErrors } from "../rules/name-errors.ts";

/** PersistentVolume. */
export const persistentVolume: BuiltinKind = {
  returnsDeleted: true,
  applyDefaults(volume) {
    const spec = child(volume, "spec");
    fill(spec, { persistentVolumeReclaimPolicy: "Retain", volumeMode: "Filesystem" });
    const hostPath = childIf(spec, "hostPath");
    if (hostPath) fill(hostPath, { type: "" });
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
  validate: (volume) => specErrors(childIf(volume, "spec") ?? {}, "spec"),
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
        textAt(object, "spec", "storageClassName"),
        textAt(object, "spec", "volumeAttributesClassName") || "<unset>",
        textAt(object, "status", "reason"),
        textAt(object, "spec", "volumeMode") || "<unset>",
      ];
    },
  ),
};

/** Adds the finalizer that protects a volume or claim in use, as an admission plugin does. */
function protect({ metadata }: UnstructuredObject, finalizer: string): void {
  const { finalizers = [] } = metadata;
  if (!finalizers.includes(finalizer)) metadata.finalizers = [...finalizers, finalizer];
}

function phase(object: Fields): string {
  return isTerminating(object) ? "Terminating" : textAt(object, "status", "phase");
}

const shortModes: readonly (readonly [mode: string, short: string])[] = [
  ["ReadWriteOnce", "RWO"],
  ["ReadOnlyMany", "ROX"],
  ["ReadWriteMany", "RWX"],
  ["ReadWriteOncePod", "RWOP"],
];

function accessModes(modes: readonly string[]): string {
  return shortModes
    .filter(([mode]) => modes.includes(mode))
    .map(([, short]) => short)
    .join(",");
}

const specErrors = fieldRules({
  ".": [
    driverRules["."] as FieldRule,
    must((spec: Fields) => presentSources(spec).length > 0, "must specify a volume type"),
  ],
  accessModes: modeRules,
  capacity: [required(), must((sizes: Fields) => Object.keys(sizes).join() === "storage", "must be of storage alone")],
  "capacity{}": must((size: string) => parseQuantity(size).nanos > 0n, "must be greater than zero"),
  storageClassName: format("k8s-long-name"),
});

const claimSpecErrors = fieldRules(claimSpecRules);

/** PersistentVolumeClaim. A bound claim can only grow. */
export const persistentVolumeClaim: BuiltinKind = {
  returnsDeleted: true,
  applyDefaults(claim) {
    fill(child(claim, "spec"), { volumeMode: "Filesystem" });
    fill(child(claim, "status"), { phase: "Pending" });
  },
  prepareCreate(claim) {
    claim["status"] = { phase: "Pending" };
    protect(claim, "kubernetes.io/pvc-protection");
    settleSource(claim["spec"] as Fields);
  },
  prepareUpdate: (claim) => settleSource(claim["spec"] as Fields),
  validate: (claim, old) => [
    ...claimSpecErrors(childIf(claim, "spec"), "spec"),
    ...(old ? changeErrors(claim, old) : []),
  ],
  printer: printer(
    "Status|Volume|Capacity|Access Modes|StorageClass|VolumeAttributesClass|Age|VolumeMode*",
    (object) => {
      const volume = textAt(object, "spec", "volumeName");
      return [
        phase(object),
        volume,
        volume === "" ? "" : textAt(object, "status", "capacity", "storage") || "0",
        volume === "" ? "" : accessModes(textsAt(object, "status", "accessModes")),
        textAt(object, "spec", "storageClassName"),
        textAt(object, "spec", "volumeAttributesClassName") || "<unset>",
        textAt(object, "spec", "volumeMode") || "<unset>",
      ];
    },
  ),
};

/** Gives both fields for the source of the data its value: older clients know one of them. */
function settleSource(spec: Fields): void {
  const { dataSource: source, dataSourceRef: ref } = spec;
  if (source) spec["dataSourceRef"] ??= source;
  else if (ref && !(ref as Fields)["namespace"]) spec["dataSource"] = ref;
}

function changeErrors(claim: UnstructuredObject, old: UnstructuredObject): FieldError[] {
  const [spec, oldSpec] = [childIf(claim, "spec") ?? {}, childIf(old, "spec") ?? {}];
  const isBound = childIf(old, "status")?.["phase"] === "Bound";
  const free = [
    // The binder sets the volume.
    ...(oldSpec["volumeName"] ? [] : ["volumeName"]),
    ...(oldSpec["storageClassName"] === undefined ? ["storageClassName"] : []),
    ...(isBound ? ["volumeAttributesClassName"] : []),
  ];
  const [part, oldPart] = [spec, oldSpec].map((each) => fixedPart(each, free, isBound));
  return [
    ...(equalJson(part, oldPart) ? [] : [forbidden("spec", immutableSpec)]),
    ...sizeErrors(claim, old),
    ...(spec["volumeMode"] === oldSpec["volumeMode"] ? [] : [invalid("volumeMode", spec["volumeMode"], immutableText)]),
  ];
}

const immutableSpec =
  "spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims";

function fixedPart(spec: Fields, free: readonly string[], isBound: boolean): Fields {
  const fixed = Object.fromEntries(Object.entries(spec).filter(([name]) => !free.includes(name)));
  if (!isBound) return fixed;
  const { requests, ...resources } = childIf(spec, "resources") ?? {};
  const { storage: _storage, ...others } = (requests ?? {}) as Fields;
  return { ...fixed, resources: { ...resources, requests: others } };
}

/** Checks that a claim does not become smaller than its volume: only a growth that failed can be taken back. */
function sizeErrors(claim: UnstructuredObject, old: UnstructuredObject): FieldError[] {
  const [now, before] = [claim, old].map((each) => quantityAt(each, "spec", "resources", "requests", "storage"));
  const isSmaller = compareQuantities(now!, before!) < 0;
  const fits = compareQuantities(now!, quantityAt(old, "status", "capacity", "storage")) > 0;
  if (!isSmaller || fits) return [];
  return [forbidden("spec.resources.requests.storage", "field can not be less than status.capacity")];
}

function quantityAt(claim: UnstructuredObject, ...path: string[]): ParsedQuantity {
  return parseQuantity(textAt(claim, ...path) || "0");
}

const classPrinter = printer("Provisioner|ReclaimPolicy|VolumeBindingMode|AllowVolumeExpansion|Age", (object) => [
  textAt(object, "provisioner"),
  textAt(object, "reclaimPolicy") || "Delete",
  textAt(object, "volumeBindingMode") || "Immediate",
  valueAt(object, "allowVolumeExpansion") === true,
]);

/** StorageClass. */
export const storageClass: BuiltinKind = {
  returnsDeleted: true,
  applyDefaults: (storageClass) => fill(storageClass, { reclaimPolicy: "Delete", volumeBindingMode: "Immediate" }),
  validate: kindRules({
    provisioner: text((at, name) => labelKeyErrors(at, name.toLowerCase())),
    reclaimPolicy: enumOf("Delete", "Retain"),
  }),
  printer: {
    ...classPrinter,
    cells(object, now) {
      const [name, ...cells] = classPrinter.cells(object, now);
      return [isDefaultClass(object) ? `${String(name)} (default)` : name!, ...cells];
    },
  },
};

function isDefaultClass(object: Fields): boolean {
  return mapAt(object, "metadata", "annotations")["storageclass.kubernetes.io/is-default-class"] === "true";
}
