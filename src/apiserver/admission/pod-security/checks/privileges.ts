import type { Fields } from "../../../../apimachinery/fields.ts";
import { contextOf, hasOwnUsers, isForWindows, namesWhere, type PodCheck } from "./pod-check.ts";
import { containersText, quoteAll, sortedSet } from "./words.ts";

/** Forbids privileged containers. */
export const privileged: PodCheck = (pod) => {
  const names = namesWhere(pod, (container) => contextOf(container)["privileged"] === true);
  if (names.length === 0) return undefined;
  return { reason: "privileged", detail: `${containersText(names)} must not set securityContext.privileged=true` };
};

/** Requires that processes cannot gain more privileges than their parents have. */
export const privilegeEscalation: PodCheck = (pod) => {
  if (isForWindows(pod)) return undefined;
  const names = namesWhere(pod, (container) => contextOf(container)["allowPrivilegeEscalation"] !== false);
  if (names.length === 0) return undefined;
  return {
    reason: "allowPrivilegeEscalation != false",
    detail: `${containersText(names)} must set securityContext.allowPrivilegeEscalation=false`,
  };
};

/** Forbids a `/proc` without the masks of the container runtime. */
export const unmaskedProc: PodCheck = (pod) => {
  const names = namesWhere(pod, (container) => procMountOf(container) !== "Default");
  if (names.length === 0) return undefined;
  const kinds = sortedSet(pod.containers.map(procMountOf).filter((kind) => kind !== "Default"));
  return {
    reason: "procMount",
    detail: `${containersText(names)} must not set securityContext.procMount to ${quoteAll(kinds)}`,
  };
};

/** Forbids such a `/proc` unless the pod has users of its own, which counts since 1.35. */
export const unmaskedProcOfNode: PodCheck = (pod, version) =>
  version >= 35 && hasOwnUsers(pod) ? undefined : unmaskedProc(pod, version);

function procMountOf(container: Fields): string {
  return (contextOf(container)["procMount"] ?? "Default") as string;
}
