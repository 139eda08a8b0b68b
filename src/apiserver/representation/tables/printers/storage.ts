import { type Fields, isTerminating, listAt, mapAt, textAt, textsAt, valueAt } from "../field-access.ts";
import { creationAge } from "../human-duration.ts";
import { nameColumn, parseColumns, printer, type Printer } from "../printer.ts";

const claim = printer(
  "Status|Volume|Capacity|Access Modes|StorageClass|VolumeAttributesClass|Age|VolumeMode*",
  (object, now) => {
    const volume = textAt(object, "spec", "volumeName");
    return [
      phase(object),
      volume,
      volume === "" ? "" : textAt(object, "status", "capacity", "storage") || "0",
      volume === "" ? "" : accessModes(textsAt(object, "status", "accessModes")),
      storageClassOf(object),
      textAt(object, "spec", "volumeAttributesClassName") || "<unset>",
      creationAge(object, now),
      textAt(object, "spec", "volumeMode") || "<unset>",
    ];
  },
);

const volume = printer(
  "Capacity|Access Modes|Reclaim Policy|Status|Claim|StorageClass|VolumeAttributesClass|Reason|Age|VolumeMode*",
  (object, now) => {
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
      creationAge(object, now),
      textAt(object, "spec", "volumeMode") || "<unset>",
    ];
  },
);

const storageClass: Printer = withName(
  printer("Provisioner|ReclaimPolicy|VolumeBindingMode|AllowVolumeExpansion|Age", (object, now) => [
    textAt(object, "provisioner"),
    textAt(object, "reclaimPolicy") || "Delete",
    textAt(object, "volumeBindingMode") || "Immediate",
    valueAt(object, "allowVolumeExpansion") === true,
    creationAge(object, now),
  ]),
  (name, object) => {
    const annotations = mapAt(object, "metadata", "annotations");
    return annotations["storageclass.kubernetes.io/is-default-class"] === "true" ? `${name} (default)` : name;
  },
);

const csiNode = printer("Drivers:integer|Age", (object, now) => [
  listAt(object, "spec", "drivers").length,
  creationAge(object, now),
]);

const csiDriver = printer(
  "AttachRequired:boolean|PodInfoOnMount:boolean|StorageCapacity:boolean|TokenRequests|RequiresRepublish:boolean|Modes|Age",
  (object, now) => [
    valueAt(object, "spec", "attachRequired") !== false,
    valueAt(object, "spec", "podInfoOnMount") === true,
    valueAt(object, "spec", "storageCapacity") === true,
    listAt(object, "spec", "tokenRequests")
      .map((request) => textAt(request, "audience"))
      .join(",") || "<unset>",
    valueAt(object, "spec", "requiresRepublish") === true,
    textsAt(object, "spec", "volumeLifecycleModes").join(",") || "<none>",
    creationAge(object, now),
  ],
);

const volumeAttachment: Printer = {
  columns: [nameColumn, { ...nameColumn, name: "Attacher" }, ...parseColumns("PV|Node|Attached:boolean|Age")],
  cells: (object, now) => [
    textAt(object, "metadata", "name"),
    textAt(object, "spec", "attacher"),
    textAt(object, "spec", "source", "persistentVolumeName"),
    textAt(object, "spec", "nodeName"),
    valueAt(object, "status", "attached") === true,
    creationAge(object, now),
  ],
};

/** Storage, by group and kind. */
export const storagePrinters: Readonly<Record<string, Printer>> = {
  "/PersistentVolumeClaim": claim,
  "/PersistentVolume": volume,
  "storage.k8s.io/StorageClass": storageClass,
  "storage.k8s.io/CSINode": csiNode,
  "storage.k8s.io/CSIDriver": csiDriver,
  "storage.k8s.io/VolumeAttachment": volumeAttachment,
};

function phase(object: Fields): string {
  return isTerminating(object) ? "Terminating" : textAt(object, "status", "phase");
}

function storageClassOf(object: Fields): string {
  const annotation = textAt(object, "metadata", "annotations", "volume.beta.kubernetes.io/storage-class");
  return annotation || textAt(object, "spec", "storageClassName");
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

function withName(inner: Printer, rename: (name: string, object: Fields) => string): Printer {
  return {
    columns: inner.columns,
    cells: (object, now) => {
      const [, ...rest] = inner.cells(object, now);
      return [rename(textAt(object, "metadata", "name"), object), ...rest];
    },
  };
}
