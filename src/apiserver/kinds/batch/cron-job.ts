import { CronError, parseCron } from "../../../apimachinery/cron-schedule.ts";
import { type Fields, child, childIf, fill } from "../../../apimachinery/fields.ts";
import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import { type FieldError, invalid } from "../../../apimachinery/field-error.ts";
import type { BuiltinKind } from "../builtin-kind.ts";
import { containerCells, labelSelectorText, ageOf, printer } from "../printing/printer.ts";
import { listAt, textAt, valueAt } from "../printing/field-access.ts";
import { fieldRules, minimum, must, refused, text } from "../rules/field-rules.ts";
import { desiredSpec } from "../rules/immutable.ts";
import { defaultTemplate } from "../rules/pod-defaults.ts";
import { jobSpecErrors } from "./job.ts";

/** CronJob. */
export const cronJob: BuiltinKind = {
  generationOf: desiredSpec,
  applyDefaults: defaultCronJob,
  prepareCreate: (job) => void (job["status"] = {}),
  validate: (job, old) => [...(old ? [] : nameErrors(job)), ...cronJobErrors(childIf(job, "spec") ?? {}, "spec")],
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

const cronJobErrors = fieldRules({
  schedule: text(scheduleErrors),
  "(startingDeadlineSeconds|successfulJobsHistoryLimit|failedJobsHistoryLimit)": minimum(0),
  timeZone: must(isTimeZone, "must be the name of a time zone, as in https://www.iana.org/time-zones"),
  jobTemplate: (template, at) => jobSpecErrors(childIf(template as Fields | undefined, "spec") ?? {}, `${at}.spec`),
  "jobTemplate.spec.selector": refused("`selector` will be auto-generated"),
  "jobTemplate.spec.manualSelector": must((manual) => manual !== true, "must be false"),
});

function scheduleErrors(at: string, schedule: string): FieldError[] {
  const refuse = (why: string) => [invalid(at, schedule, why)];
  if (schedule.includes("TZ")) return refuse("cannot use TZ or CRON_TZ in schedule, use timeZone field instead");
  try {
    parseCron(schedule);
    return [];
  } catch (error) {
    if (error instanceof CronError) return refuse(error.message);
    throw error;
  }
}

/** Reports whether a text is the name of a time zone in its exact spelling. */
function isTimeZone(zone: string): boolean {
  // JavaScript accepts offsets, IANA does not.
  if (/^[+-]|^(UTC|GMT)[+-]|^local$|^$/i.test(zone)) return false;
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
