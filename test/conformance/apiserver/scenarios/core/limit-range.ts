import { strategic, type RequestStep, type Scenarios, type Step } from "../../scenario.ts";
import { claims, core, pods } from "../../steps.ts";
import { configure, remove, webhook } from "../../webhook-configurations.ts";
import { DELETE, PATCH, POST } from "../../requests.ts";

const ranges = `${core}/limitranges`;
const container = (name: string, resources: object = {}, more: object = {}): object => ({
  name,
  image: "i:1",
  resources,
  ...more,
});
const range = (name: string, ...limits: readonly object[]): RequestStep =>
  POST(ranges, { metadata: { name }, spec: { limits } });
const refusal = ({ code, message, details }: any): unknown =>
  code === undefined ? "accepted" : { code, message, details };

/** A generated name ends by chance. */
const unnamed = (told: unknown): unknown =>
  JSON.parse(JSON.stringify(told).replaceAll(/\bg-[a-z0-9]{5}\b/g, "g-<suffix>"));

const resourcesOf = (body: any): unknown => {
  if (body.code !== undefined) return unnamed(refusal(body));
  const { metadata, spec, status } = body;
  const of = (list: any[] = []): unknown => list.map(({ name, resources }) => ({ name, resources }));
  return {
    annotations: metadata.annotations,
    labels: metadata.labels,
    containers: of(spec.containers),
    initContainers: of(spec.initContainers),
    quality: status.qosClass,
    managedFields: metadata.managedFields,
  };
};
const pod = (spec: object, metadata: object = {}): RequestStep =>
  POST(`${pods}?dryRun=All`, { metadata: { name: "p", ...metadata }, spec }, { pick: resourcesOf });

/** A pod with one container. */
const one = (resources: object, metadata: object = {}): RequestStep =>
  pod({ containers: [container("c", resources)] }, metadata);

const claim = (storage: string): RequestStep =>
  POST(
    `${claims}?dryRun=All`,
    { metadata: { name: "c" }, spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage } } } },
    { pick: refusal },
  );
const removeRange = (name: string): Step => DELETE(`${ranges}/${name}`, { unrecorded: true });

/** A real server learns of a change of a LimitRange a moment later. */
const until = (step: RequestStep, isSo: (text: string) => boolean): Step => ({
  ...step,
  until: (body) => isSo(JSON.stringify(body)),
  unrecorded: true,
});

const seen = { metadata: { labels: { case: "copy-limits" } } };
const ofPods = [{ apiGroups: [""], apiVersions: ["v1"], resources: ["pods"], operations: ["CREATE"] }];

/** LimitRanges: what they may say, and what pods and claims get and may ask for. */
export const scenarios: Scenarios = {
  "limit-range-defaults": {
    managedFields: true,
    steps: [
      POST(pods, { metadata: { name: "old" }, spec: { containers: [container("c")] } }, { pick: resourcesOf }),
      {
        ...range("a", {
          type: "Container",
          default: { cpu: "500m", memory: "128Mi" },
          defaultRequest: { cpu: "100m" },
        }),
        unrecorded: true,
      },
      until(one({}), (text) => text.includes("LimitRanger")),
      one({}),
      one({ limits: { cpu: "2" } }),
      one({ requests: { cpu: "200m", memory: "1Mi" } }),
      one({ requests: { memory: "1Gi" } }),
      one({ requests: { cpu: "1", memory: "1Mi" }, limits: { cpu: "1", memory: "1Mi" } }),
      pod(
        {
          containers: [container("c"), container("d", { limits: { memory: "1Gi" } })],
          initContainers: [
            container("i", { requests: { cpu: "1m" } }),
            container("s", {}, { restartPolicy: "Always" }),
          ],
        },
        { annotations: { a: "b", "kubernetes.io/limit-ranger": "mine" } },
      ),
      // Pods that were created before stay as they are, and may change.
      PATCH(`${pods}/old`, strategic, { metadata: { labels: { a: "b" } } }, { pick: resourcesOf }),
      PATCH(
        `${pods}/old/resize`,
        strategic,
        { spec: { containers: [{ name: "c", resources: { requests: { cpu: "1" } } }] } },
        { pick: ({ code, message }) => ({ code, message }) },
      ),
    ],
  },
  "limit-range-of-containers": [
    {
      ...range("a", {
        type: "Container",
        min: { cpu: "100m" },
        max: { cpu: "1", memory: "1Gi" },
        default: { cpu: "200m", memory: "1Mi" },
      }),
      unrecorded: true,
    },
    until(one({ limits: { cpu: "3" } }), (text) => text.includes("forbidden")),
    one({}),
    one({ requests: { cpu: "50m" } }),
    one({ limits: { cpu: "2" } }),
    one({ requests: { cpu: "20m" }, limits: { cpu: "50m" } }),
    one({ requests: { cpu: "2" } }),
    one({ limits: { memory: "1025Mi" } }),
    one({ limits: { cpu: "1.125" } }),
    one({ limits: { memory: "2000000001" } }),
    pod({ containers: [container("c", { limits: { cpu: "2" } }), container("d", { limits: { cpu: "2" } })] }),
    pod({ containers: [container("c", { limits: { cpu: "2" } }), container("d", { limits: { cpu: "3" } })] }),
    pod({ containers: [container("c")], initContainers: [container("i", { limits: { cpu: "2" } })] }),
    one({ limits: { cpu: "2" } }, { name: undefined, generateName: "g-" }),
    // What is wrong in itself is told first.
    one({ limits: { cpu: "-2" } }),
    removeRange("a"),
    until(one({ limits: { cpu: "2" } }), (text) => !text.includes("forbidden")),
  ],
  "limit-range-of-pods": [
    {
      ...range("a", {
        type: "Pod",
        min: { cpu: "100m" },
        max: { memory: "1Gi" },
      }),
      unrecorded: true,
    },
    until(one({}), (text) => text.includes("forbidden")),
    one({ requests: { cpu: "50m" }, limits: { memory: "1Mi" } }),
    one({ requests: { cpu: "100m" } }),
    one({ requests: { cpu: "100m" }, limits: { memory: "1Gi" } }),
    pod({
      containers: [
        container("c", { limits: { cpu: "60m", memory: "600Mi" } }),
        container("d", { limits: { cpu: "60m", memory: "600Mi" } }),
      ],
    }),
    pod({
      containers: [container("c", { limits: { cpu: "60m", memory: "300Mi" } })],
      initContainers: [
        container("s", { limits: { cpu: "60m", memory: "600Mi" } }, { restartPolicy: "Always" }),
        container("i", { limits: { cpu: "1m", memory: "800Mi" } }),
      ],
    }),
    one({ requests: { cpu: "1", memory: "1Mi" }, limits: { memory: "3Mi" } }),
    pod({ containers: [container("c")], resources: { requests: { cpu: "1m" }, limits: { memory: "2Mi" } } }),
  ],
  "limit-range-of-claims": [
    {
      ...range("a", { type: "PersistentVolumeClaim", min: { storage: "1Gi" }, max: { storage: "2Gi" } }),
      unrecorded: true,
    },
    until(claim("1"), (text) => text.includes("forbidden")),
    claim("1Gi"),
    claim("500Mi"),
    claim("3Gi"),
    claim("0"),
    { ...claim("2Gi"), request: `POST ${claims}` },
    PATCH(`${claims}/c`, strategic, { metadata: { labels: { a: "b" } } }, { pick: refusal }),
    removeRange("a"),
    {
      ...range("b", { type: "PersistentVolumeClaim", max: { storage: "1Gi", cpu: "1" } }),
      unrecorded: true,
    },
    until(claim("1Mi"), (text) => text.includes("forbidden")),
    claim("1Mi"),
    // Each change of a claim is checked.
    PATCH(`${claims}/c`, strategic, { metadata: { labels: { a: "c" } } }, { pick: (body) => body.code }),
    PATCH(`${claims}/c/status`, strategic, { status: { phase: "Lost" } }, { pick: refusal }),
    DELETE(`${claims}/c`, { pick: (body) => body.code }),
    PATCH(`${claims}/c`, strategic, { metadata: { labels: { a: "d" } } }, { pick: refusal }),
  ],
  "limit-range-order": [
    ...configure("Mutating", "limit-range-order-m", [webhook("copy-limits", { rules: ofPods })]),
    ...configure("Validating", "limit-range-order-v", [webhook("deny", { rules: ofPods })]),
    { ...range("a", { type: "Container", max: { cpu: "1" }, default: { cpu: "200m" } }), unrecorded: true },
    until(one({ limits: { cpu: "3" } }), (text) => text.includes("forbidden")),
    // Mutating webhooks see the defaults, and validating ones are asked later.
    one({}, seen.metadata),
    one({ limits: { cpu: "2" } }, { labels: { case: "deny" } }),
    one({}, { labels: { case: "deny" } }),
    ...remove("mutating", "limit-range-order-m"),
    ...remove("validating", "limit-range-order-v"),
  ],
};
