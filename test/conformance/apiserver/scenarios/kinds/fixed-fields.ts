import type { Scenarios } from "../../scenario.ts";
import { refusal, tryPatch } from "../../steps.ts";
import { DELETE, POST } from "../../requests.ts";

const resourceClaims = "/apis/resource.k8s.io/v1/namespaces/{ns}/resourceclaims";
const storage = "/apis/storage.k8s.io/v1";
const devices = (name: string): object => ({ devices: { requests: [{ name, exactly: { deviceClassName: "c" } }] } });

/** Kinds, an object of each, and changes of it. */
const fixedFields: readonly (readonly [path: string, body: object, ...changes: object[]])[] = [
  [
    "/apis/resource.k8s.io/v1/namespaces/{ns}/resourceclaimtemplates",
    { spec: { spec: devices("r") } },
    { spec: { spec: devices("s") } },
    { spec: { metadata: { labels: { a: "b" } } } },
  ],
  [
    `${storage}/namespaces/{ns}/csistoragecapacities`,
    { storageClassName: "a", nodeTopology: { matchLabels: { a: "b" } } },
    { storageClassName: "b" },
    { nodeTopology: { matchLabels: { a: "c" } } },
    { capacity: "1Gi" },
  ],
  [
    `${storage}/volumeattributesclasses`,
    { driverName: "a.b", parameters: { a: "b" } },
    { parameters: { a: "c" } },
    { driverName: "a.c" },
    { driverName: "a.c", parameters: { a: "c" } },
  ],
  ["/api/v1/nodes", { spec: { providerID: "a" } }, { spec: { providerID: "b" } }, { spec: { providerID: null } }],
  ["/api/v1/nodes", {}, { spec: { providerID: "b" } }],
  [resourceClaims, { spec: devices("r") }, { spec: devices("s") }, { spec: { devices: null } }],
  [
    `${storage}/volumeattachments`,
    { spec: { attacher: "a.b", nodeName: "n", source: { persistentVolumeName: "v" } } },
    { spec: { nodeName: "m" } },
    { spec: { attacher: "a.c" } },
    { spec: { source: { persistentVolumeName: "w" } } },
  ],
];

/** Which fields may change after creation. */
export const scenarios: Scenarios = {
  "fixed-fields": fixedFields.flatMap(([path, body, ...changes]) => [
    POST(path, { metadata: { name: "{ns}" }, ...body }, { pick: refusal }),
    ...changes.map((change) => tryPatch(`${path}/{ns}`, change)),
    tryPatch(`${path}/{ns}`, { metadata: { labels: { a: "b" } } }),
    DELETE(`${path}/{ns}`, { unrecorded: true }),
  ]),
};
