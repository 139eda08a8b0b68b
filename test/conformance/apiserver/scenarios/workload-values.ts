import { merge, type RequestStep, type Scenario } from "../scenario.ts";

const apps = "/apis/apps/v1/namespaces/{ns}";
const batch = "/apis/batch/v1/namespaces/{ns}";
const shown = ({ code, message, details, spec, status }: any): unknown =>
  code === undefined ? { spec, status } : { code, causes: details?.causes?.map(withoutStruct) ?? message };
/** A real server prints Go structs, and their differences. */
const withoutStruct = (cause: any): unknown => ({
  ...cause,
  message: cause.message.replace(/^Invalid value: \{.*\}: /s, "Invalid value: {…}: ").replace(/\n@@.*$/s, ""),
});

interface Tried {
  readonly path: string;
  /** The spec of a valid object. */
  readonly spec: object;
  /** What new objects have instead. */
  readonly wished: readonly object[];
  /** What the valid object gets. */
  readonly changes: readonly object[];
  readonly statuses: readonly object[];
}

/** Tries values of new objects, and changes of an existing one. */
function tried(name: string, { path, spec, wished, changes, statuses }: Tried): Scenario {
  const change = (part: string, body: object): RequestStep => ({
    request: `PATCH ${path}/a${part}?dryRun=All`,
    headers: merge,
    body,
    pick: shown,
  });
  return {
    name: `values-${name}`,
    steps: [
      ...wished.map((fields) => ({
        request: `POST ${path}?dryRun=All`,
        body: { metadata: { name: "z" }, spec: { ...spec, ...fields } },
        pick: shown,
      })),
      { request: `POST ${path}`, body: { metadata: { name: "a" }, spec }, pick: shown },
      ...changes.map((fields) => change("", { spec: fields })),
      ...statuses.map((status) => change("/status", { status })),
    ],
  };
}

const container = { name: "c", image: "i:1" };
const template = (fields: object = {}): object => ({
  metadata: { labels: { a: "b" } },
  spec: { containers: [container], ...fields },
});
const selected = { selector: { matchLabels: { a: "b" } }, template: template() };
const strategies = (...list: object[]): object[] => list.map((updateStrategy) => ({ updateStrategy }));
const rolling = (rollingUpdate: object): object => ({ rollingUpdate });
const other = { selector: { matchLabels: { c: "d" } } };
const newImage = { template: { spec: { containers: [{ ...container, image: "i:2" }] } } };
const ofTemplates = [
  { selector: null },
  { selector: {} },
  { selector: { matchLabels: { x: "y" } } },
  { template: template({ restartPolicy: "Never" }) },
  { template: template({ activeDeadlineSeconds: 5 }) },
  { minReadySeconds: -1 },
  { revisionHistoryLimit: -1 },
];
const counts = (base: object, ...names: string[]): object[] => names.map((name) => ({ ...base, [name]: -1 }));

const claim = (metadata: object, storage = "1Gi"): object => ({
  metadata,
  spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage } } },
});
const claims = (...volumeClaimTemplates: object[]): object => ({ volumeClaimTemplates });
const neverAgain = { template: { spec: { restartPolicy: "Never", containers: [container] } } };
const jobs = (fields: object, metadata: object = {}): object => ({
  jobTemplate: { metadata, spec: { ...neverAgain, ...fields } },
});

const scaled = { apiVersion: "apps/v1", kind: "Deployment", name: "d" };
const metrics = (...list: object[]): object => ({ metrics: list });
const ofResource = (target: object, name: string | undefined = "cpu"): object =>
  metrics({ type: "Resource", resource: { name, target } });
const half = { type: "Utilization", averageUtilization: 50 };
const external = (target: object): object => metrics({ type: "External", external: { metric: { name: "x" }, target } });
const scaleUp = (rules: object): object => ({ behavior: { scaleUp: rules } });
const healthy = { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 };

/** Values of workloads, their autoscalers and budgets that a server refuses or completes. */
export const workloadValueScenarios: readonly Scenario[] = [
  tried("stateful-sets", {
    path: `${apps}/statefulsets`,
    spec: { ...selected, serviceName: "x", ...claims(claim({ name: "a" })) },
    wished: [
      ...ofTemplates,
      { podManagementPolicy: "x" },
      { podManagementPolicy: "" },
      ...strategies({ type: "x" }, { type: "OnDelete", ...rolling({ partition: 1 }) }),
      ...strategies({ type: "OnDelete" }, rolling({ partition: -1 }), rolling({ maxUnavailable: 2 })),
      { ordinals: { start: -1 } },
      { persistentVolumeClaimRetentionPolicy: { whenScaled: "x", whenDeleted: "" } },
      claims({}),
      claims(claim({})),
      claims(claim({ name: "a" }), claim({ name: "a" })),
      claims(claim({ name: "A b" })),
    ],
    changes: [
      { replicas: -1 },
      { serviceName: "y", podManagementPolicy: "Parallel" },
      { serviceName: null },
      other,
      claims(claim({ name: "a" }, "2Gi")),
      { volumeClaimTemplates: null },
      newImage,
      ...strategies({ type: "OnDelete", rollingUpdate: null }),
      { revisionHistoryLimit: 3, ordinals: { start: 2 }, minReadySeconds: 5 },
    ],
    statuses: [{ replicas: 1, currentReplicas: 2 }, { replicas: 1, readyReplicas: 2 }, { observedGeneration: -1 }],
  }),
  tried("daemon-sets", {
    path: `${apps}/daemonsets`,
    spec: selected,
    wished: [
      ...ofTemplates.slice(1),
      ...strategies({ type: "x" }, { type: "OnDelete", ...rolling({}) }, { type: "OnDelete" }),
      ...strategies(rolling({ maxUnavailable: 0 }), rolling({ maxSurge: 1 }), rolling({ maxUnavailable: "x" })),
      ...strategies(rolling({ maxSurge: "101%", maxUnavailable: 0 })),
    ],
    changes: [other, { selector: null }, newImage, ...strategies({ type: "OnDelete" }), { minReadySeconds: 5 }],
    statuses: counts({}, "numberReady", "numberMisscheduled", "collisionCount"),
  }),
  tried("deployments", {
    path: `${apps}/deployments`,
    spec: selected,
    wished: [
      ...ofTemplates,
      ...[{ type: "x" }, { type: "Recreate", ...rolling({}) }, rolling({ maxSurge: "x" })].map((strategy) => ({
        strategy,
      })),
      { progressDeadlineSeconds: 5, minReadySeconds: 5 },
    ],
    changes: [other, { selector: null }, newImage, { strategy: { type: "Recreate" } }, { strategy: null }],
    statuses: counts({}, "replicas", "unavailableReplicas"),
  }),
  tried("cron-jobs", {
    path: `${batch}/cronjobs`,
    spec: { schedule: "@daily", ...jobs({}) },
    wished: [
      ...["", "x", "TZ=UTC @daily"].map((schedule) => ({ schedule })),
      ...["x", "", "Local", "Etc/UTC"].map((timeZone) => ({ timeZone })),
      { concurrencyPolicy: "x" },
      { startingDeadlineSeconds: -1, successfulJobsHistoryLimit: -1, failedJobsHistoryLimit: -1 },
      { jobTemplate: null },
      jobs({ manualSelector: true }),
      jobs({ selector: { matchLabels: { a: "b" } } }),
      jobs({ completions: -1, parallelism: -1, backoffLimit: -1, activeDeadlineSeconds: -1 }),
      jobs({ maxFailedIndexes: 1, ttlSecondsAfterFinished: -1 }),
      jobs({ completionMode: "Indexed" }),
      jobs({ podFailurePolicy: { rules: [{ action: "FailIndex" }] }, managedBy: "x" }),
      jobs({}, { labels: { "a b": "c" } }),
    ],
    changes: [{ schedule: "x" }, { timeZone: "x" }, { jobTemplate: { spec: { completions: -1 } } }],
    statuses: [{ active: [{ kind: "Job", name: "x" }] }],
  }),
  tried("autoscalers", {
    path: "/apis/autoscaling/v2/namespaces/{ns}/horizontalpodautoscalers",
    spec: { scaleTargetRef: scaled, maxReplicas: 3 },
    wished: [
      ...[0, -1, 5].map((minReplicas) => ({ minReplicas })),
      { maxReplicas: 0 },
      { scaleTargetRef: {} },
      { scaleTargetRef: { ...scaled, kind: "x/y", apiVersion: "a/b/c" } },
      metrics({}),
      metrics({ type: "x" }),
      metrics({ type: "Resource" }),
      ofResource({}, ""),
      ...[
        { type: "Utilization" },
        { ...half, averageUtilization: 0 },
        { ...half, type: "x" },
        { ...half, averageValue: "1" },
        { type: "AverageValue", averageValue: "0" },
        { type: "Value", value: "1" },
      ].map((target) => ofResource(target)),
      metrics({ type: "Resource", pods: {}, resource: { name: "cpu", target: half } }),
      metrics({ type: "Pods", resource: { name: "cpu", target: half } }),
      metrics({ type: "Pods", pods: {} }),
      metrics({ type: "Pods", pods: { metric: { name: "x/" }, target: { type: "Value", value: "1" } } }),
      metrics({ type: "Object", object: { describedObject: scaled } }),
      external({}),
      external({ type: "Value", value: "-1", averageValue: "1" }),
      metrics({ type: "ContainerResource", containerResource: {} }),
      metrics({ type: "ContainerResource", containerResource: { container: "A b", name: "cpu", target: half } }),
      scaleUp({}),
      scaleUp({ policies: [{}], selectPolicy: "x", stabilizationWindowSeconds: -1, tolerance: "-1" }),
      scaleUp({ policies: [{ type: "x", value: 1, periodSeconds: 1801 }], stabilizationWindowSeconds: 3601 }),
    ],
    changes: [{ minReplicas: 0 }, { scaleTargetRef: { name: "e" } }, { metrics: null }],
    statuses: counts({ currentReplicas: 0, desiredReplicas: 0 }, "currentReplicas", "desiredReplicas"),
  }),
  tried("budgets", {
    path: "/apis/policy/v1/namespaces/{ns}/poddisruptionbudgets",
    spec: { selector: { matchLabels: { a: "b" } } },
    wished: [
      ...[1, -1, "x", "101%", "100%"].map((minAvailable) => ({ minAvailable })),
      { selector: { matchLabels: { "a b": "c" } } },
      ...["x", "", "AlwaysAllow"].map((unhealthyPodEvictionPolicy) => ({ unhealthyPodEvictionPolicy })),
    ],
    changes: [{ minAvailable: 2 }, { maxUnavailable: -1 }, { selector: null }, { unhealthyPodEvictionPolicy: "x" }],
    statuses: counts(healthy, "disruptionsAllowed", "currentHealthy", "desiredHealthy", "expectedPods"),
  }),
  tried("replication-controllers", {
    path: "/api/v1/namespaces/{ns}/replicationcontrollers",
    spec: { selector: { a: "b" }, template: template() },
    wished: [
      { replicas: -1, minReadySeconds: -1 },
      { template: null },
      { selector: { a: "c" } },
      { template: template({ restartPolicy: "Never", activeDeadlineSeconds: 1 }) },
      { template: template({ containers: [] }) },
    ],
    changes: [{ selector: { a: "c" } }, { template: { spec: { restartPolicy: "OnFailure" } } }, { replicas: -2 }],
    statuses: [
      { replicas: -1 },
      { replicas: 1, fullyLabeledReplicas: 2 },
      { replicas: 1, readyReplicas: 2, availableReplicas: 3 },
      { observedGeneration: -1 },
    ],
  }),
];
