import { defaultJob } from "../defaults/workload-defaults.ts";
import { child, childIf, type Fields } from "../defaults/fields.ts";
import type { Strategy } from "../strategy.ts";
import { desiredSpec, immutable } from "./immutable.ts";

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
    metadata["labels"] = { ...childIf(metadata, "labels"), ...labels };
    spec["selector"] ??= { matchLabels: { "batch.kubernetes.io/controller-uid": uid } } satisfies Fields;
  },
  validate: (job, old) => immutable(job, old, ["spec.selector", "spec.template", "spec.completionMode"]),
};
