import { type Fields, childIf } from "../../../apimachinery/fields.ts";
import { type FieldError, invalid } from "../../../apimachinery/field-error.ts";
import { negativeErrors } from "./value-errors.ts";

/** The counts of all workloads; each has some of them. */
const counts = [
  "replicas",
  "readyReplicas",
  "availableReplicas",
  "unavailableReplicas",
  "updatedReplicas",
  "currentReplicas",
  "fullyLabeledReplicas",
  "terminatingReplicas",
  "currentNumberScheduled",
  "desiredNumberScheduled",
  "updatedNumberScheduled",
  "numberMisscheduled",
  "numberReady",
  "numberAvailable",
  "numberUnavailable",
  "observedGeneration",
  "collisionCount",
];

/** The counts of replicas in the status of a kind of workloads. */
export interface ReplicaCounts {
  /** The fields that count some of the replicas, in a real server's order. */
  readonly parts: readonly string[];
  /** The number of ready replicas, as the text of an error calls it. */
  readonly ready: "readyReplicas" | "status.readyReplicas";
}

/** Returns the errors in the status of a workload: counts that are negative, or more than the whole. */
export function statusErrors(object: Fields, replicas: ReplicaCounts | undefined): FieldError[] {
  const status = childIf(object, "status") ?? {};
  return [...negativeErrors(status, "status", counts), ...(replicas ? partErrors(status, replicas) : [])];
}

function partErrors(status: Fields, { parts, ready }: ReplicaCounts): FieldError[] {
  const count = (name: string): number => Number(status[name] ?? 0);
  const excess = (name: string, whole: string, text: string): FieldError[] =>
    count(name) > count(whole) ? [invalid(`status.${name}`, count(name), `cannot be greater than ${text}`)] : [];
  return [
    ...parts.flatMap((name) => excess(name, "replicas", "status.replicas")),
    ...excess("availableReplicas", "readyReplicas", ready),
  ];
}
