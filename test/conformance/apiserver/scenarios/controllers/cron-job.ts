import { brief, change, create, events, held, identity, settle, settles, templateOf } from "../../controller-steps.ts";
import type { Scenarios } from "../../scenario.ts";
import { batch, core, jobs } from "../../steps.ts";
import { GET } from "../../requests.ts";

const cron = `${batch}/cronjobs/a`;
const cronJob = (spec: object, pod: object = {}) => ({
  metadata: { name: "a" },
  spec: {
    schedule: "* * * * *",
    jobTemplate: {
      metadata: { labels: { from: "template" }, annotations: { noted: "yes" } },
      spec: { template: templateOf("a", { restartPolicy: "Never", ...pod }) },
    },
    ...spec,
  },
});

/** The scheduled minute is a part of the job's name. */
const isOver = ({ status }: any): boolean => Boolean(status.completionTime);

const isUnexpected = ({ reason }: any): boolean => reason === "UnexpectedJob";

/** A job that a user has made from a CronJob, as `kubectl create job --from=cronjob/a` does. */
const byHand = {
  metadata: {
    name: "by-hand",
    ownerReferences: [{ apiVersion: "batch/v1", kind: "CronJob", name: "a", uid: "{cron}", controller: true }],
  },
  spec: { template: templateOf("a", { restartPolicy: "Never", annotations: held }) },
};

const running = create(`${batch}/cronjobs`, cronJob({}, { annotations: held }));
const policy = (concurrencyPolicy: string) => cronJob({ concurrencyPolicy }, { annotations: held });

export const scenarios: Scenarios = {
  "controllers-cronjob": [
    running,
    { advance: 60 },
    settle(jobs, (items) => items.length === 1 && items[0].status.active === 1, {
      of: identity,
      save: { job: "items.0.metadata.name" },
    }),
    settles(cron, ({ status }) => status.active?.length === 1),
    change(cron, { spec: { suspend: true } }),
    settle("/api/v1/namespaces/{ns}/pods", (items) => items.length === 1, {
      of: identity,
      save: { pod: "items.0.metadata.name" },
    }),
    change("/api/v1/namespaces/{ns}/pods/{pod}", { metadata: { annotations: { "tsop.dev/keep-pending": null } } }),
    settle(jobs, (items) => items.every(isOver), { of: brief }),
    settles(cron, ({ status }) => status.lastSuccessfulTime && !status.active),
    events({ SuccessfulCreate: 2, SawCompletedJob: 1, Completed: 1 }),
  ],
  "controllers-cronjob-by-hand": [
    { ...create(`${batch}/cronjobs`, cronJob({ schedule: "0 0 1 1 *" })), save: { cron: "metadata.uid" } },
    create(jobs, byHand),
    // Each look at the CronJob tells it again.
    GET(`${core}/events`, {
      until: ({ items }) => items.some(isUnexpected),
      pick: ({ items }) =>
        items
          .filter(isUnexpected)
          .slice(0, 1)
          .map(({ type, message }: any) => ({ type, message })),
    }),
    settles(cron, () => true),
    settle("/api/v1/namespaces/{ns}/pods", (items) => items.length === 1, {
      of: identity,
      save: { pod: "items.0.metadata.name" },
    }),
    change("/api/v1/namespaces/{ns}/pods/{pod}", { metadata: { annotations: { "tsop.dev/keep-pending": null } } }),
    settle(jobs, (items) => items.every(isOver), { of: brief }),
    settles(cron, ({ status }) => status.lastSuccessfulTime),
  ],
  "controllers-cronjob-forbid": [
    create(`${batch}/cronjobs`, policy("Forbid")),
    { advance: 60 },
    settle(jobs, (items) => items.length === 1 && items[0].status.active === 1, { of: identity }),
    { advance: 60 },
    events({ JobAlreadyActive: 1 }),
    settles(cron, ({ status }) => status.active?.length === 1),
  ],
  "controllers-cronjob-replace": [
    create(`${batch}/cronjobs`, policy("Replace")),
    { advance: 60 },
    settle(jobs, (items) => items.length === 1 && items[0].status.active === 1, {
      of: identity,
      save: { first: "items.0.metadata.name" },
    }),
    { advance: 60 },
    GET(`${jobs}/{first}`, { until: (_, status) => status === 404, unrecorded: true }),
    settle(jobs, (items) => items.length === 1 && items[0].status.active === 1, { of: identity }),
    settles(cron, ({ status }) => status.active?.length === 1),
  ],
};
