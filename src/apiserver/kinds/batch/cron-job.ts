import { negativeErrors } from "../rules/value-errors.ts";
import { CronError, parseCron } from "../../../apimachinery/cron-schedule.ts";
import { type Fields, child, childIf, fill } from "../../../apimachinery/fields.ts";
import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import { type FieldError, invalid, notSupported } from "../../../apimachinery/field-error.ts";
import type { BuiltinKind } from "../builtin-kind.ts";
import { containerCells } from "../printing/workload-cells.ts";
import { listAt, textAt, valueAt } from "../printing/field-access.ts";
import { ageOf, creationAge } from "../printing/human-duration.ts";
import { labelSelectorText } from "../printing/label-text.ts";
import { printer } from "../printing/printer.ts";
import { desiredSpec } from "../rules/immutable.ts";
import { defaultTemplate } from "../rules/pod-defaults.ts";
import { namedTemplateWarnings } from "../rules/pod-warnings.ts";
import { indexWarnings } from "./job-indexes.ts";
import { jobSpecErrors } from "./job.ts";

/** CronJob. */
export const cronJob: BuiltinKind = {
  unconditionalUpdate: true,
  generationOf: desiredSpec,
  applyDefaults: defaultCronJob,
  prepareCreate: (job) => void (job["status"] = {}),
  validate: (job, old) => [...(old ? [] : nameErrors(job)), ...cronJobErrors(job, old)],
  warn: (job, old) => [
    ...indexWarnings(valueAt(job, "spec", "jobTemplate", "spec") as Fields | undefined, "spec.jobTemplate.spec"),
    ...namedTemplateWarnings(job, old, "spec.jobTemplate.spec.template"),
  ],
  printer: printer(
    "Schedule|Timezone|Suspend:boolean|Active:integer|Last Schedule|Age|Containers*|Images*|Selector*",
    (object, now) => {
      const last = textAt(object, "status", "lastScheduleTime");
      return [
        textAt(object, "spec", "schedule"),
        textAt(object, "spec", "timeZone") || "<none>",
        suspendText(valueAt(object, "spec", "suspend")),
        listAt(object, "status", "active").length,
        last === "" ? "<none>" : ageOf(last, now),
        creationAge(object, now),
        ...containerCells(valueAt(object, "spec", "jobTemplate", "spec", "template")),
        labelSelectorText(valueAt(object, "spec", "jobTemplate", "spec", "selector")),
      ];
    },
  ),
};

function defaultCronJob(cronJob: Fields): void {
  const spec = child(cronJob, "spec");
  fill(spec, {
    concurrencyPolicy: "Allow",
    suspend: false,
    successfulJobsHistoryLimit: 3,
    failedJobsHistoryLimit: 1,
  });
  // The job template gets the defaults of its pods, but not those of a job.
  const template = childIf(spec, "jobTemplate");
  if (template) child(template, "metadata");
  const jobSpec = childIf(template, "spec");
  if (jobSpec) defaultTemplate(jobSpec);
}

/** Checks the length of the name: the names of jobs are eleven characters longer and become labels of their pods. */
function nameErrors({ metadata: { name = "" } }: UnstructuredObject): FieldError[] {
  return name.length > 52 ? [invalid("metadata.name", name, "must be no more than 52 characters")] : [];
}

function cronJobErrors(cronJob: UnstructuredObject, old: UnstructuredObject | undefined): FieldError[] {
  const spec = childIf(cronJob, "spec") ?? {};
  const { schedule = "", timeZone } = spec as { schedule?: string; timeZone?: string };
  const oldZone = childIf(old, "spec")?.["timeZone"];
  return [
    ...(schedule === "" ? [] : scheduleErrors(schedule)),
    ...negativeErrors(spec, "spec", [
      "startingDeadlineSeconds",
      "successfulJobsHistoryLimit",
      "failedJobsHistoryLimit",
    ]),
    ...(timeZone === undefined || timeZone === oldZone ? [] : zoneErrors(timeZone)),
    ...templateErrors(childIf(childIf(spec, "jobTemplate"), "spec") ?? {}, "spec.jobTemplate.spec"),
  ];
}

function scheduleErrors(schedule: string): FieldError[] {
  const refuse = (why: string) => [invalid("spec.schedule", schedule, why)];
  if (schedule.includes("TZ")) return refuse("cannot use TZ or CRON_TZ in schedule, use timeZone field instead");
  try {
    parseCron(schedule);
    return [];
  } catch (error) {
    if (error instanceof CronError) return refuse(error.message);
    throw error;
  }
}

function zoneErrors(zone: string): FieldError[] {
  const refuse = (why: string): FieldError => invalid("spec.timeZone", zone, why);
  if (zone === "") return [refuse("timeZone must be nil or non-empty string")];
  const isLocal = zone.toLowerCase() === "local";
  return [
    ...(isLocal
      ? [refuse("timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones")]
      : []),
    ...(zone === "Local" || isTimeZone(zone) ? [] : [refuse(`unknown time zone ${zone}`)]),
  ];
}

function templateErrors(spec: Fields, at: string): FieldError[] {
  const { selector, manualSelector } = spec;
  return [
    ...(selector === undefined ? [] : [invalid(`${at}.selector`, selector, "`selector` will be auto-generated")]),
    ...(manualSelector === true ? [notSupported(`${at}.manualSelector`, true, ["nil", "false"])] : []),
    ...jobSpecErrors(spec, at),
  ];
}

/** Reports whether a text is the name of a time zone in its exact spelling. */
function isTimeZone(zone: string): boolean {
  // JavaScript accepts offsets, IANA does not.
  if (/^[+-]|^(UTC|GMT)[+-]/.test(zone)) return false;
  try {
    new Date(0).toLocaleString("en-US", { timeZone: zone });
  } catch {
    // A RangeError: no such zone.
    return false;
  }
  // JavaScript ignores the case of names; old names, which are not listed, begin with an upper-case letter.
  const listed = Intl.supportedValuesOf("timeZone").find((name) => name.toLowerCase() === zone.toLowerCase());
  return listed === undefined ? /^[A-Z]/.test(zone) : listed === zone;
}

function suspendText(suspend: unknown): string {
  if (suspend === undefined || suspend === null) return "<unset>";
  return suspend === true ? "True" : "False";
}
