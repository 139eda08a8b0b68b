import { type Fields, childIf, textOf } from "../../../../apimachinery/fields.ts";
import { contextOf, isForWindows, namesWhere, type CheckedPod, type PodCheck } from "./pod-check.ts";
import { containersText, quoteAll, settersText, sortedSet } from "./words.ts";

const reason = "seccompProfile";

/** Forbids to run without a profile of seccomp. */
export const seccompProfile: PodCheck = (pod) => {
  const detail = fieldText(pod);
  return detail === undefined ? undefined : { reason, detail };
};

/** Requires a profile of seccomp. */
export const requiredSeccompProfile: PodCheck = (pod) => {
  if (isForWindows(pod)) return undefined;
  const detail = fieldText(pod);
  if (detail !== undefined) return { reason, detail };
  const silent = namesWhere(pod, (container) => typeOf(container) === undefined);
  if (typeOf(pod.spec) !== undefined || silent.length === 0) return undefined;
  const wish = `must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost"`;
  return { reason, detail: `pod or ${containersText(silent)} ${wish}` };
};

/** Returns who sets a forbidden profile. */
function fieldText(pod: CheckedPod): string | undefined {
  const setters = settersText(isWrong(pod.spec), namesWhere(pod, isWrong));
  if (setters === "") return undefined;
  const wrong = [pod.spec, ...pod.containers].filter(isWrong).map((specOrContainer) => typeOf(specOrContainer) ?? "");
  return `${setters} must not set securityContext.seccompProfile.type to ${quoteAll(sortedSet(wrong))}`;
}

function isWrong(specOrContainer: Fields): boolean {
  const type = typeOf(specOrContainer);
  return type !== undefined && type !== "RuntimeDefault" && type !== "Localhost";
}

function typeOf(specOrContainer: Fields): string | undefined {
  const profile = childIf(contextOf(specOrContainer), "seccompProfile");
  return profile && textOf(profile["type"]);
}
