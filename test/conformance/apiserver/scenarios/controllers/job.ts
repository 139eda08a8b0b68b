import {
  change,
  condition,
  create,
  events,
  failing,
  gone,
  held,
  identity,
  remove,
  settle,
  settles,
  templateOf,
} from "../../controller-steps.ts";
import type { Scenarios } from "../../scenario.ts";
import { batch, pods } from "../../steps.ts";
import { GET } from "../../requests.ts";

const job = `${batch}/jobs/a`;
const jobOf = (spec: object, pod: object = {}) => ({
  metadata: { name: "a", labels: { mine: "yes" } },
  spec: { template: templateOf("a", { restartPolicy: "Never", ...pod }), ...spec },
});
const ended = (object: any): boolean =>
  ["Complete", "Failed"].some((type) => condition(object, type)?.status === "True");
const ofPod = (object: any): object => {
  const [{ env }] = object.spec.containers;
  const initEnv = object.spec.initContainers?.[0].env;
  return { ...identity(object), env, initEnv, hostname: object.spec.hostname, phase: object.status.phase };
};
const onExitCode = (action: string, values: number[]) => ({
  rules: [{ action, onExitCodes: { containerName: "c", operator: "In", values } }],
});

/** Lets a held pod run, and end with an exit code. */
const end = (pod: string, exitCode = "0") =>
  change(`${pods}/${pod}`, {
    metadata: { annotations: { "tsop.dev/keep-pending": null, "tsop.dev/exit-code": exitCode } },
  });

const isFree = ({ metadata }: any): boolean => !metadata.finalizers;
const hasFailed = ({ status }: any): boolean => status.phase === "Failed";

export const scenarios: Scenarios = {
  "controllers-job": [
    create(`${batch}/jobs`, jobOf({ completions: 2, parallelism: 2 }, { annotations: held })),
    settle(pods, (items) => items.length === 2, {
      of: ofPod,
      save: { first: "items.0.metadata.name", second: "items.1.metadata.name" },
    }),
    settles(job, ({ status }) => status.active === 2),
    change(`${pods}/{first}`, { metadata: { annotations: { "tsop.dev/keep-pending": null } } }),
    settles(
      job,
      ({ status }) => status.succeeded === 1 && status.active === 1 && !status.uncountedTerminatedPods?.succeeded,
    ),
    change(`${pods}/{second}`, { metadata: { annotations: { "tsop.dev/keep-pending": null } } }),
    settles(job, ended),
    settle(pods, (items) => items.every(({ metadata }) => !metadata.finalizers), { of: ofPod }),
    events({ SuccessfulCreate: 2, Completed: 1 }),
  ],
  "controllers-job-parallel": [
    create(`${batch}/jobs`, jobOf({ completions: 3, parallelism: 1 })),
    settles(job, ended),
    settle(pods, (items) => items.every(({ metadata }) => !metadata.finalizers), { of: ofPod }),
    events({ SuccessfulCreate: 3, Completed: 1 }),
  ],
  "controllers-job-failed": [
    create(`${batch}/jobs`, jobOf({ backoffLimit: 1 }, { annotations: failing })),
    GET(pods, { until: ({ items }) => items.some(hasFailed), unrecorded: true }),
    // Ten seconds pass before the next try.
    { advance: 10 },
    settles(job, ended),
    settle(pods, (items) => items.every(({ metadata }) => !metadata.finalizers), { of: ofPod }),
    events({ SuccessfulCreate: 2, BackoffLimitExceeded: 1 }),
  ],
  "controllers-job-fail-policy": [
    create(`${batch}/jobs`, jobOf({ podFailurePolicy: onExitCode("FailJob", [1, 3]) }, { annotations: failing })),
    settles(job, ended),
    settle(pods, (items) => items.every(({ metadata }) => !metadata.finalizers), { of: ofPod }),
    events({ SuccessfulCreate: 1, PodFailurePolicy: 1 }),
  ],
  "controllers-job-ignore-policy": [
    create(
      `${batch}/jobs`,
      jobOf({ backoffLimit: 0, podFailurePolicy: onExitCode("Ignore", [1]) }, { annotations: failing }),
    ),
    settle(pods, (items) => items.some((pod) => hasFailed(pod) && !pod.metadata.finalizers), { of: ofPod }),
    settles(job, ({ status }) => !status.active && !status.terminating && status.startTime),
    { advance: 10 },
    settle(pods, (items) => items.filter((pod) => hasFailed(pod) && !pod.metadata.finalizers).length === 2, {
      of: ofPod,
    }),
    settles(job, ({ status }) => !status.active),
  ],
  "controllers-job-indexed": [
    create(`${batch}/jobs`, jobOf({ completions: 3, parallelism: 3, completionMode: "Indexed" })),
    settles(job, ended),
    settle(pods, (items) => items.every(({ metadata }) => !metadata.finalizers), { of: ofPod }),
    events({ SuccessfulCreate: 3, Completed: 1 }),
  ],
  "controllers-job-suspend": [
    create(`${batch}/jobs`, jobOf({ suspend: true }, { annotations: held })),
    settles(job, (object) => condition(object, "Suspended")?.status === "True"),
    change(job, { spec: { suspend: false } }),
    settles(job, (object) => condition(object, "Suspended")?.status === "False" && object.status.active === 1),
    change(job, { spec: { suspend: true } }),
    settles(
      job,
      (object) =>
        condition(object, "Suspended")?.status === "True" && !object.status.active && !object.status.terminating,
    ),
    settle(pods, (items) => items.length === 0),
    events({ SuccessfulCreate: 1, SuccessfulDelete: 1, Suspended: 2, Resumed: 1 }),
  ],
  "controllers-job-deadline": [
    create(`${batch}/jobs`, jobOf({ activeDeadlineSeconds: 20 }, { annotations: held })),
    settles(job, ({ status }) => status.active === 1),
    { advance: 21 },
    settles(job, ended),
    settle(pods, (items) => items.length === 0),
    events({ SuccessfulCreate: 1, DeadlineExceeded: 1 }),
  ],
  "controllers-job-ttl": [
    create(`${batch}/jobs`, jobOf({ ttlSecondsAfterFinished: 15 })),
    settles(job, ended),
    { advance: 16 },
    gone(job),
    settle(pods, (items) => items.length === 0),
  ],
  "controllers-job-work-queue": [
    create(`${batch}/jobs`, jobOf({ parallelism: 3 }, { annotations: held })),
    settles(job, ({ status }) => status.active === 3),
    // Pods that are too many do not count as failed.
    change(job, { spec: { parallelism: 2 } }),
    settles(job, ({ status }) => status.active === 2 && !status.terminating),
    settle(pods, (items) => items.length === 2, {
      of: ofPod,
      save: { first: "items.0.metadata.name", second: "items.1.metadata.name" },
    }),
    end("{first}"),
    settles(job, ({ status }) => status.succeeded === 1 && status.active === 1),
    end("{second}"),
    settles(job, ended),
    events({ SuccessfulCreate: 3, SuccessfulDelete: 1, Completed: 1 }),
  ],
  "controllers-job-replacement": [
    create(`${batch}/jobs`, jobOf({ podReplacementPolicy: "Failed" }, { annotations: held })),
    settle(pods, (items) => items.length === 1, { of: ofPod, save: { first: "items.0.metadata.name" } }),
    remove(`${pods}/{first}`),
    settles(job, ({ status }) => status.failed === 1 && !status.active && !status.terminating),
    { advance: 10 },
    settle(pods, ([pod]) => pod, { of: ofPod }),
    settles(job, ({ status }) => status.active === 1),
  ],
  "controllers-job-adoption": [
    create(pods, {
      metadata: { name: "b", labels: { app: "a" }, annotations: held },
      spec: { restartPolicy: "Never", containers: [{ name: "c", image: "image:1" }] },
    }),
    create(
      `${batch}/jobs`,
      jobOf({ manualSelector: true, selector: { matchLabels: { app: "a" } } }, { annotations: held }),
    ),
    settle(pods, ([pod]) => pod.metadata.finalizers, { of: ofPod }),
    settles(job, ({ status }) => status.active === 1),
    change(`${pods}/b`, { metadata: { labels: { app: null } } }),
    settle(pods, (items) => items.length === 2 && items.some(isFree), { of: ofPod }),
    settles(job, ({ status }) => status.active === 1),
  ],
  "controllers-job-managed-elsewhere": [
    create(`${batch}/jobs`, jobOf({ managedBy: "example.com/queue" })),
    create(`${batch}/jobs`, { ...jobOf({}), metadata: { name: "b" } }),
    settles(`${batch}/jobs/b`, ended),
    settles(job, () => true),
    settle(pods, (items) => items.length === 1, { of: ofPod }),
  ],
};
