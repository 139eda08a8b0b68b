import type { RequestStep, Scenarios } from "../../scenario.ts";
import { patch, post, reasons, tryPatch, volumes } from "../../steps.ts";
import { DELETE, POST } from "../../requests.ts";

const disk = (spec: object): RequestStep =>
  POST(
    `${volumes}?dryRun=All`,
    {
      metadata: { name: "{ns}" },
      spec: { capacity: { storage: "1Gi" }, accessModes: ["ReadWriteOnce"], ...spec },
    },
    { pick: ({ spec, ...rest }: any) => reasons(rest) ?? spec },
  );

/** Sources of pods and PersistentVolumes, right and wrong. */
const sources: Readonly<Record<string, readonly object[]>> = {
  hostPath: [{}, { path: "" }, { path: "/a", type: "X" }, { path: "/a", type: "" }, { path: "/a/../b" }],
  nfs: [{}, { server: "s" }, { server: "s", path: "a" }],
};

const ofSources = (step: (source: object) => RequestStep, all: Readonly<Record<string, readonly object[]>>) =>
  Object.entries(all).flatMap(([name, list]) => list.map((each) => step({ [name]: each })));
const handle = { driver: "a", volumeHandle: "h" };
const secrets = ["controllerPublish", "controllerExpand", "nodePublish", "nodeExpand", "nodeStage"].map(
  (name) => `${name}SecretRef`,
);
const share = { nfs: { server: "s", path: "/p" } };
const nodes = (...matchExpressions: object[]): object => ({
  required: { nodeSelectorTerms: [{ matchExpressions }] },
});
const tryChange = (spec: object): RequestStep => tryPatch(`${volumes}/{ns}`, { spec });
const secret = { name: "a", namespace: "b" };

export const scenarios: Scenarios = {
  "volumes-of-clusters": [
    ...ofSources(disk, sources),
    ...ofSources(disk, {
      local: [{}, { path: "/a" }, { path: "a/../b" }],
      csi: [
        {},
        { ...handle, driver: "A b" },
        { ...handle, driver: "A.b" },
        { ...handle, driver: "a".repeat(64) },
        { ...handle, volumeHandle: "" },
        ...secrets.flatMap((name) =>
          [{}, { name: "A b", namespace: "A.b" }].map((secret) => ({ ...handle, [name]: secret })),
        ),
      ],
    }),
    ...[
      { capacity: {} },
      { capacity: { cpu: "1" } },
      { capacity: { storage: "0" } },
      { accessModes: ["ReadWriteOncePod", "ReadWriteOnce"] },
      { persistentVolumeReclaimPolicy: "Recycle", storageClassName: "A_B" },
      { hostPath: { path: "/" }, persistentVolumeReclaimPolicy: "Recycle" },
      { nodeAffinity: { required: { nodeSelectorTerms: [] } } },
    ].map((spec) => disk({ hostPath: { path: "/data" }, ...spec })),
    disk({}),
    disk({ ...share, hostPath: { path: "/a" } }),
    disk({ hostPath: { path: "/a/.." }, persistentVolumeReclaimPolicy: "Recycle" }),
    ...[
      { accessModes: ["x"] },
      { accessModes: [] },
      { accessModes: ["ReadWriteOncePod", "x"] },
      { persistentVolumeReclaimPolicy: "x" },
      { volumeMode: "x" },
      { volumeMode: "" },
      { storageClassName: "A b" },
      { volumeAttributesClassName: "A b" },
      { volumeAttributesClassName: "" },
      { volumeAttributesClassName: "a" },
      { volumeAttributesClassName: "a", nfs: undefined, csi: handle },
      { nodeAffinity: {} },
      { nodeAffinity: { required: {} } },
      { nodeAffinity: { required: { nodeSelectorTerms: [{}] } } },
      { nodeAffinity: nodes({ key: "a", operator: "x" }) },
      {
        nodeAffinity: nodes(
          { key: "a b", operator: "In" },
          { key: "a", operator: "In", values: ["b c"] },
          { key: "a", operator: "Gt", values: ["1", "2"] },
        ),
      },
    ].map((spec) => disk({ ...share, ...spec })),
  ],
  "volumes-changed": [
    POST(
      volumes,
      {
        metadata: { name: "{ns}" },
        spec: {
          capacity: { storage: "1Gi" },
          accessModes: ["ReadWriteOnce"],
          csi: handle,
          volumeAttributesClassName: "a",
          nodeAffinity: nodes({ key: "a", operator: "Exists" }),
        },
      },
      { unrecorded: true },
    ),
    ...[
      { nodeAffinity: null },
      { nodeAffinity: nodes({ key: "b", operator: "Exists" }) },
      { capacity: { storage: "2Gi" } },
      { accessModes: ["ReadOnlyMany"] },
      { storageClassName: "x" },
      { persistentVolumeReclaimPolicy: "Delete" },
      { volumeMode: "Block" },
      { claimRef: { name: "c", namespace: "d" } },
      { mountOptions: ["x"] },
      { volumeAttributesClassName: "c" },
      { volumeAttributesClassName: null },
      { csi: { volumeHandle: "i" } },
    ].map(tryChange),
    DELETE(`${volumes}/{ns}`, { unrecorded: true }),
  ],
  "volume-sources": [
    post(volumes, "{ns}", {
      capacity: { storage: "1Gi" },
      accessModes: ["ReadWriteOnce"],
      csi: { driver: "a.b", volumeHandle: "h" },
    }),
    ...[
      { csi: { volumeHandle: "i" } },
      { csi: { driver: "a.c" } },
      { csi: { readOnly: true } },
      { csi: { fsType: "ext4" } },
      { csi: { volumeAttributes: { a: "b" } } },
      { csi: { controllerExpandSecretRef: secret } },
      { csi: { controllerExpandSecretRef: secret, volumeHandle: "i" } },
      { csi: { nodeExpandSecretRef: secret } },
      { csi: { nodeStageSecretRef: secret } },
      { csi: { controllerPublishSecretRef: secret } },
      { csi: { nodePublishSecretRef: secret } },
      { csi: null, nfs: { server: "s", path: "/" } },
    ].map(tryChange),
    patch(`${volumes}/{ns}`, { spec: { csi: { controllerExpandSecretRef: secret } } }),
    tryChange({ csi: { controllerExpandSecretRef: { name: "c" } } }),
    tryChange({ csi: { controllerExpandSecretRef: null } }),
    DELETE(`${volumes}/{ns}`, { unrecorded: true }),
  ],
};
