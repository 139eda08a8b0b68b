import { type Fields, childIf } from "../../../../apimachinery/fields.ts";
import { contextOf, isForWindows, namesWhere, type CheckedPod, type PodCheck } from "./pod-check.ts";
import { containersText, quoteAll, sortedSet } from "./words.ts";

/** The capabilities that container runtimes give by default. */
const usual: ReadonlySet<string> = new Set([
  "AUDIT_WRITE",
  "CHOWN",
  "DAC_OVERRIDE",
  "FOWNER",
  "FSETID",
  "KILL",
  "MKNOD",
  "NET_BIND_SERVICE",
  "SETFCAP",
  "SETGID",
  "SETPCAP",
  "SETUID",
  "SYS_CHROOT",
]);

/** Forbids to add capabilities that a container does not have by default. */
export const addedCapabilities: PodCheck = (pod) => {
  const detail = additionText(pod, usual);
  return detail === undefined ? undefined : { reason: "non-default capabilities", detail };
};

const onlyPorts: ReadonlySet<string> = new Set(["NET_BIND_SERVICE"]);

/** Requires to drop all capabilities; that for low ports may be added. */
export const droppedCapabilities: PodCheck = (pod) => {
  if (isForWindows(pod)) return undefined;
  const keeping = namesWhere(pod, (container) => !capabilitiesOf(container, "drop").includes("ALL"));
  const details = [
    keeping.length === 0 ? undefined : `${containersText(keeping)} must set securityContext.capabilities.drop=["ALL"]`,
    additionText(pod, onlyPorts),
  ].filter((detail) => detail !== undefined);
  return details.length === 0 ? undefined : { reason: "unrestricted capabilities", detail: details.join("; ") };
};

function additionText(pod: CheckedPod, allowed: ReadonlySet<string>): string | undefined {
  const addedBy = (container: Fields): string[] =>
    capabilitiesOf(container, "add").filter((capability) => !allowed.has(capability));
  const names = namesWhere(pod, (container) => addedBy(container).length > 0);
  if (names.length === 0) return undefined;
  const added = sortedSet(pod.containers.flatMap(addedBy));
  return `${containersText(names)} must not include ${quoteAll(added)} in securityContext.capabilities.add`;
}

function capabilitiesOf(container: Fields, list: "add" | "drop"): readonly string[] {
  return (childIf(contextOf(container), "capabilities")?.[list] ?? []) as readonly string[];
}
