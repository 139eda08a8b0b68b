import { contextOf, hasOwnUsers, namesWhere, type PodCheck } from "./pod-check.ts";
import { containersText, settersText } from "./words.ts";

/** Requires that no process runs as root. */
export const nonRoot: PodCheck = (pod, version) => {
  if (version >= 35 && hasOwnUsers(pod)) return undefined;
  const reason = "runAsNonRoot != true";
  const ofPod = contextOf(pod.spec)["runAsNonRoot"];
  const refusing = namesWhere(pod, (container) => contextOf(container)["runAsNonRoot"] === false);
  const setters = settersText(ofPod === false, refusing);
  if (setters !== "") return { reason, detail: `${setters} must not set securityContext.runAsNonRoot=false` };
  const silent = namesWhere(pod, (container) => contextOf(container)["runAsNonRoot"] === undefined);
  if (ofPod === true || silent.length === 0) return undefined;
  return { reason, detail: `pod or ${containersText(silent)} must set securityContext.runAsNonRoot=true` };
};

/** Forbids the user 0. */
export const rootUser: PodCheck = (pod, version) => {
  if (version >= 35 && hasOwnUsers(pod)) return undefined;
  const isRoot = ({ runAsUser }: Record<string, unknown>): boolean => runAsUser === 0;
  const names = namesWhere(pod, (container) => isRoot(contextOf(container)));
  const setters = settersText(isRoot(contextOf(pod.spec)), names);
  return setters === "" ? undefined : { reason: "runAsUser=0", detail: `${setters} must not set runAsUser=0` };
};
