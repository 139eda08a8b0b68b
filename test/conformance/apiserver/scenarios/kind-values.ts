import { merge, type RequestStep, type Scenario } from "../scenario.ts";

const ns = "/api/v1/namespaces/{ns}";
const dryRun = (path: string, body: object): RequestStep => ({
  request: `POST ${path}?dryRun=All`,
  body: { metadata: { name: "a" }, ...body },
  pick: refusal,
});
/** What is stored is compared by other scenarios. */
const refusal = ({ code, message, details }: any): unknown =>
  code === undefined ? "accepted" : { code, causes: details?.causes?.map(withFirstLine) ?? message };
/** The rest of a message is a difference of Go structs. */
const withFirstLine = (cause: any): any => ({ ...cause, message: cause.message.split("\n")[0] });
const template = { metadata: { labels: { a: "b" } }, spec: { containers: [{ name: "c", image: "i" }] } };
const set = (spec: object): RequestStep =>
  dryRun("/apis/apps/v1/namespaces/{ns}/daemonsets", {
    spec: { selector: { matchLabels: { a: "b" } }, template, ...spec },
  });
const deployment = (strategy: object): RequestStep =>
  dryRun("/apis/apps/v1/namespaces/{ns}/deployments", {
    spec: { selector: { matchLabels: { a: "b" } }, template, strategy },
  });
const statefulSet = (updateStrategy: object, more: object = {}): RequestStep =>
  dryRun("/apis/apps/v1/namespaces/{ns}/statefulsets", {
    spec: { selector: { matchLabels: { a: "b" } }, template, serviceName: "s", updateStrategy, ...more },
  });
const rolling = (rollingUpdate: object): object => ({ type: "RollingUpdate", rollingUpdate });
const hostPath = { path: "/data" };
const pod = (spec: object): RequestStep => dryRun(`${ns}/pods`, { spec: { ...template.spec, ...spec } });
const volume = (spec: object): RequestStep =>
  dryRun("/api/v1/persistentvolumes", {
    spec: { capacity: { storage: "1Gi" }, accessModes: ["ReadWriteOnce"], ...spec },
  });
const event = (fields: object): RequestStep =>
  dryRun(`${ns}/events`, {
    involvedObject: { kind: "Pod", name: "p", namespace: "c-kind-values" },
    reason: "R",
    message: "m",
    ...fields,
  });
const newEvent = (fields: object): RequestStep =>
  dryRun("/apis/events.k8s.io/v1/namespaces/{ns}/events", {
    regarding: { kind: "Pod", name: "p", namespace: "c-kind-values" },
    reason: "R",
    action: "A",
    type: "Normal",
    eventTime: "2026-01-01T00:00:00.000000Z",
    reportingController: "example.com/c",
    reportingInstance: "c-1",
    ...fields,
  });
const quota = (spec: object): RequestStep => dryRun(`${ns}/resourcequotas`, { spec });
const slices = (fields: object): RequestStep =>
  dryRun("/apis/discovery.k8s.io/v1/namespaces/{ns}/endpointslices", fields);
const slice = (addressType: string, ...list: string[]): RequestStep =>
  slices({ addressType, endpoints: [{ addresses: list }] });
const addresses = (count: number): string[] =>
  Array.from({ length: count }, (_, at) => `10.0.${Math.floor(at / 250)}.${(at % 250) + 1}`);

/** Values of built-in kinds that rules in code check. */
export const kindValueScenarios: readonly Scenario[] = [
  {
    name: "kind-values",
    steps: [
      set({ selector: { matchLabels: { a: "c" } } }),
      set({ selector: {} }),
      set({ minReadySeconds: -1, revisionHistoryLimit: -1 }),
      set({ updateStrategy: { type: "RollingUpdate", rollingUpdate: { maxUnavailable: 0, maxSurge: 0 } } }),
      set({ updateStrategy: { type: "RollingUpdate", rollingUpdate: { maxUnavailable: 1, maxSurge: 1 } } }),
      set({ updateStrategy: { type: "RollingUpdate", rollingUpdate: { maxUnavailable: "120%" } } }),
      set({ updateStrategy: { type: "RollingUpdate", rollingUpdate: { maxUnavailable: -1 } } }),
      set({ template: { ...template, spec: { ...template.spec, restartPolicy: "Never" } } }),
      set({ template: { ...template, spec: { ...template.spec, activeDeadlineSeconds: 5 } } }),
      ...[
        { type: "Recreate", rollingUpdate: { maxSurge: 1 } },
        rolling({ maxUnavailable: 0, maxSurge: 0 }),
        rolling({ maxUnavailable: "0%", maxSurge: 0 }),
        rolling({ maxUnavailable: "101%", maxSurge: "200%" }),
        rolling({ maxUnavailable: "5", maxSurge: -1 }),
        rolling({ maxUnavailable: "-5%", maxSurge: "a%" }),
      ].map(deployment),
      statefulSet({ type: "OnDelete", rollingUpdate: { partition: 1 } }),
      statefulSet(rolling({ partition: -1 })),
      statefulSet(rolling({ maxUnavailable: 0 })),
      statefulSet(rolling({ maxUnavailable: "101%" })),
      statefulSet({}, { persistentVolumeClaimRetentionPolicy: { whenDeleted: "Nope" } }),
      statefulSet({}, { ordinals: { start: -1 } }),
      // The words of the refusal are those of the schema.
      ...[
        set({ updateStrategy: { type: "Nope" } }),
        deployment({ type: "Nope" }),
        statefulSet({ type: "Nope" }),
        statefulSet({}, { podManagementPolicy: "Nope" }),
        volume({ hostPath, accessModes: ["Nope"] }),
        quota({ hard: { pods: "1" }, scopes: ["Nope"] }),
        quota({
          hard: { pods: "1" },
          scopeSelector: { matchExpressions: [{ scopeName: "PriorityClass", operator: "Nope" }] },
        }),
      ].map((step) => ({ ...step, pick: ({ code }: any) => ({ code }) })),
      volume({}),
      volume({ hostPath, capacity: {} }),
      volume({ hostPath, capacity: { cpu: "1" } }),
      volume({ hostPath, capacity: { storage: "0" } }),
      volume({ hostPath, accessModes: [] }),
      volume({ hostPath, accessModes: ["ReadWriteOncePod", "ReadWriteOnce"] }),
      volume({ hostPath: { path: "" } }),
      volume({ hostPath: { path: "/a/../b" } }),
      volume({ hostPath: { path: "/a", type: "Nope" } }),
      volume({ hostPath, nfs: { server: "a", path: "/b" } }),
      volume({ nfs: { server: "", path: "b" } }),
      volume({ local: { path: "" } }),
      volume({ local: { path: "/a" } }),
      volume({ csi: {} }),
      volume({ csi: { driver: "É", volumeHandle: "v" } }),
      volume({ hostPath, persistentVolumeReclaimPolicy: "Nope" }),
      volume({ hostPath, persistentVolumeReclaimPolicy: "Recycle", storageClassName: "A_B" }),
      volume({ hostPath, volumeMode: "Nope" }),
      volume({ hostPath, nodeAffinity: {} }),
      volume({ hostPath, nodeAffinity: { required: { nodeSelectorTerms: [] } } }),
      volume({ hostPath: { path: "/" }, persistentVolumeReclaimPolicy: "Recycle" }),
      {
        request: "POST /api/v1/persistentvolumes",
        body: {
          metadata: { name: "kind-values" },
          spec: { capacity: { storage: "1Gi" }, accessModes: ["ReadWriteOnce"], hostPath },
        },
        pick: refusal,
      },
      {
        request: "PATCH /api/v1/persistentvolumes/kind-values",
        headers: merge,
        body: { spec: { hostPath: { path: "/other" } } },
        pick: refusal,
      },
      {
        request: "PATCH /api/v1/persistentvolumes/kind-values",
        headers: merge,
        body: { spec: { volumeMode: "Block" } },
        pick: refusal,
      },
      {
        request: "PATCH /api/v1/persistentvolumes/kind-values",
        headers: merge,
        body: { spec: { capacity: { storage: "2Gi" } } },
        pick: refusal,
      },
      event({}),
      event({ involvedObject: { kind: "Pod", name: "p", namespace: "other" } }),
      event({ involvedObject: { kind: "Node", name: "n" } }),
      event({ involvedObject: { kind: "Pod", name: "p" } }),
      event({ involvedObject: { kind: "Node", name: "n", namespace: "other" } }),
      event({ type: "Nope", count: -1 }),
      event({ reason: "x".repeat(200), message: "x".repeat(2000) }),
      event({ eventTime: "2026-01-01T00:00:00.000000Z" }),
      event({ eventTime: "2026-01-01T00:00:00.000000Z", reportingComponent: "a b", reportingInstance: "", action: "" }),
      newEvent({}),
      newEvent({ regarding: { kind: "Pod", name: "p", namespace: "other" } }),
      newEvent({ eventTime: null }),
      newEvent({ reportingController: "", reportingInstance: "" }),
      newEvent({ reportingController: "a b" }),
      newEvent({ reportingInstance: "x".repeat(200) }),
      newEvent({ action: "", reason: "" }),
      newEvent({ action: "x".repeat(200), reason: "x".repeat(200), note: "x".repeat(2000) }),
      newEvent({ type: "" }),
      newEvent({ type: "Nope" }),
      newEvent({ series: { count: 1, lastObservedTime: null } }),
      newEvent({ deprecatedCount: 3 }),
      quota({ hard: { nope: "1" } }),
      quota({
        hard: {
          "a/b": "1",
          "count/pods": "1",
          "count/deployments.apps": "1",
          "requests.nvidia.com/gpu": "1",
          "nvidia.com/gpu": "1",
        },
      }),
      quota({
        hard: { "gold.storageclass.storage.k8s.io/requests.storage": "1Gi", "hugepages-2Mi": "1Mi", "limits.cpu": "1" },
      }),
      quota({ hard: { É: "1" } }),
      quota({ hard: { pods: "1" }, scopes: ["BestEffort", "NotBestEffort"] }),
      quota({ hard: { pods: "1" }, scopes: ["Terminating", "NotTerminating"] }),
      quota({ hard: { services: "1" }, scopes: ["BestEffort"] }),
      quota({ hard: { cpu: "1" }, scopes: ["BestEffort"] }),
      quota({ hard: { pods: "1" }, scopes: ["PriorityClass"] }),
      quota({
        hard: { pods: "1" },
        scopeSelector: { matchExpressions: [{ scopeName: "PriorityClass", operator: "In" }] },
      }),
      quota({
        hard: { pods: "1" },
        scopeSelector: { matchExpressions: [{ scopeName: "PriorityClass", operator: "In", values: ["high"] }] },
      }),
      quota({
        hard: { pods: "1" },
        scopeSelector: { matchExpressions: [{ scopeName: "BestEffort", operator: "In", values: ["high"] }] },
      }),
      ...[
        [{ operator: "Exists", tolerationSeconds: 3 }],
        [{ key: "a", operator: "Exists", effect: "NoExecute", tolerationSeconds: 3 }],
        [{ key: "a", value: "É" }],
        [{ key: "É", operator: "Exists", effect: "NoSchedule" }],
      ].map((tolerations) => pod({ tolerations })),
      ...[
        { limits: { nope: "1" } },
        { requests: { "example.com/gpu": "1" }, limits: { "example.com/gpu": "1" } },
        { limits: { "hugepages-2Mi": "2Mi", memory: "1Gi" } },
        { requests: { É: "1" } },
        { requests: { pods: "1" } },
      ].map((resources) => pod({ containers: [{ name: "c", image: "i", resources }] })),
      slice("IPv4", "1.2.3.4"),
      slice("IPv4", "::1"),
      slice("IPv4", "127.0.0.1"),
      slice("IPv4", "0.0.0.0"),
      slice("IPv4", "169.254.1.1"),
      slice("IPv4", "224.0.0.1"),
      slice("IPv4", "a.example.com"),
      slice("IPv6", "1.2.3.4"),
      slice("IPv6", "2001:db8::1"),
      slice("IPv6", "::1"),
      slice("FQDN", "a.example.com"),
      slice("FQDN", "a_b"),
      slice("FQDN", "1.2.3.4"),
      slice("IPv4", "1.2.3.4", "1.2.3.4"),
      slice("IPv4", ...addresses(101)),
      slices({ addressType: "IPv4", endpoints: addresses(1001).map((address) => ({ addresses: [address] })) }),
      ...["1.2.3.4", "127.0.0.1", "::1", "169.254.1.1", "224.0.0.1", "0.0.0.0", "a", ""].map((ip) =>
        dryRun(`${ns}/endpoints`, { subsets: [{ addresses: [{ ip }], ports: [{ port: 80 }] }] }),
      ),
      dryRun(`${ns}/endpoints`, { subsets: [{}] }),
      dryRun(`${ns}/endpoints`, {
        subsets: [{ addresses: [{ ip: "1.2.3.4" }], ports: [{ port: 0 }, { port: 70_000 }] }],
      }),
      dryRun(`${ns}/services`, { metadata: { name: null }, spec: { ports: [{ port: 80 }] } }),
    ],
  },
];
