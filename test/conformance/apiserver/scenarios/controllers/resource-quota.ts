import { change, condition, create, remove, settle, settles, templateOf } from "../../controller-steps.ts";
import { customKind } from "../../custom-kind.ts";
import type { RequestStep, Scenarios } from "../../scenario.ts";
import { apps, batch, core, pods, quotas, services } from "../../steps.ts";
import { GET, PATCH, POST } from "../../requests.ts";

const things = customKind("counted");
const quota = (name: string, hard: object, spec: object = {}): RequestStep =>
  create(quotas, { metadata: { name }, spec: { hard, ...spec } });
const small = { resources: { requests: { cpu: "100m" }, limits: { cpu: "200m", memory: "1Mi" } } };
const container = { name: "c", image: "image:1", ...small };
const pod = (name: string, spec: object = {}): object => ({
  metadata: { name },
  spec: { containers: [container], ...spec },
});

/** Waits until a quota tells that so much is used. */
const used = (name: string, wanted: Readonly<Record<string, string>>): RequestStep =>
  settles(
    `${quotas}/${name}`,
    ({ status }) => Object.entries(wanted).every(([resource, amount]) => status.used?.[resource] === amount),
    { pick: ({ status }) => status },
  );

const refused = (path: string, body: object): RequestStep =>
  POST(path, body, { pick: ({ code, message }) => ({ code, message }) });
const unnamed = (text: string): string => text.replaceAll(/"([a-z]-)(?!0")[a-z0-9-]+"/g, '"$1<name>"');

function refusalsIn(items: any[]): any[] {
  return items.filter(({ reason }) => reason === "FailedCreate" || reason === "ReplicaSetCreateError");
}

function claimOf(name: string): object {
  return { metadata: { name }, spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1" } } } };
}

/** What was told of refused pods, once for each object. */
function told(items: any[]): object[] {
  const texts = refusalsIn(items).map(({ involvedObject, type, reason, message, source }) =>
    JSON.stringify({ kind: involvedObject.kind, type, reason, message: unnamed(message), source }),
  );
  return [...new Set(texts)].toSorted().map((text) => JSON.parse(text) as object);
}

function statusOf({ status }: any): object {
  const conditions = status.conditions?.map(({ type, status, reason, message }: any) => ({
    type,
    status,
    reason,
    message: unnamed(message),
  }));
  // A hash of the template's bytes in Go, which no label of a pod tells here.
  const { currentRevision: _current, updateRevision: _update, ...rest } = status;
  return { ...rest, conditions };
}

/** What is used of quotas, and what becomes of workloads whose pods are refused. */
export const scenarios: Scenarios = {
  "controllers-quota": {
    managedFields: true,
    steps: [
      create(pods, pod("old")),
      settles(`${core}/configmaps/kube-root-ca.crt`, () => true, { unrecorded: true }),
      quota("a", {
        pods: "2",
        cpu: "1",
        "limits.memory": "10Mi",
        "count/pods": "9",
        "count/configmaps": "9",
        secrets: "0",
      }),
      used("a", { pods: "1" }),
      create(pods, pod("new")),
      // The server itself counts what is new.
      GET(`${quotas}/a`),
      refused(pods, pod("more")),
      refused(pods, { ...pod("more"), spec: { containers: [{ name: "c", image: "image:1" }] } }),
      refused(`${core}/secrets`, { metadata: { name: "a" } }),
      // A real controller that does not know yet what the server has counted does not see that less is used.
      settle(pods, (items) => items.every(({ status }) => status.phase === "Running"), { unrecorded: true }),
      remove(`${pods}/old?gracePeriodSeconds=0`),
      used("a", { pods: "1", "count/pods": "1" }),
      create(pods, pod("more")),
      change(`${quotas}/a`, { spec: { hard: { pods: "3", services: "5", cpu: null } } }),
      used("a", { pods: "2", services: "0" }),
      // A pod that has ended is counted as an object only.
      create(pods, pod("done", { restartPolicy: "Never", containers: [{ ...container, command: ["true"] }] })),
      PATCH(
        `${pods}/done/status`,
        { "content-type": "application/merge-patch+json" },
        { status: { phase: "Succeeded" } },
        { unrecorded: true },
      ),
      used("a", { pods: "2", "count/pods": "3" }),
      GET(`${quotas}/a`),
    ],
  },
  "controllers-quota-kinds": [
    quota("a", {
      services: "9",
      persistentvolumeclaims: "9",
      "requests.storage": "9Gi",
    }),
    used("a", { services: "0" }),
    create(services, {
      metadata: { name: "s" },
      spec: { ports: [{ port: 80 }] },
    }),
    used("a", { services: "1" }),
    create(`${core}/persistentvolumeclaims`, {
      metadata: { name: "c" },
      spec: { accessModes: ["ReadWriteOnce"], storageClassName: "none", resources: { requests: { storage: "1Gi" } } },
    }),
    used("a", { "requests.storage": "1Gi" }),
    remove(`${core}/persistentvolumeclaims/c`),
    remove(`${services}/s`),
    used("a", { "requests.storage": "0", services: "0" }),
  ],
  "controllers-quota-custom": {
    byChance: true,
    steps: [
      ...things.install,
      POST(things.path, things.object("a"), { unrecorded: true }),
      // A real controller looks for new kinds twice a minute, and a quota is counted when its limits change.
      quota("a", { pods: "9" }),
      used("a", { pods: "0" }),
      {
        ...change(`${quotas}/a`, { spec: { hard: { "count/things.counted.example.com": "2", pods: "9" } } }),
      },
      used("a", { "count/things.counted.example.com": "1" }),
      POST(things.path, things.object("b"), { unrecorded: true }),
      refused(things.path, things.object("c") as object),
      remove(`${things.path}/a`),
      used("a", { "count/things.counted.example.com": "1" }),
    ],
  },
  "controllers-quota-workloads": [
    quota("a", { pods: "2", "count/jobs.batch": "0" }),
    used("a", { pods: "0" }),
    create(`${apps}/deployments`, {
      metadata: { name: "a" },
      spec: { replicas: 3, selector: { matchLabels: { app: "a" } }, template: templateOf("a") },
    }),
    settles(
      `${apps}/deployments/a`,
      (deployment) => condition(deployment, "ReplicaFailure") && deployment.status.availableReplicas === 2,
      {
        pick: ({ status: { conditions, ...status } }) => ({
          ...status,
          observedGeneration: undefined,
          conditions: conditions
            .map(({ type, status, reason, message }: any) => ({ type, status, reason, message: unnamed(message) }))
            .filter(({ type }: any) => type !== "Progressing"),
        }),
      },
    ),
    GET(`${core}/events`, {
      until: ({ items }) => items.some(({ reason }: any) => reason === "FailedCreate"),
      pick: ({ items }) => {
        const { type, reason, message, source } = items.find(({ reason }: any) => reason === "FailedCreate");
        return { type, reason, message: unnamed(message), source };
      },
    }),
    refused(`${batch}/jobs`, {
      metadata: { name: "a" },
      spec: { template: { spec: { restartPolicy: "Never", containers: [container] } } },
    }),
    change(`${quotas}/a`, { spec: { hard: { pods: "5" } } }),
    // A ReplicaSet without a change waits twice as long after each refusal.
    change(`${apps}/deployments/a`, { metadata: { annotations: { changed: "yes" } } }),
    settles(`${apps}/deployments/a`, ({ status }) => status.availableReplicas === 3, {
      pick: ({ status }) => status.conditions.map(({ type, status, reason }: any) => ({ type, status, reason })),
    }),
    change(`${apps}/deployments/a`, { spec: { replicas: 1 } }),
    used("a", { pods: "1" }),
    settle(pods, (items) => items.length === 1, { of: ({ metadata: { labels } }) => labels.app }),
  ],
  "controllers-quota-refused": [
    quota("a", {
      pods: "0",
      "count/jobs.batch": "1",
      "count/replicasets.apps": "0",
      persistentvolumeclaims: "0",
    }),
    used("a", { pods: "0", "count/replicasets.apps": "0" }),
    create(`${batch}/jobs`, {
      metadata: { name: "j" },
      spec: { template: { spec: { restartPolicy: "Never", containers: [container] } } },
    }),
    create(`${apps}/statefulsets`, {
      metadata: { name: "s" },
      spec: { serviceName: "s", selector: { matchLabels: { app: "s" } }, template: templateOf("s") },
    }),
    create(`${apps}/statefulsets`, {
      metadata: { name: "v" },
      spec: {
        serviceName: "v",
        selector: { matchLabels: { app: "v" } },
        template: templateOf("v"),
        volumeClaimTemplates: [claimOf("m")],
      },
    }),
    create(`${apps}/daemonsets`, {
      metadata: { name: "d" },
      spec: { selector: { matchLabels: { app: "d" } }, template: templateOf("d") },
    }),
    create(`${apps}/deployments`, {
      metadata: { name: "r" },
      spec: { selector: { matchLabels: { app: "r" } }, template: templateOf("r") },
    }),
    GET(`${core}/events`, { until: ({ items }) => told(items).length === 6, pick: ({ items }) => told(items) }),
    settles(`${batch}/jobs/j`, ({ status }) => status.startTime, { pick: statusOf }),
    settles(`${apps}/statefulsets/s`, ({ status }) => status.observedGeneration === 1, { pick: statusOf }),
    settles(`${apps}/daemonsets/d`, ({ status }) => status.desiredNumberScheduled === 1, { pick: statusOf }),
    settles(`${apps}/deployments/r`, ({ status }) => status.conditions?.length > 0, { pick: statusOf }),
    change(`${quotas}/a`, { spec: { hard: { pods: "9" } } }),
    settles(`${batch}/jobs/j`, ({ status }) => status.active === 1, { unrecorded: true }),
    settles(`${apps}/statefulsets/s`, ({ status }) => status.availableReplicas === 1, { unrecorded: true }),
    settles(`${apps}/daemonsets/d`, ({ status }) => status.numberAvailable === 1, { unrecorded: true }),
  ],
};
