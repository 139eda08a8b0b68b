import { merge, type RequestStep, type Scenarios } from "../../scenario.ts";
import { apps, batch, core } from "../../steps.ts";
import { DELETE, PATCH, POST } from "../../requests.ts";

const bundle = { name: "b", path: "p" };
const certificate = { signerName: "a.b/c", keyType: "ED25519", credentialBundlePath: "q" };

/** The spec of pods with all fields that a real server drops. */
const pods = {
  restartPolicy: "Never",
  os: { name: "linux" },
  schedulingGroup: { podGroupName: "g" },
  containers: [
    { name: "c", image: "i:1", lifecycle: { stopSignal: "SIGUSR1" } },
    { name: "d", image: "i:1", lifecycle: { stopSignal: "SIGUSR1", preStop: { sleep: { seconds: 1 } } } },
    { name: "e", image: "i:1", lifecycle: {} },
  ],
  initContainers: [{ name: "i", image: "i:1", restartPolicy: "Always", lifecycle: { stopSignal: "SIGTERM" } }],
  volumes: [
    { name: "v", projected: { sources: [{ clusterTrustBundle: bundle }] } },
    { name: "w", projected: { sources: [{ podCertificate: certificate }, { secret: { name: "s" } }] } },
    { name: "x", projected: { sources: [{ clusterTrustBundle: bundle, configMap: { name: "m" } }] } },
  ],
};

const restarting = { ...pods, restartPolicy: "Always" };
const labels = { a: "b" };
const selected = (spec: object): object => ({
  selector: { matchLabels: labels },
  template: { metadata: { labels }, spec },
});

/** Paths of kinds whose objects have pods or templates of pods, and what such an object has besides its metadata. */
const ofPods: Readonly<Record<string, object>> = {
  [`${core}/pods`]: { spec: pods },
  [`${core}/podtemplates`]: { template: { metadata: { labels }, spec: restarting } },
  [`${core}/replicationcontrollers`]: { spec: { template: { metadata: { labels }, spec: restarting } } },
  [`${apps}/deployments`]: { spec: selected(restarting) },
  [`${apps}/daemonsets`]: { spec: selected(restarting) },
  [`${apps}/replicasets`]: { spec: selected(restarting) },
  [`${apps}/statefulsets`]: {
    spec: { ...selected(restarting), updateStrategy: { rollingUpdate: { maxUnavailable: 2, partition: 1 } } },
  },
  [`${batch}/jobs`]: { spec: { suspend: true, template: { spec: pods } } },
  [`${batch}/cronjobs`]: { spec: { schedule: "@daily", jobTemplate: { spec: { template: { spec: pods } } } } },
};

const device = {
  name: "d",
  attributes: {
    a: { string: "x", strings: ["x"] },
    b: { bool: true, bools: [true] },
    c: { int: 1, ints: [1] },
    d: { version: "1.0.0", versions: ["1.0.0"] },
  },
  nodeAllocatableResourceMappings: { cpu: { allocationMultiplier: "1" } },
};

/** Kinds with a field of their own that a real server drops. */
const ofKinds: Readonly<Record<string, object>> = {
  "/apis/coordination.k8s.io/v1/namespaces/{ns}/leases": {
    spec: { holderIdentity: "h", strategy: "OldestEmulationVersion", preferredHolder: "i" },
  },
  "/apis/storage.k8s.io/v1/csidrivers": { spec: { preventPodSchedulingIfMissing: true } },
  "/apis/resource.k8s.io/v1/resourceslices": {
    spec: {
      driver: "a.b",
      nodeName: "n",
      pool: { name: "{ns}", generation: 1, resourceSliceCount: 1 },
      devices: [device],
    },
  },
};

const create = (path: string, body: object): RequestStep =>
  POST(path, { metadata: { name: "{ns}" }, ...body }, { pick: shown });
const update = (path: string, body: object): RequestStep =>
  PATCH(`${path}/{ns}`, merge, { metadata: { labels: { changed: "yes" } }, ...body }, { pick: shown });

function shown({ code, message, details, spec, template, status }: any): unknown {
  return code === undefined ? { spec, template, status } : { code, causes: details?.causes ?? message };
}

/** Fields of features that are not enabled: a real server drops them. */
export const scenarios: Scenarios = {
  "disabled-fields": Object.entries({ ...ofPods, ...ofKinds }).flatMap(([path, body]) => [
    create(path, body),
    update(path, body),
    DELETE(`${path}/{ns}`, { body: { gracePeriodSeconds: 0 }, unrecorded: true as const }),
  ]),
  "disabled-status-fields": [
    create(`${core}/pods`, { spec: { containers: [{ name: "c", image: "i:1" }] } }),
    PATCH(
      `${core}/pods/{ns}/status`,
      merge,
      {
        status: {
          nodeAllocatableResourceClaimStatuses: [
            { resourceClaimName: "r", containers: ["c"], resources: { cpu: "1" } },
          ],
          containerStatuses: [
            {
              name: "c",
              image: "i:1",
              imageID: "x",
              ready: true,
              restartCount: 0,
              stopSignal: "SIGUSR1",
              volumeMounts: [{ name: "v", mountPath: "/v", volumeStatus: { image: { imageRef: "i@sha256:1" } } }],
            },
          ],
        },
      },
      {
        pick: ({ code, message, details, status }: any) =>
          code === undefined ? status : { code, causes: details?.causes ?? message },
      },
    ),
  ],
};
