import type { Scenario } from "../../scenario.ts";
import {
  batch,
  change,
  condition,
  core,
  create,
  events,
  failing,
  gone,
  held,
  identity,
  settle,
  settles,
  templateOf,
} from "./watching.ts";

const job = `${batch}/jobs/a`;
const pods = `${core}/pods`;
const jobOf = (spec: object, pod: object = {}) => ({
  metadata: { name: "a", labels: { mine: "yes" } },
  spec: { template: templateOf("a", { restartPolicy: "Never", ...pod }), ...spec },
});
const ended = (object: any): boolean =>
  ["Complete", "Failed"].some((type) => condition(object, type)?.status === "True");
const ofPod = (object: any): object => {
  const [{ env }] = object.spec.containers;
  return { ...identity(object), env, hostname: object.spec.hostname, phase: object.status.phase };
};

const onExitCode = (action: string, values: number[]) => ({
  rules: [{ action, onExitCodes: { containerName: "c", operator: "In", values } }],
});
const hasFailed = ({ status }: any): boolean => status.phase === "Failed";

export const jobScenarios: readonly Scenario[] = [
  {
    name: "controllers-job",
    controllers: true,
    steps: [
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
  },
  {
    name: "controllers-job-parallel",
    controllers: true,
    steps: [
      create(`${batch}/jobs`, jobOf({ completions: 3, parallelism: 1 })),
      settles(job, ended),
      settle(pods, (items) => items.every(({ metadata }) => !metadata.finalizers), { of: ofPod }),
      events({ SuccessfulCreate: 3, Completed: 1 }),
    ],
  },
  {
    name: "controllers-job-failed",
    controllers: true,
    steps: [
      create(`${batch}/jobs`, jobOf({ backoffLimit: 1 }, { annotations: failing })),
      { request: `GET ${pods}`, until: ({ items }) => items.some(hasFailed), unrecorded: true },
      // Ten seconds pass before the next try.
      { advance: 10 },
      settles(job, ended),
      settle(pods, (items) => items.every(({ metadata }) => !metadata.finalizers), { of: ofPod }),
      events({ SuccessfulCreate: 2, BackoffLimitExceeded: 1 }),
    ],
  },
  {
    name: "controllers-job-fail-policy",
    controllers: true,
    steps: [
      create(`${batch}/jobs`, jobOf({ podFailurePolicy: onExitCode("FailJob", [1, 3]) }, { annotations: failing })),
      settles(job, ended),
      settle(pods, (items) => items.every(({ metadata }) => !metadata.finalizers), { of: ofPod }),
      events({ SuccessfulCreate: 1, PodFailurePolicy: 1 }),
    ],
  },
  {
    name: "controllers-job-ignore-policy",
    controllers: true,
    steps: [
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
  },
  {
    name: "controllers-job-success-policy",
    controllers: true,
    steps: [
      create(
        `${batch}/jobs`,
        jobOf({
          completions: 4,
          parallelism: 1,
          completionMode: "Indexed",
          successPolicy: { rules: [{ succeededIndexes: "0,3" }, { succeededIndexes: "1-3", succeededCount: 1 }] },
        }),
      ),
      settles(job, ended),
      settle(pods, (items) => items.every(({ metadata }) => !metadata.finalizers), { of: ofPod }),
      events({ SuccessfulCreate: 2, Completed: 1 }),
    ],
  },
  {
    name: "controllers-job-indexed",
    controllers: true,
    steps: [
      create(`${batch}/jobs`, jobOf({ completions: 3, parallelism: 3, completionMode: "Indexed" })),
      settles(job, ended),
      settle(pods, (items) => items.every(({ metadata }) => !metadata.finalizers), { of: ofPod }),
      events({ SuccessfulCreate: 3, Completed: 1 }),
    ],
  },
  {
    name: "controllers-job-suspend",
    controllers: true,
    steps: [
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
  },
  {
    name: "controllers-job-deadline",
    controllers: true,
    steps: [
      create(`${batch}/jobs`, jobOf({ activeDeadlineSeconds: 20 }, { annotations: held })),
      settles(job, ({ status }) => status.active === 1),
      { advance: 21 },
      settles(job, ended),
      settle(pods, (items) => items.length === 0),
      events({ SuccessfulCreate: 1, DeadlineExceeded: 1 }),
    ],
  },
  {
    name: "controllers-job-ttl",
    controllers: true,
    steps: [
      create(`${batch}/jobs`, jobOf({ ttlSecondsAfterFinished: 15 })),
      settles(job, ended),
      { advance: 16 },
      gone(job),
      settle(pods, (items) => items.length === 0),
    ],
  },
];
