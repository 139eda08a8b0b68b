import { child } from "../../../apimachinery/fields.ts";
import { equalJson } from "../../../apimachinery/equal.ts";
import { invalidError } from "../../../apimachinery/invalid-error.ts";
import type { Store } from "../../storage/store.ts";
import { checkedPod } from "./checks/pod-check.ts";
import { findViolations } from "./find-violations.ts";
import { formatLevel, hasLevels, isStricter, readLevels, type LevelVersion } from "./levels.ts";
import type { PodSecurityScope, SecuredWrite } from "./secured-write.ts";

/** Rejects wrong labels of a namespace, and warns of pods that violate the level that an update brings. */
export function checkNamespace({ store, warnings }: PodSecurityScope, write: SecuredWrite): void {
  const { resource, subresource, object, oldObject } = write;
  if (subresource !== undefined || !hasLevels(object.metadata.labels)) return;
  const name = object.metadata.name ?? "";
  const { levels, errors } = readLevels(object.metadata.labels);
  const before = oldObject && readLevels(oldObject.metadata.labels);
  if (errors.length > 0 && !equalJson(errors, before?.errors)) throw invalidError(resource, name, errors);
  if (!before || !forbidsMore(levels.enforce, before.levels.enforce)) return;
  warnings.push(...podWarnings(store, name, levels.enforce));
}

function forbidsMore(now: LevelVersion, before: LevelVersion): boolean {
  if (now.level === "privileged") return false;
  return now.version !== before.version || isStricter(now.level, before.level);
}

const pods = { group: "", plural: "pods" };
/** The most pods that are checked. */
const mostPods = 3000;

/** Returns warnings about the pods of a namespace that violate a level, with the first pod of each kind. */
function podWarnings(store: Store, namespace: string, level: LevelVersion): string[] {
  const found = new Map<string, { first: string; count: number }>();
  let count = 0;
  for (const [, pod] of store.collection(pods).entries(`${namespace}/`)) {
    if (++count > mostPods) continue;
    const violations = findViolations(checkedPod(pod.metadata.annotations, child(pod, "spec")), level);
    if (violations.length === 0) continue;
    const reasons = violations.map(({ reason }) => reason).join(", ");
    // Pods are ordered by their names.
    const known = found.get(reasons);
    if (known) known.count++;
    else found.set(reasons, { first: pod.metadata.name ?? "", count: 1 });
  }
  const texts = [...found]
    .map(([reasons, { first, count }]) => `${first}${othersText(count - 1)}: ${reasons}`)
    .toSorted();
  const checked = `new PodSecurity enforce level only checked against the first ${mostPods} of ${count} existing pods`;
  const which = `in namespace "${namespace}" violate the new PodSecurity enforce level "${formatLevel(level)}"`;
  return [...(count > mostPods ? [checked] : []), ...(texts.length > 0 ? [`existing pods ${which}`] : []), ...texts];
}

function othersText(count: number): string {
  if (count === 0) return "";
  return ` (and ${count} other ${count === 1 ? "pod" : "pods"})`;
}
