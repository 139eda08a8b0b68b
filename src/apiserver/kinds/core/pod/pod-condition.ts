import { type Fields, child, items } from "../../../../apimachinery/fields.ts";

export interface PodCondition {
  readonly type: string;
  readonly status: "True" | "False";
  readonly reason?: string;
  readonly message?: string;
}

/** Sets a condition of a pod in its place; the time changes only with the status. */
export function setPodCondition(pod: Fields, { type, status, ...why }: PodCondition, now: string): void {
  const conditions = items(child(pod, "status"), "conditions");
  const old = conditions.find((each) => each["type"] === type);
  const lastTransitionTime = old?.["status"] === status ? old["lastTransitionTime"] : now;
  const next = { type, status, lastProbeTime: null, lastTransitionTime, ...why };
  child(pod, "status")["conditions"] = old
    ? conditions.map((each) => (each === old ? next : each))
    : [...conditions, next];
}

/** Keeps the generations that a status and its conditions have noted, if a client does not send them. */
export function keepObserved(status: Fields, before: Fields): void {
  keepGeneration(status, before);
  const left = items(before, "conditions").slice();
  for (const condition of items(status, "conditions")) {
    const at = left.findIndex(({ type }) => type === condition["type"]);
    const [old] = at < 0 ? [] : left.splice(at, 1);
    if (old) keepGeneration(condition, old);
  }
}

function keepGeneration(target: Fields, { observedGeneration }: Fields): void {
  if (observedGeneration !== undefined) target["observedGeneration"] ||= observedGeneration;
}
