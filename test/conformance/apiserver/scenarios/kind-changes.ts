import { merge, type RequestStep, type Scenario } from "../scenario.ts";

const batch = "/apis/batch/v1/namespaces/{ns}/jobs";
const pods = { restartPolicy: "Never", containers: [{ name: "c", image: "i:1" }] };
const post = (path: string, name: string, spec: object): RequestStep => ({
  request: `POST ${path}`,
  body: { metadata: { name }, spec },
  pick: refusal,
});
const patch = (path: string, body: object): RequestStep => ({
  request: `PATCH ${path}`,
  headers: merge,
  body,
  pick: refusal,
});
/** Changes an object, and keeps it as it is. */
const tryPatch = (path: string, body: object): RequestStep => patch(`${path}?dryRun=All`, body);
const job = (name: string, spec: object): RequestStep => post(batch, name, { template: { spec: pods }, ...spec });
const jobChange = (name: string, spec: object): RequestStep => tryPatch(`${batch}/${name}`, { spec });
const podChange = (name: string, spec: object): RequestStep => jobChange(name, { template: { spec } });
const container = (more: object): object => ({ containers: [{ name: "c", image: "i:1", ...more }] });
const term = (key: string): object => ({ matchExpressions: [{ key, operator: "Exists" }] });
const nodeAffinity = { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [term("a")] } };
const podAffinity = { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: "a", labelSelector: {} }] };
const small = { resources: { requests: { cpu: "1" } } };
const core = "/api/v1/namespaces/{ns}";
const claims = `${core}/persistentvolumeclaims`;
const size = (storage: string): { resources: object } => ({ resources: { requests: { storage } } });
const claimSpec = { accessModes: ["ReadWriteOnce"], ...size("2Gi") };
const claim = (name: string, spec: object): RequestStep => post(claims, name, { ...claimSpec, ...spec });
const claimChange = (name: string, spec: object): RequestStep => tryPatch(`${claims}/${name}`, { spec });
const classNote = (name: string | null): { metadata: object } => ({
  metadata: { annotations: { "volume.beta.kubernetes.io/storage-class": name } },
});
const services = `${core}/services`;
const unallocated = { type: "LoadBalancer", allocateLoadBalancerNodePorts: false };
/** Shows which ports of a service are those of nodes; one that is chosen at random is `true`. */
function portsOf(body: any): unknown {
  if (body.code !== undefined) return refusal(body);
  const { ports, healthCheckNodePort, allocateLoadBalancerNodePorts: allocates } = body.spec;
  const shown = ports.map(({ nodePort }: any) => (nodePort === 30_077 ? nodePort : nodePort !== undefined));
  return { allocates, ports: shown, hasHealthCheck: healthCheckNodePort !== undefined };
}
/** Creates or changes a service with the families of its addresses. */
const stacked = (request: string, spec: object): RequestStep => ({
  request: `${request}?dryRun=All`,
  headers: request.startsWith("PATCH") ? merge : {},
  body: { metadata: { name: request.split("/").at(-1) }, spec: { ports: [{ port: 80 }], ...spec } },
  pick: familiesOf,
});
function familiesOf(body: any): unknown {
  if (body.code !== undefined)
    return JSON.parse(JSON.stringify(refusal(body)).replaceAll(/10\.\d+\.\d+\.\d+/g, "10.0.0.7"));
  const { ipFamilies, ipFamilyPolicy, clusterIPs } = body.spec;
  return { ipFamilies, ipFamilyPolicy, isHeadless: clusterIPs[0] === "None", addresses: clusterIPs.length };
}
const slices = "/apis/discovery.k8s.io/v1/namespaces/{ns}/endpointslices";
const resourceClaims = "/apis/resource.k8s.io/v1/namespaces/{ns}/resourceclaims";
const storage = "/apis/storage.k8s.io/v1";
const devices = (name: string): object => ({ devices: { requests: [{ name, exactly: { deviceClassName: "c" } }] } });
const secret = { name: "a", namespace: "b" };
const replicas = ["replicas", "readyReplicas", "availableReplicas", "observedGeneration"];
const counts = {
  deployments: [...replicas, "updatedReplicas", "unavailableReplicas", "collisionCount", "terminatingReplicas"],
  statefulsets: [...replicas, "updatedReplicas", "currentReplicas", "collisionCount"],
  replicasets: [...replicas, "fullyLabeledReplicas", "terminatingReplicas"],
  daemonsets: [
    "currentNumberScheduled",
    "numberMisscheduled",
    "desiredNumberScheduled",
    "numberReady",
    "observedGeneration",
    "updatedNumberScheduled",
    "numberAvailable",
    "numberUnavailable",
    "collisionCount",
  ],
};
const statuses = (names: readonly string[]): object[] => [
  ...names.map((name) => ({ [name]: -1 })),
  Object.fromEntries(names.map((name) => [name, -1])),
  ...names.map((name) => ({ [name]: 1 })),
  Object.fromEntries(names.map((name) => [name, 1])),
];
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
];

/** Compares why a change is refused, without a value that may be a whole template, and without Go's comparison. */
function refusal({ code, message, details }: any): unknown {
  if (code === undefined) return "accepted";
  const causes = details?.causes?.map((cause: any) => ({
    ...cause,
    message: cause.message.replace(/^Invalid value: \{.*\}: /s, "Invalid value: {}: ").replace(/\n@@.*$/s, ""),
  }));
  return { code, causes: causes ?? message };
}

/** Which fields may change after creation. */
export const kindChangeScenarios: readonly Scenario[] = [
  {
    name: "job-suspended",
    steps: [
      job("a", { suspend: true }),
      podChange("a", { nodeSelector: { a: "b" } }),
      podChange("a", { tolerations: [{ key: "a", operator: "Exists" }] }),
      podChange("a", { schedulingGates: [{ name: "a.b/c" }] }),
      podChange("a", { affinity: { nodeAffinity } }),
      podChange("a", { affinity: { podAffinity } }),
      podChange("a", { affinity: { nodeAffinity, podAntiAffinity: podAffinity } }),
      podChange("a", { affinity: {} }),
      podChange("a", container(small)),
      podChange("a", container({ image: "i:2" })),
      podChange("a", { containers: [{ name: "d", image: "i:1", ...small }] }),
      podChange("a", { containers: [...pods.containers, { name: "d", image: "i:1" }] }),
      podChange("a", container({ resizePolicy: [{ resourceName: "cpu", restartPolicy: "NotRequired" }] })),
      podChange("a", small),
      podChange("a", { priorityClassName: "system-node-critical" }),
      podChange("a", { nodeName: "n" }),
      podChange("a", { schedulerName: "s" }),
      podChange("a", { runtimeClassName: "r" }),
      podChange("a", { activeDeadlineSeconds: 5 }),
      podChange("a", {
        topologySpreadConstraints: [{ maxSkew: 1, topologyKey: "a", whenUnsatisfiable: "DoNotSchedule" }],
      }),
      jobChange("a", { template: { metadata: { annotations: { a: "b" } } } }),
      jobChange("a", { template: { metadata: { labels: { a: "b" } } } }),
      jobChange("a", { template: { metadata: { labels: { "job-name": null } } } }),
      jobChange("a", { template: { metadata: { labels: { "batch.kubernetes.io/controller-uid": null } } } }),
      jobChange("a", { template: { metadata: { labels: { "job-name": "b", "controller-uid": "b" } } } }),
      jobChange("a", { template: { metadata: { name: "b" } } }),
      jobChange("a", { template: { metadata: { finalizers: ["a.b/c"] } } }),
      jobChange("a", { suspend: false, template: { spec: { nodeSelector: { a: "b" } } } }),
      jobChange("a", { suspend: false, template: { spec: container(small) } }),
      // The affinity to nodes may go; to pods it stays.
      job("b", {
        suspend: true,
        template: { spec: { ...pods, affinity: { nodeAffinity }, initContainers: [{ name: "i", image: "i:1" }] } },
      }),
      podChange("b", { affinity: null }),
      podChange("b", { affinity: { nodeAffinity: null } }),
      podChange("b", { affinity: { podAffinity } }),
      podChange("b", { initContainers: [{ name: "i", image: "i:1", ...small }] }),
      job("c", { suspend: true, template: { spec: { ...pods, affinity: { nodeAffinity, podAffinity } } } }),
      podChange("c", { affinity: null }),
      podChange("c", { affinity: { nodeAffinity: null } }),
      // It is suspended, and was not before.
      job("d", {}),
      podChange("d", { nodeSelector: { a: "b" } }),
      podChange("d", container(small)),
      jobChange("d", { suspend: true, template: { spec: { nodeSelector: { a: "b" } } } }),
      jobChange("d", { suspend: true, template: { spec: container(small) } }),
      // It has started.
      patch(`${batch}/d/status`, { status: { startTime: "2026-01-02T03:04:05Z", active: 1 } }),
      patch(`${batch}/d`, { spec: { suspend: true } }),
      podChange("d", { nodeSelector: { a: "b" } }),
      podChange("d", container(small)),
      patch(`${batch}/d/status`, { status: { conditions: [{ type: "Suspended", status: "True" }] } }),
      podChange("d", { nodeSelector: { a: "b" } }),
      podChange("d", container(small)),
      patch(`${batch}/d/status`, { status: { active: 0 } }),
      podChange("d", { nodeSelector: { a: "b" } }),
      podChange("d", container(small)),
      patch(`${batch}/d/status`, { status: { conditions: [], startTime: null } }),
      podChange("d", { nodeSelector: { a: "b" } }),
      podChange("d", container(small)),
      // Nobody has suspended it, though a condition says so.
      job("e", {}),
      patch(`${batch}/e/status`, { status: { conditions: [{ type: "Suspended", status: "True" }] } }),
      podChange("e", { nodeSelector: { a: "b" } }),
      // A suspended one with active pods that has not started.
      patch(`${batch}/a/status`, { status: { active: 1 } }),
      podChange("a", { nodeSelector: { a: "b" } }),
      podChange("a", container(small)),
    ],
  },
  {
    name: "job-changes",
    steps: [
      job("a", {}),
      jobChange("a", { completions: 2 }),
      jobChange("a", { completions: null }),
      jobChange("a", { parallelism: 2 }),
      jobChange("a", { managedBy: "a.b/c" }),
      jobChange("a", { podFailurePolicy: { rules: [] } }),
      jobChange("a", { podFailurePolicy: { rules: [{ action: "Ignore", onPodConditions: [{ type: "x" }] }] } }),
      jobChange("a", { successPolicy: { rules: [{ succeededCount: 1 }] } }),
      jobChange("a", { backoffLimitPerIndex: 1 }),
      jobChange("a", { maxFailedIndexes: 1 }),
      jobChange("a", { completionMode: "Indexed" }),
      jobChange("a", { podReplacementPolicy: "Failed" }),
      jobChange("a", { manualSelector: true }),
      jobChange("a", { selector: { matchLabels: { a: "b" } } }),
      jobChange("a", { selector: null }),
      jobChange("a", { backoffLimit: 1, activeDeadlineSeconds: 5, ttlSecondsAfterFinished: 5, suspend: true }),
      job("b", {
        completionMode: "Indexed",
        completions: 3,
        parallelism: 3,
        backoffLimitPerIndex: 1,
        maxFailedIndexes: 2,
        managedBy: "a.b/c",
        successPolicy: { rules: [{ succeededCount: 1 }] },
        podFailurePolicy: { rules: [{ action: "FailIndex", onExitCodes: { operator: "In", values: [1] } }] },
      }),
      jobChange("b", { completions: 2 }),
      jobChange("b", { completions: 2, parallelism: 2 }),
      jobChange("b", { completions: 4, parallelism: 4 }),
      jobChange("b", { completions: 4, parallelism: 3 }),
      jobChange("b", { parallelism: 2 }),
      jobChange("b", { managedBy: null }),
      jobChange("b", { managedBy: "a.b/d" }),
      jobChange("b", { successPolicy: null }),
      jobChange("b", { successPolicy: { rules: [{ succeededCount: 2 }] } }),
      jobChange("b", { podFailurePolicy: null }),
      jobChange("b", { backoffLimitPerIndex: null, maxFailedIndexes: null }),
      jobChange("b", { backoffLimitPerIndex: 2 }),
      jobChange("b", { maxFailedIndexes: 1 }),
      jobChange("b", { maxFailedIndexes: 0 }),
      jobChange("b", { completionMode: "NonIndexed" }),
      job("c", { completions: 4 }),
      jobChange("c", { completions: 1, parallelism: 1 }),
      {
        ...job("d", { podFailurePolicy: { rules: [{ action: "Ignore", onPodConditions: [{ type: "x" }] }] } }),
        pick: ({ spec }) => spec.podFailurePolicy,
      },
      job("e", { completionMode: "Indexed", completions: 200_000, parallelism: 100_001 }),
      job("e", { completionMode: "Indexed", completions: 2, maxFailedIndexes: 1 }),
      job("e", { completionMode: "Indexed", completions: 200_000, backoffLimitPerIndex: 1 }),
      job("e", { completionMode: "Indexed", completions: 200_000, backoffLimitPerIndex: 1, maxFailedIndexes: 10_001 }),
      job("e", {
        completionMode: "Indexed",
        completions: 200_000,
        parallelism: 10_001,
        backoffLimitPerIndex: 1,
        maxFailedIndexes: 9,
      }),
      job("e", {
        completionMode: "Indexed",
        completions: 200_000,
        backoffLimitPerIndex: 1,
        maxFailedIndexes: 100_001,
      }),
      job("e", { parallelism: 100_001 }),
      job("e", { completionMode: "Indexed", completions: 200_000, parallelism: 0, maxFailedIndexes: 100_001 }),
      job("e", { completionMode: "Indexed", completions: 5, parallelism: 100_001, maxFailedIndexes: 100_001 }),
      job("e", { completionMode: "Indexed", completions: 100_000, backoffLimitPerIndex: 1 }),
      job("e", { completionMode: "Indexed", parallelism: 100_001, backoffLimitPerIndex: 1, maxFailedIndexes: 100_001 }),
      job("f", { podReplacementPolicy: "Nope" }),
      job("f", { podReplacementPolicy: "TerminatingOrFailed", podFailurePolicy: { rules: [] } }),
    ],
  },
  {
    name: "claim-changes",
    steps: [
      {
        request: "POST /apis/storage.k8s.io/v1/storageclasses",
        body: { metadata: { name: "{ns}" }, provisioner: "a.b", allowVolumeExpansion: true },
        unrecorded: true,
      },
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
      tryPatch(`${claims}/b`, classNote("t")),
      tryPatch(`${claims}/b`, { ...classNote("t"), spec: { storageClassName: "t" } }),
      // A class in an annotation may become one in the spec.
      {
        request: `POST ${claims}`,
        body: { metadata: { name: "c", ...classNote("s").metadata }, spec: claimSpec },
        pick: refusal,
      },
      claimChange("c", { storageClassName: "s" }),
      claimChange("c", { storageClassName: "t" }),
      tryPatch(`${claims}/c`, { ...classNote(null), spec: { storageClassName: "s" } }),
      tryPatch(`${claims}/c`, { ...classNote(null), spec: { storageClassName: "t" } }),
      tryPatch(`${claims}/c`, { ...classNote("t"), spec: { storageClassName: "s" } }),
      tryPatch(`${claims}/c`, classNote("t")),
      tryPatch(`${claims}/c`, classNote(null)),
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
      { request: "DELETE /apis/storage.k8s.io/v1/storageclasses/{ns}", unrecorded: true },
    ],
  },
  {
    name: "service-balancer-ports",
    steps: [
      post(services, "a", { ...unallocated, ports: [{ port: 80 }] }),
      patch(`${services}/a`, { spec: { allocateLoadBalancerNodePorts: true } }),
      patch(`${services}/a`, { spec: { allocateLoadBalancerNodePorts: false } }),
      post(services, "b", {
        ...unallocated,
        ports: [
          { port: 80, nodePort: 30_077 },
          { name: "b", port: 81 },
        ],
      }),
      post(services, "b", {
        ...unallocated,
        ports: [
          { name: "a", port: 80, nodePort: 30_077 },
          { name: "b", port: 81 },
        ],
      }),
      patch(`${services}/b`, { spec: { ports: [{ port: 81 }] } }),
      patch(`${services}/b`, { spec: { type: "NodePort", allocateLoadBalancerNodePorts: null } }),
      post(services, "c", { ...unallocated, externalTrafficPolicy: "Local", ports: [{ port: 80 }] }),
      post(services, "d", { ...unallocated, ports: [{ port: 80, nodePort: 99 }] }),
    ].map((step) => ({ ...step, pick: portsOf })),
  },
  {
    name: "service-families",
    steps: [
      ...[
        { ipFamilyPolicy: "RequireDualStack" },
        { ipFamilyPolicy: "PreferDualStack" },
        { ipFamilies: ["IPv6"] },
        { ipFamilies: ["IPv4", "IPv6"] },
        { ipFamilies: ["IPv4", "IPv6"], ipFamilyPolicy: "PreferDualStack" },
        { ipFamilies: ["IPv6", "IPv4"], ipFamilyPolicy: "PreferDualStack" },
        { ipFamilies: ["IPv6"], ipFamilyPolicy: "PreferDualStack" },
        { ipFamilies: ["IPv6"], ipFamilyPolicy: "RequireDualStack" },
        { ipFamilies: ["IPv6"], ipFamilyPolicy: "SingleStack" },
        { ipFamilies: ["IPv4", "IPv6"], ipFamilyPolicy: "SingleStack" },
        { ipFamilies: ["IPv4"], ipFamilyPolicy: "RequireDualStack" },
        { ipFamilies: ["IPv4"], ipFamilyPolicy: "PreferDualStack" },
        { ipFamilies: ["IPv4", "IPv6"], ipFamilyPolicy: "RequireDualStack" },
        { clusterIP: "10.0.0.7", ipFamilies: ["IPv6"] },
        { clusterIP: "10.0.0.7", ipFamilies: ["IPv6", "IPv4"] },
        { clusterIP: "10.0.0.7", ipFamilyPolicy: "RequireDualStack" },
      ].map((spec) => stacked(`POST ${services}`, spec)),
      ...[
        { ipFamilyPolicy: "RequireDualStack" },
        { ipFamilyPolicy: "PreferDualStack" },
        { ipFamilyPolicy: "SingleStack" },
        { ipFamilies: ["IPv6"] },
        { ipFamilies: ["IPv4"] },
        { ipFamilies: ["IPv4", "IPv6"] },
        { ipFamilies: ["IPv6"], ipFamilyPolicy: "SingleStack" },
        { ipFamilies: ["IPv6"], ipFamilyPolicy: "RequireDualStack" },
        { ipFamilies: ["IPv6"], ipFamilyPolicy: "PreferDualStack" },
        { ipFamilies: ["IPv4", "IPv6"], ipFamilyPolicy: "SingleStack" },
        { selector: { a: "b" } },
        { selector: { a: "b" }, ipFamilyPolicy: "RequireDualStack" },
        { selector: { a: "b" }, ipFamilyPolicy: "PreferDualStack" },
        { selector: { a: "b" }, ipFamilies: ["IPv6"] },
        { selector: { a: "b" }, ipFamilies: ["IPv6"], ipFamilyPolicy: "SingleStack" },
        { selector: { a: "b" }, ipFamilies: ["IPv4", "IPv6"] },
      ].map((spec) => stacked(`POST ${services}`, { clusterIP: "None", ...spec })),
      post(services, "a", { ports: [{ port: 80 }] }),
      ...[
        { ipFamilyPolicy: "RequireDualStack" },
        { ipFamilyPolicy: "PreferDualStack" },
        { ipFamilies: ["IPv6"] },
        { ipFamilies: ["IPv4", "IPv6"] },
        { ipFamilies: ["IPv6", "IPv4"] },
        { ipFamilies: ["IPv6", "IPv4"], ipFamilyPolicy: "PreferDualStack" },
        { ipFamilies: ["IPv4", "IPv6"], ipFamilyPolicy: "PreferDualStack" },
      ].map((spec) => stacked(`PATCH ${services}/a`, spec)),
      post(services, "b", { clusterIP: "None", ports: [{ port: 80 }] }),
      ...[
        { selector: { a: "b" } },
        { ipFamilyPolicy: "SingleStack" },
        { ipFamilyPolicy: "PreferDualStack" },
        { ipFamilies: ["IPv4"] },
        { ipFamilies: ["IPv4"], ipFamilyPolicy: "SingleStack" },
        { ipFamilies: ["IPv6", "IPv4"] },
      ].map((spec) => stacked(`PATCH ${services}/b`, spec)),
    ],
  },
  {
    name: "fixed-fields",
    steps: [
      {
        request: `POST ${slices}`,
        body: { metadata: { name: "a" }, addressType: "IPv4", endpoints: [] },
        pick: refusal,
      },
      tryPatch(`${slices}/a`, { addressType: "IPv6" }),
      tryPatch(`${slices}/a`, { addressType: null }),
      post(`${core}/resourcequotas`, "a", { hard: { pods: "1" }, scopes: ["BestEffort"] }),
      ...[
        { scopes: ["NotBestEffort"] },
        { scopes: ["BestEffort", "Terminating"] },
        { scopes: null },
        { hard: { pods: "2" } },
        { scopeSelector: { matchExpressions: [{ scopeName: "BestEffort", operator: "Exists" }] } },
      ].map((spec) => tryPatch(`${core}/resourcequotas/a`, { spec })),
      post(`${core}/resourcequotas`, "b", { hard: { pods: "1" } }),
      tryPatch(`${core}/resourcequotas/b`, { spec: { scopes: [] } }),
      tryPatch(`${core}/resourcequotas/b`, { spec: { scopes: ["BestEffort"] } }),
      post(resourceClaims, "a", devices("r")),
      tryPatch(`${resourceClaims}/a`, { spec: devices("s") }),
      tryPatch(`${resourceClaims}/a`, { spec: { devices: null } }),
      tryPatch(`${resourceClaims}/a`, { metadata: { labels: { a: "b" } } }),
      post(`${storage}/volumeattachments`, "{ns}", {
        attacher: "a.b",
        nodeName: "n",
        source: { persistentVolumeName: "v" },
      }),
      ...[{ nodeName: "m" }, { attacher: "a.c" }, { source: { persistentVolumeName: "w" } }].map((spec) =>
        tryPatch(`${storage}/volumeattachments/{ns}`, { spec }),
      ),
      tryPatch(`${storage}/volumeattachments/{ns}`, { metadata: { labels: { a: "b" } } }),
      { request: `DELETE ${storage}/volumeattachments/{ns}`, unrecorded: true },
    ],
  },
  {
    name: "volume-sources",
    steps: [
      post("/api/v1/persistentvolumes", "{ns}", {
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
      ].map((spec) => tryPatch("/api/v1/persistentvolumes/{ns}", { spec })),
      patch("/api/v1/persistentvolumes/{ns}", { spec: { csi: { controllerExpandSecretRef: secret } } }),
      tryPatch("/api/v1/persistentvolumes/{ns}", { spec: { csi: { controllerExpandSecretRef: { name: "c" } } } }),
      tryPatch("/api/v1/persistentvolumes/{ns}", { spec: { csi: { controllerExpandSecretRef: null } } }),
      { request: "DELETE /api/v1/persistentvolumes/{ns}", unrecorded: true },
    ],
  },
  {
    name: "status-counts",
    steps: Object.entries(counts).flatMap(([plural, names]) => [
      post(`/apis/apps/v1/namespaces/{ns}/${plural}`, "a", {
        selector: { matchLabels: { a: "b" } },
        template: { metadata: { labels: { a: "b" } }, spec: { containers: [{ name: "c", image: "i:1" }] } },
      }),
      ...statuses(names).map((status) => tryPatch(`/apis/apps/v1/namespaces/{ns}/${plural}/a/status`, { status })),
    ]),
  },
  {
    name: "fixed-fields-only",
    steps: fixedFields.flatMap(([path, body, ...changes]) => [
      { request: `POST ${path}`, body: { metadata: { name: "{ns}" }, ...body }, pick: refusal },
      ...changes.map((change) => tryPatch(`${path}/{ns}`, change)),
      tryPatch(`${path}/{ns}`, { metadata: { labels: { a: "b" } } }),
      { request: `DELETE ${path}/{ns}`, unrecorded: true },
    ]),
  },
];
