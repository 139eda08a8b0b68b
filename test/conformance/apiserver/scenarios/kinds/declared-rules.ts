import type { RequestStep, Scenarios } from "../../scenario.ts";
import { POST } from "../../requests.ts";

const create = (path: string, body: object): RequestStep =>
  POST(`${path}?dryRun=All`, { metadata: { name: "a" }, ...body });
const slices = "/apis/discovery.k8s.io/v1/namespaces/{ns}/endpointslices";
const endpoint = { addresses: ["10.1.1.1"] };
const wrongPods = {
  restartPolicy: "X",
  containers: [{ image: "i", terminationMessagePolicy: "X", imagePullPolicy: "X" }],
  securityContext: { seccompProfile: { type: "X" } },
};
const devices = {
  requests: [{ name: "r", firstAvailable: [{ name: "x", deviceClassName: "A" }] }],
  config: [{ opaque: { driver: "a/b", parameters: {} } }],
};

/** Objects that break what the Go types of their kinds declare: tags, enums and required fields. */
export const scenarios: Scenarios = {
  "declared-rules": [
    create("/apis/node.k8s.io/v1/runtimeclasses", { handler: "10%" }),
    create("/apis/storage.k8s.io/v1/volumeattachments", {
      spec: { attacher: "a b", nodeName: "n", source: { persistentVolumeName: "v" } },
    }),
    create("/api/v1/namespaces/{ns}/podtemplates", { template: { metadata: {}, spec: wrongPods } }),
    create(slices, { addressType: "IPv4", endpoints: [], ports: [{ name: "x", protocol: "X" }] }),
    create(slices, {
      addressType: "IPv4",
      endpoints: [{ ...endpoint, hints: { forZones: [{ name: "" }] } }],
    }),
    create(slices, { addressType: "IPv4", endpoints: [{ addresses: [] }] }),
    create("/api/v1/namespaces/{ns}/endpoints", {
      subsets: [{ addresses: [{ ip: "10.1.1.1" }], ports: [{ port: 1, protocol: "X" }] }],
    }),
    create("/apis/storage.k8s.io/v1/namespaces/{ns}/csistoragecapacities", {
      storageClassName: "s",
      nodeTopology: { matchExpressions: [{ key: "a" }] },
    }),
    create("/apis/resource.k8s.io/v1/namespaces/{ns}/resourceclaims", { spec: { devices } }),
    create("/api/v1/namespaces/{ns}/limitranges", {}),
  ],
};
