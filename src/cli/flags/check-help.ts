import type { Oracle } from "../../check/oracles/violation.ts";
import type { FaultClass } from "../../check/plans/plan.ts";

const classes: Readonly<Record<FaultClass, string>> = {
  crash: "the operator is killed around a write: compute each step from what exists",
  "lost-answer": "a write is done, but its answer is lost: read again if a retry meets AlreadyExists or a conflict",
  refused: "a write is refused once, with 409, 429, 500 or 504: return the error, so that it is tried again",
  stale: "the operator starts with an old list: read from the server before you delete",
  lag: "watches are half a second late: give objects names that follow from the owner's",
  unobserved: "watches skip what happens in between: compare states, not events",
  watch: "watches end, or cannot be resumed",
  outage: "the server restarts in the middle of a step",
  restart: "the operator starts again when all is settled: keep a password or a time that was computed before",
  handover: "another instance takes over the lease, and the first one wakes up",
  drift: "somebody edits or deletes an object of the operator's: watch the kind, and set the owner reference",
  deletion: "the custom resource is deleted in the middle of the work",
  exploration: "a field gets another value that the schema accepts, and the old one again",
  upgrade: "a newer version of the operator takes over",
  rollback: "the older version takes over again",
  conversion: "objects of each version are converted to the others and back by the operator's webhook",
  schedule: "two of these faults, or other delays than usual: only in a simulation",
};

const rules: Readonly<Record<Oracle, string>> = {
  "wrong-state": "a step ends in the same state as without a fault",
  unstable: "a state that is reached stays as it is",
  "not-reverted": "a field that is changed and changed back leads to the state before",
  recreated: "no object is created more often than usual",
  "data-deleted": "no Secret or claim is deleted more often than usual",
  restless: "the operator comes to rest",
  "no-op-writes": "writes that change nothing are not repeated",
  "restart-writes": "a restart in a settled state writes nothing",
  "deletion-hangs": "a deletion ends",
  leftover: "a deletion leaves nothing behind that the operator has created",
  breakdown: "the process does not end by itself, nor log a panic",
  "outdated-status": "status.observedGeneration, and fields that repeat the spec, are those of the last change",
  "endless-error": "an accepted object does not lead to the same error again and again",
  forbidden: "the operator's role allows its requests",
  conversion: "a conversion to another version and back loses nothing",
  "api-break": "the newer version's CRDs accept the objects of the older one",
};

/** Returns what each class of faults does, and each rule demands. */
export function checkHelp(): string {
  return `Classes of faults (--only), with a typical fix:\n${rowsOf(classes)}\n\nRules, which hold in every run:\n${rowsOf(rules)}`;
}

function rowsOf(texts: Readonly<Record<string, string>>): string {
  return Object.entries(texts)
    .map(([name, text]) => `  ${name.padEnd(16)} ${text}`)
    .join("\n");
}
