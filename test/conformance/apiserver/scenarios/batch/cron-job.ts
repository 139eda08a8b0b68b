import type { Scenarios } from "../../scenario.ts";
import { batch } from "../../steps.ts";
import { container, tried } from "../../tried-values.ts";
import { POST } from "../../requests.ts";

const neverAgain = { template: { spec: { restartPolicy: "Never", containers: [container] } } };
const jobs = (fields: object, metadata: object = {}): object => ({
  jobTemplate: { metadata, spec: { ...neverAgain, ...fields } },
});
const cronJob = (spec: object) =>
  POST(
    `${batch}/cronjobs?dryRun=All`,
    { metadata: { name: "c" }, spec: { schedule: "* * * * *", jobTemplate: { spec: jobSpec }, ...spec } },
    { pick: ({ code, message, details, spec }: any) => (code ? { message, causes: details.causes } : spec.schedule) },
  );
const jobSpec = {
  template: { spec: { restartPolicy: "Never", containers: [{ name: "c", image: "busybox" }] } },
};

/** Separated by bars. */
const schedules = [
  "|bad|* * * *|* * * * * *|60 * * * *|a * * * *|5-1 * * * *|*/0 * * * *|1/2/3 * * * *|1-2-3 * * * *|-1 * * * *",
  "1, * * * *|* * 0 * *|* * * 13 *|* * * * 7|1-x * * * *|*/x * * * *|*/100 * * * *|* 24 * * *|* * * foo *",
  "* * * * mon-fri|? ? ? ? ?|@nope|@every x|@every 5m|@every 1d|@hourly|@Hourly| @daily|  1 2 3 4 5  ",
  "TZ=UTC * * * * *|CRON_TZ=UTC 1 1 1 1 1|0 0 31 2 *|1-5/2,7 0 1-10/3 jan-mar 0-6",
].flatMap((line) => line.split("|"));

const otherwiseWrong = [
  { timeZone: "Europe/Berlin" },
  { timeZone: "" },
  { timeZone: "Nowhere/City" },
  { timeZone: "Local" },
  { timeZone: " UTC" },
  { concurrencyPolicy: "Nope" },
  { startingDeadlineSeconds: -1 },
  { successfulJobsHistoryLimit: -1, failedJobsHistoryLimit: -1 },
];

export const scenarios: Scenarios = {
  "values-cron-jobs": tried({
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
      jobs({ completionMode: "Indexed" }),
      jobs({}, { labels: { "a b": "c" } }),
    ],
    changes: [{ schedule: "x" }, { timeZone: "x" }, { jobTemplate: { spec: { completions: -1 } } }],
  }),
  "cron-schedules": [...schedules.map((schedule) => ({ schedule })), ...otherwiseWrong].map(cronJob),
};
