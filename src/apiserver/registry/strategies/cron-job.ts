import { CronError, parseCron } from "../../../apimachinery/cron-schedule.ts";
import { invalid, type FieldError } from "../../../apimachinery/schema/field-error.ts";
import { childIf, type Fields } from "../defaults/fields.ts";
import { defaultCronJob } from "../defaults/workload-defaults.ts";
import type { Strategy } from "../strategy.ts";
import { desiredSpec } from "./immutable.ts";

/** CronJob: when it is due must be known. */
export const cronJobStrategy: Strategy = {
  unconditionalUpdate: true,
  applyDefaults: defaultCronJob,
  generationOf: desiredSpec,
  prepareCreate: (job) => void (job["status"] = {}),
  validate: (job) => cronJobErrors(childIf(job, "spec") ?? {}),
};

function cronJobErrors(spec: Fields): FieldError[] {
  const counts = ["startingDeadlineSeconds", "successfulJobsHistoryLimit", "failedJobsHistoryLimit"];
  return [
    ...scheduleErrors(spec["schedule"]),
    ...zoneErrors(spec["timeZone"]),
    ...counts.filter((name) => Number(spec[name] ?? 0) < 0).map((name) => negative(`spec.${name}`, spec[name])),
  ];
}

function negative(field: string, value: unknown): FieldError {
  return invalid(field, value, "must be greater than or equal to 0");
}

function scheduleErrors(schedule: unknown): FieldError[] {
  if (typeof schedule !== "string" || schedule === "") return [];
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

function zoneErrors(zone: unknown): FieldError[] {
  if (typeof zone !== "string") return [];
  const refuse = (why: string) => [invalid("spec.timeZone", zone, why)];
  if (zone === "") return refuse("timeZone must be nil or non-empty string");
  if (zone.toLowerCase() === "local")
    return refuse("timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones");
  return isTimeZone(zone) ? [] : refuse(`unknown time zone ${zone}`);
}

function isTimeZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat("en-US", { timeZone: zone }).resolvedOptions().timeZone !== "";
  } catch {
    // A RangeError says that there is none.
    return false;
  }
}
