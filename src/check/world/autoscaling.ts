import type { Difference } from "./object-state.ts";
import type { RecordedRequest } from "./run-record.ts";

/** Reports whether a request is the one with which a HorizontalPodAutoscaler gives its target another size. */
function isScaling({ by, signature }: RecordedRequest): boolean {
  return by === "cluster" && signature.endsWith("/scale");
}

/** Reports whether an autoscaler has decided on the size of an object. */
export function isAutoscaled(id: string, requests: readonly RecordedRequest[]): boolean {
  return requests.some((request) => isScaling(request) && request.changes.some((change) => change.id === id));
}

/**
 * Leaves out, of what is left of a change, what may follow from the size that an autoscaler has given to its target in
 * one of the steps: without metrics, it never takes that back. Its own fields are the operator's.
 */
export function withoutAutoscaling(
  differences: readonly Difference[],
  requests: readonly RecordedRequest[],
  isOfChange: (step: string) => boolean,
): Difference[] {
  const hasScaled = requests.some((request) => isScaling(request) && isOfChange(request.step));
  return differences.filter(({ id }) => !hasScaled || id.startsWith("autoscaling/horizontalpodautoscalers "));
}
