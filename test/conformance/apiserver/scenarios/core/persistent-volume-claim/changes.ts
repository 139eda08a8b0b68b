import type { RequestStep, Scenarios } from "../../../scenario.ts";
import { claims, patch, post, tryPatch } from "../../../steps.ts";
import { DELETE, POST } from "../../../requests.ts";

const size = (storage: string): { resources: object } => ({ resources: { requests: { storage } } });
const claimSpec = { accessModes: ["ReadWriteOnce"], ...size("2Gi") };
const claim = (name: string, spec: object): RequestStep => post(claims, name, { ...claimSpec, ...spec });
const claimChange = (name: string, spec: object): RequestStep => tryPatch(`${claims}/${name}`, { spec });
/** Which fields may change after creation. */
export const scenarios: Scenarios = {
  "claim-changes": [
    POST(
      "/apis/storage.k8s.io/v1/storageclasses",
      { metadata: { name: "{ns}" }, provisioner: "a.b", allowVolumeExpansion: true },
      { unrecorded: true },
    ),
    claim("a", { storageClassName: "{ns}" }),
    ...[
      { storageClassName: "t" },
      { storageClassName: null },
      { storageClassName: "" },
      { volumeName: "v" },
      { volumeMode: "Block" },
      { accessModes: ["ReadOnlyMany"] },
      size("2Gi"),
      size("3Gi"),
      { resources: { limits: { storage: "9Gi" } } },
      { volumeAttributesClassName: "x" },
      { selector: {} },
      { dataSource: { kind: "PersistentVolumeClaim", name: "x" } },
    ].map((spec) => claimChange("a", spec)),
    claim("b", {}),
    claimChange("b", { storageClassName: "t" }),
    claimChange("b", { storageClassName: "" }),
    claimChange("b", { storageClassName: "t", volumeName: "v" }),
    patch(`${claims}/a`, { spec: { volumeName: "v" } }),
    claimChange("a", { volumeName: "w" }),
    patch(`${claims}/a/status`, {
      status: { phase: "Bound", capacity: { storage: "2Gi" }, accessModes: ["ReadWriteOnce"] },
    }),
    ...[
      { volumeName: "w" },
      { volumeName: null },
      { storageClassName: "t" },
      { storageClassName: null },
      size("1Gi"),
      size("2Gi"),
      size("3Gi"),
      { resources: { requests: { storage: "3Gi", cpu: "1" } } },
      { resources: { limits: { storage: "9Gi" } } },
      { volumeAttributesClassName: "x" },
      { volumeAttributesClassName: "" },
      { volumeMode: "Block" },
      { volumeMode: "Block", ...size("1Gi") },
    ].map((spec) => claimChange("a", spec)),
    patch(`${claims}/a`, { spec: { ...size("4Gi"), volumeAttributesClassName: "x" } }),
    ...["3Gi", "2049Mi", "2Gi", "1Gi"].map((storage) => claimChange("a", size(storage))),
    ...[null, "", "y"].map((name) => claimChange("a", { volumeAttributesClassName: name })),
    patch(`${claims}/a/status`, { status: { phase: "Lost" } }),
    claimChange("a", size("5Gi")),
    claimChange("a", size("1Gi")),
    claimChange("a", { volumeAttributesClassName: "y" }),
    DELETE("/apis/storage.k8s.io/v1/storageclasses/{ns}", { unrecorded: true }),
  ],
};
