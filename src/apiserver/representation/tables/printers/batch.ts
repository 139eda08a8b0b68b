import { type Fields, isConditionTrue, isTerminating, listAt, numberAt, textAt, valueAt } from "../field-access.ts";
import { ageOf, creationAge, humanDuration } from "../human-duration.ts";
import { labelSelectorText } from "../label-text.ts";
import { printer, type Printer } from "../printer.ts";
import { containerCells } from "./apps.ts";

const job = printer("Status|Completions|Duration|Age|Containers*|Images*|Selector*", (object, now) => [
  jobStatus(object),
  completions(object),
  runTime(object, now),
  creationAge(object, now),
  ...containerCells(valueAt(object, "spec", "template")),
  labelSelectorText(valueAt(object, "spec", "selector")),
]);

const cronJob = printer(
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
);

/** Jobs, by group and kind. */
export const batchPrinters: Readonly<Record<string, Printer>> = { "batch/Job": job, "batch/CronJob": cronJob };

function jobStatus(object: Fields): string {
  if (isConditionTrue(object, "Complete")) return "Complete";
  if (isConditionTrue(object, "Failed")) return "Failed";
  if (isTerminating(object)) return "Terminating";
  return (
    ["Suspended", "FailureTarget", "SuccessCriteriaMet"].find((type) => isConditionTrue(object, type)) ?? "Running"
  );
}

function completions(object: Fields): string {
  const succeeded = numberAt(object, "status", "succeeded");
  if (valueAt(object, "spec", "completions") !== undefined) {
    return `${succeeded}/${numberAt(object, "spec", "completions")}`;
  }
  const parallelism = numberAt(object, "spec", "parallelism");
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`;
}

function runTime(object: Fields, now: number): string {
  const start = textAt(object, "status", "startTime");
  if (start === "") return "";
  const end = textAt(object, "status", "completionTime");
  return humanDuration((end === "" ? now : Date.parse(end)) - Date.parse(start));
}

function suspendText(suspend: unknown): string {
  if (suspend === undefined || suspend === null) return "<unset>";
  return suspend === true ? "True" : "False";
}
