import type { RequestStep, Scenarios } from "../../../scenario.ts";
import { POST } from "../../../requests.ts";
import { reasons } from "../../../steps.ts";

const container = { name: "c", image: "i" };
const pod = (spec: object, name = "a"): RequestStep =>
  POST(
    "/api/v1/namespaces/{ns}/pods?dryRun=All",
    { metadata: { name }, spec: { containers: [container], serviceAccountName: "default", ...spec } },
    { pick: ({ spec, ...rest }: any) => reasons(rest) ?? spec.volumes ?? "accepted" },
  );
const volume = (source: object, name = "v", ofPod = "a"): RequestStep => pod({ volumes: [{ name, ...source }] }, ofPod);

const claimSpec = { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } };
const ephemeral = (spec: object, metadata: object = {}): object => ({
  ephemeral: { volumeClaimTemplate: { metadata, spec } },
});
const stored = (storage: string): object => ({ ...claimSpec, resources: { requests: { storage } } });
const source = { kind: "PersistentVolumeClaim", name: "x" };
const foreign = { kind: "Foo", name: "x", apiGroup: "a.b" };
const projected = (...sources: object[]): RequestStep => volume({ projected: { sources } });
const token = (serviceAccountToken: object): RequestStep => projected({ serviceAccountToken });
const file = (fields: object): RequestStep => projected({ downwardAPI: { items: [{ path: "a", ...fields }] } });
const key = (fields: object): object => ({ secret: { name: "s", items: [fields] } });
const amount = (resourceFieldRef: object): RequestStep =>
  file({ resourceFieldRef: { containerName: "c", ...resourceFieldRef } });
const fieldPaths = [
  "metadata.labels['a']",
  "metadata.labels['a b']",
  "metadata.annotations['A/b']",
  "metadata.name['a']",
  "status.podIP",
  "spec.nope",
];

/** Sources of pods and PersistentVolumes, right and wrong. */
const sources: Readonly<Record<string, readonly object[]>> = {
  hostPath: [{}, { path: "" }, { path: "/a", type: "X" }, { path: "/a", type: "" }, { path: "/a/../b" }],
  nfs: [{}, { server: "s" }, { server: "s", path: "a" }],
};

const ofSources = (step: (source: object) => RequestStep, all: Readonly<Record<string, readonly object[]>>) =>
  Object.entries(all).flatMap(([name, list]) => list.map((each) => step({ [name]: each })));
const share = { nfs: { server: "s", path: "/p" } };

export const scenarios: Scenarios = {
  "volumes-ephemeral": [
    ...[
      claimSpec,
      {},
      { ...claimSpec, accessModes: [] },
      { ...claimSpec, accessModes: ["x"] },
      { ...claimSpec, accessModes: ["ReadWriteOnce", "ReadWriteOncePod"] },
      { ...claimSpec, resources: {} },
      ...["0", "-1", "500m"].map(stored),
      { ...claimSpec, storageClassName: "A B" },
      { ...claimSpec, storageClassName: "" },
      { ...claimSpec, volumeMode: "x" },
      { ...claimSpec, volumeMode: "" },
      { ...claimSpec, volumeMode: "Block" },
      { ...claimSpec, volumeAttributesClassName: "A B" },
      { ...claimSpec, volumeName: "w" },
      { ...claimSpec, selector: { matchLabels: { "a b": "c" } } },
      { ...claimSpec, dataSource: source },
      { ...claimSpec, dataSource: foreign },
      { ...claimSpec, dataSource: { kind: "Foo", name: "x" } },
      { ...claimSpec, dataSourceRef: { ...foreign, namespace: "n" } },
      { ...claimSpec, dataSourceRef: { kind: "", name: "" } },
      { ...claimSpec, dataSource: source, dataSourceRef: { ...source, name: "y" } },
    ].map((spec) => volume(ephemeral(spec))),
    ...[
      { labels: { "a b": "c", d: "e f" }, annotations: { "a b": "c" } },
      { labels: { a: "b" }, annotations: { A: "b c" } },
    ].map((metadata) => volume(ephemeral(claimSpec, metadata))),
    volume({ ephemeral: {} }),
    volume({ ephemeral: { volumeClaimTemplate: {} } }),
    volume(ephemeral(claimSpec), "v", "a.b"),
  ],
  "volumes-image": [
    {},
    { reference: "" },
    { reference: "i" },
    { reference: "i:1" },
    { reference: "i@sha256:abc" },
    { reference: "i:latest" },
    { reference: " i" },
    { reference: "i", pullPolicy: "X" },
    { reference: "i", pullPolicy: "" },
    { pullPolicy: "Always" },
  ].map((image) => volume({ image })),
  "volumes-projected": [
    volume({ projected: { sources: null } }),
    volume({ projected: { sources: [{}], defaultMode: 0o1000 } }),
    ...[{ path: "../a" }, { path: "/a" }, { path: "..a" }].map(token),
    ...[0, 599, 2 ** 32 + 1, 600].map((expirationSeconds) => token({ path: "a", expirationSeconds })),
    token({ path: "a", audience: "x" }),
    ...[{ secret: {} }, { configMap: {} }, { downwardAPI: {} }, { secret: { name: "A b" } }].map((each) =>
      projected(each),
    ),
    ...[
      {},
      { key: "k", path: "/p" },
      { key: "k", path: "../p" },
      { key: "k", path: "a/../p", mode: 512 },
      { key: "", path: "" },
    ].map((fields) => projected(key(fields))),
    projected(key({ key: "k", path: "p" }), { serviceAccountToken: { path: "p" } }),
    projected({ serviceAccountToken: { path: "p" }, secret: { name: "s" }, configMap: { name: "m" } }),
    file({}),
    ...fieldPaths.map((fieldPath) => file({ fieldRef: { fieldPath } })),
    file({ fieldRef: { fieldPath: "metadata.name", apiVersion: "v2" } }),
    file({ fieldRef: { fieldPath: "metadata.name" }, mode: 512 }),
    file({
      fieldRef: { fieldPath: "metadata.name" },
      resourceFieldRef: { containerName: "c", resource: "limits.cpu" },
    }),
    ...[{ containerName: "", resource: "limits.cpu" }].map(amount),
    ...["x", "limits.cpu", "requests.hugepages-2Mi"].map((resource) => amount({ resource })),
    amount({ resource: "limits.memory", divisor: "1Mi" }),
    volume({ downwardAPI: {} }),
    volume({ downwardAPI: { items: [{ path: "a", fieldRef: { fieldPath: "spec.nodeName" } }], defaultMode: 512 } }),
    volume({ secret: { secretName: "s", defaultMode: 512, items: [{ key: "", path: "..a", mode: -1 }] } }),
    volume({ configMap: { name: "m", items: [{ path: "a" }] } }),
    ...fieldPaths.map((fieldPath) =>
      pod({ containers: [{ ...container, env: [{ name: "e", valueFrom: { fieldRef: { fieldPath } } }] }] }),
    ),
    pod({
      containers: [{ ...container, env: [{ name: "e", valueFrom: { fieldRef: { fieldPath: "metadata.labels" } } }] }],
    }),
    pod({ containers: [{ ...container, env: [{ name: "e", valueFrom: { resourceFieldRef: {} } }] }] }),
  ],
  "volumes-of-pods": [
    ...ofSources(volume, sources),
    ...ofSources(volume, {
      gitRepo: [{}],
      emptyDir: [{ sizeLimit: "-1" }, { medium: "HugePages-2Mi" }],
      persistentVolumeClaim: [{}, { claimName: "A b" }],
      csi: [{}, { driver: "A b" }, { driver: "A.b" }, { driver: "a".repeat(64) }],
    }),
    volume({ emptyDir: {}, nfs: share.nfs }),
  ],
};
