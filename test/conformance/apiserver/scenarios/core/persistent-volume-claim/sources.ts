import { apply, merge, type RequestStep, type Scenarios } from "../../../scenario.ts";
import { PATCH, POST } from "../../../requests.ts";
import { claims } from "../../../steps.ts";

const basics = { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } };
const shown = ({ code, message, details, spec }: any): unknown =>
  code === undefined
    ? { dataSource: spec.dataSource, dataSourceRef: spec.dataSourceRef }
    : { code, causes: details?.causes?.map(withoutDiff) ?? message };
const withoutDiff = (cause: any): unknown => ({ ...cause, message: cause.message.replace(/\n@@.*$/s, "") });
const create = (name: string, spec: object): RequestStep =>
  POST(claims, { metadata: { name }, spec: { ...basics, ...spec } }, { pick: shown });
const change = (name: string, spec: object): RequestStep =>
  PATCH(`${claims}/${name}?dryRun=All`, merge, { spec }, { pick: shown });
const claim = { kind: "PersistentVolumeClaim", name: "x" };
const snapshot = { apiGroup: "snapshot.storage.k8s.io", kind: "VolumeSnapshot", name: "x" };
const other = { apiGroup: "a.b", kind: "Foo", name: "x" };
const nothing = { kind: "", name: "" };
const changes = [
  { metadata: {} },
  { dataSource: null },
  { dataSourceRef: null },
  { dataSource: null, dataSourceRef: null },
  { dataSource: claim },
  { dataSourceRef: other },
  { dataSource: other, dataSourceRef: other },
];

/** What the data of a new volume is copied from. */
export const scenarios: Scenarios = {
  "claim-sources": [
    create("a", { dataSource: claim }),
    create("b", { dataSource: snapshot }),
    create("e", { dataSourceRef: claim }),
    create("f", { dataSourceRef: other }),
    create("h", { dataSource: claim, dataSourceRef: claim }),
    create("i", { dataSource: other, dataSourceRef: other }),
    create("k", {}),
    ...[
      { dataSourceRef: { kind: "Foo", name: "x" } },
      { dataSourceRef: nothing },
      { dataSource: claim, dataSourceRef: { ...claim, name: "y" } },
      { dataSource: claim, dataSourceRef: { ...claim, apiGroup: "" } },
      { dataSource: other, dataSourceRef: claim },
      { dataSourceRef: { ...other, apiGroup: "A b" } },
    ].map((spec) => create("z", spec)),
    ...["a", "b", "f", "k"].flatMap((name) => changes.map((spec) => change(name, spec))),
  ],
  "claim-source-managers": {
    managedFields: true,
    steps: [
      POST(claims, { metadata: { name: "a" }, spec: { ...basics, dataSource: claim } }),
      PATCH(`${claims}/b?fieldManager=m`, apply, {
        apiVersion: "v1",
        kind: "PersistentVolumeClaim",
        metadata: { name: "b" },
        spec: { ...basics, dataSourceRef: claim },
      }),
      PATCH(`${claims}/a`, merge, { metadata: { labels: { a: "b" } } }),
    ],
  },
  "claim-values": [
    { volumeMode: "" },
    { volumeMode: "x" },
    { volumeAttributesClassName: "A b" },
    { volumeAttributesClassName: "" },
    { accessModes: ["x"] },
    { accessModes: ["x", "ReadWriteOncePod"] },
    { accessModes: ["ReadWriteOncePod", "ReadWriteOncePod"] },
    { accessModes: ["ReadWriteOncePod", "ReadOnlyMany"] },
  ].map((spec) => create("z", spec)),
};
