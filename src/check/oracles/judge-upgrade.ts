import { equalJson } from "../../apimachinery/equal.ts";
import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import type { Plan } from "../plans/plan.ts";
import type { Difference } from "../world/object-state.ts";
import type { Change, RunRecord } from "../world/run-record.ts";
import { describeChange } from "./describe-change.ts";
import { finalizersOf } from "./finalizers.ts";
import { apiBreak } from "./judge-api.ts";
import type { Violation } from "./violation.ts";

/** Finds that the server refuses the manifests of the newer version. */
export function refusedManifests({ refusal }: RunRecord): Violation[] {
  if (refusal === undefined) return [];
  return [
    apiBreak("manifests of the newer version", `The server refuses the manifests of the newer version: ${refusal}.`),
  ];
}

/** Returns a record without the work of the older version before the upgrade, which is not judged. */
export function sinceUpgrade({ faultClass, steps }: Plan, record: RunRecord): RunRecord {
  if (faultClass !== "upgrade") return record;
  const before = ["start", steps[0]?.name];
  const isLater = ({ step }: { readonly step: string }): boolean => !before.includes(step);
  const { requests, breakdowns, errors } = record;
  return {
    ...record,
    requests: requests.filter(isLater),
    breakdowns: breakdowns.filter(isLater),
    errors: errors.filter(isLater),
  };
}

/** Names the work of the first version that the second one does not undo. */
export function hintOfVersions({ id, path, expected, actual }: Difference, record: RunRecord): string | undefined {
  const hanging = [...(record.steps.at(-1)?.state ?? [])].find(([, object]) =>
    object.has("metadata.deletionTimestamp"),
  );
  if (hanging) return `${hanging[0]} still exists: ${finalizersOf(hanging[1])}`;
  const before = record.steps[0]?.state.get(id);
  if (!before || actual === undefined) return undefined;
  if (path === "") return "the first version has created it, and the second one does not delete it";
  if (before.get(path) !== actual) return undefined;
  return expected === undefined
    ? "the first version has set it, and the second one does not remove it"
    : "the first version has set it so, and the second one sets it only at creation";
}

const workloads = /^apps\/(deployments|statefulsets|daemonsets) /;

/** Describes the changes by which the newer version restarts pods as it takes over. */
export function restartsOfPods({ requests }: RunRecord): string[] {
  const restarts = requests
    .filter(({ step, by }) => step === "upgrade" && by === "operator")
    .flatMap(({ changes }) => changes)
    .filter(({ id }) => workloads.test(id))
    .flatMap(({ id, before, after }: Change) => {
      if (!before || !after || equalJson(templateOf(before), templateOf(after))) return [];
      const change = { id, before: withTemplateOnly(before), after: withTemplateOnly(after) };
      return [`${id}: ${describeChange(change)}`];
    });
  // Two versions that do not agree restart them again and again.
  return [...new Set(restarts)];
}

function templateOf({ spec }: UnstructuredObject): unknown {
  return (spec as { readonly template?: unknown } | undefined)?.template;
}

function withTemplateOnly(object: UnstructuredObject): UnstructuredObject {
  return { metadata: {}, spec: { template: templateOf(object) } };
}
