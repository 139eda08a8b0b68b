import { defaultJob } from "../defaults/workload-defaults.ts";
import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import type { StatusCause } from "../../../apimachinery/status.ts";
import { valueAt } from "../simple-path.ts";
import { child, childIf, type Fields } from "../defaults/fields.ts";
import { podSpecErrors } from "../pod-spec-errors.ts";
import type { Strategy } from "../strategy.ts";
import { desiredSpec, immutable } from "./immutable.ts";

/** A pod that always restarts never completes. */
function restartErrors(job: UnstructuredObject): StatusCause[] {
  if (valueAt(job, "spec.template.spec.restartPolicy") !== "Always") return [];
  const message = 'Required value: valid values: "OnFailure", "Never"';
  return [{ reason: "FieldValueRequired", message, field: "spec.template.spec.restartPolicy" }];
}

/** Jobs select their pods by their own uid, unless `manualSelector` is set. */
export const jobStrategy: Strategy = {
  unconditionalUpdate: true,
  applyDefaults: defaultJob,
  generationOf: desiredSpec,
  prepareCreate(job) {
    job["status"] = {};
    const spec = child(job, "spec");
    if (spec["manualSelector"] === true) return;
    const { uid = "", name = "" } = job.metadata;
    const labels = {
      "batch.kubernetes.io/controller-uid": uid,
      "batch.kubernetes.io/job-name": name,
      "controller-uid": uid,
      "job-name": name,
    };
    const metadata = child(child(spec, "template"), "metadata");
    const all = { ...childIf(metadata, "labels"), ...labels };
    metadata["labels"] = all;
    // A job without labels gets its pods'.
    if (Object.keys(job.metadata.labels ?? {}).length === 0) job.metadata.labels = { ...all };
    spec["selector"] ??= { matchLabels: { "batch.kubernetes.io/controller-uid": uid } } satisfies Fields;
  },
  validate: (job, old) => [
    ...restartErrors(job),
    ...podSpecErrors(valueAt(job, "spec.template.spec") as Fields | undefined, "spec.template.spec"),
    ...immutable(job, old, ["spec.selector", "spec.template", "spec.completionMode"]),
  ],
};
