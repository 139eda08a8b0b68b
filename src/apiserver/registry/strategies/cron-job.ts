import { invalid, notSupported, type FieldError } from "../../../apimachinery/schema/field-error.ts";
import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import { CronError, parseCron } from "../../../apimachinery/cron-schedule.ts";
import { childIf, type Fields } from "../../../apimachinery/fields.ts";
import { defaultCronJob } from "../defaults/workload-defaults.ts";
import { restartErrors } from "../rules/job-errors.ts";
import { podTemplateErrors } from "../rules/pod-template-errors.ts";
import type { Strategy } from "../strategy.ts";
import { desiredSpec } from "./immutable.ts";

export const cronJobStrategy: Strategy = {
  unconditionalUpdate: true,
  generationOf: desiredSpec,
  applyDefaults: defaultCronJob,
  prepareCreate: (job) => void (job["status"] = {}),
  validate: (job, old) => [...(old ? [] : nameErrors(job)), ...cronJobErrors(job, old)],
};

/** Its jobs' names are eleven characters longer, and labels of their pods. */
function nameErrors({ metadata: { name = "" } }: UnstructuredObject): FieldError[] {
  return name.length > 52 ? [invalid("metadata.name", name, "must be no more than 52 characters")] : [];
}

function cronJobErrors(cronJob: UnstructuredObject, old: UnstructuredObject | undefined): FieldError[] {
  const spec = childIf(cronJob, "spec") ?? {};
  const { schedule = "", timeZone } = spec as { schedule?: string; timeZone?: string };
  const oldZone = childIf(old, "spec")?.["timeZone"];
  return [
    ...(schedule === "" ? [] : scheduleErrors(schedule)),
    ...["startingDeadlineSeconds", "successfulJobsHistoryLimit", "failedJobsHistoryLimit"].flatMap((name) =>
      Number(spec[name] ?? 0) < 0 ? [invalid(`spec.${name}`, spec[name], "must be greater than or equal to 0")] : [],
    ),
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
    ...podTemplateErrors(childIf(spec, "template"), `${at}.template`),
    ...restartErrors(spec, at),
  ];
}

/** Is it the name of a zone, in its own spelling? */
function isTimeZone(zone: string): boolean {
  // Offsets are zones to JavaScript, not to IANA.
  if (/^[+-]|^(UTC|GMT)[+-]/.test(zone)) return false;
  try {
    new Date(0).toLocaleString("en-US", { timeZone: zone });
  } catch {
    // A RangeError says that there is none.
    return false;
  }
  // JavaScript takes names in any case; old ones, which are in no list, begin with a large letter.
  const listed = Intl.supportedValuesOf("timeZone").find((name) => name.toLowerCase() === zone.toLowerCase());
  return listed === undefined ? /^[A-Z]/.test(zone) : listed === zone;
}
