import { defaultJob } from "../defaults/workload-defaults.ts";
import { child, childIf } from "../../../apimachinery/fields.ts";
import { jobErrors } from "../rules/job-errors.ts";
import { templateWarnings } from "../rules/pod-warnings.ts";
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
    const all = { ...childIf(metadata, "labels"), ...labels };
    metadata["labels"] = all;
    // A job without labels gets its pods'.
    if (Object.keys(job.metadata.labels ?? {}).length === 0) job.metadata.labels = { ...all };
    const selector = child(spec, "selector");
    selector["matchLabels"] = { ...childIf(selector, "matchLabels"), "batch.kubernetes.io/controller-uid": uid };
  },
  // What is changed is also checked as if it was new.
  validate: (job, old) => [
    ...jobErrors(job),
    ...(old ? jobErrors(job) : []),
    ...immutable(job, old, ["spec.selector", "spec.template", "spec.completionMode"]),
  ],
  warn: templateWarnings,
  orphansByDefault:
    "child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set " +
    "propagationPolicy=Orphan to suppress this warning",
};
