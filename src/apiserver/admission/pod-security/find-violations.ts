import { appArmorProfile } from "./checks/app-armor.ts";
import { addedCapabilities, droppedCapabilities } from "./checks/capabilities.ts";
import { hostNamespaces, hostPorts, hostProbes, hostProcess } from "./checks/host.ts";
import type { CheckedPod, PodCheck, Violation } from "./checks/pod-check.ts";
import { privileged, privilegeEscalation, unmaskedProc, unmaskedProcOfNode } from "./checks/privileges.ts";
import { requiredSeccompProfile, seccompProfile } from "./checks/seccomp.ts";
import { seLinuxOptions } from "./checks/se-linux.ts";
import { sysctls } from "./checks/sysctls.ts";
import { nonRoot, rootUser } from "./checks/users.ts";
import { hostPathVolumes, restrictedVolumes } from "./checks/volumes.ts";
import type { LevelVersion } from "./levels.ts";

/** The checks that both levels have, in the order of their findings. */
const always: readonly PodCheck[] = [
  appArmorProfile,
  hostNamespaces,
  hostPorts,
  hostProbes,
  privileged,
  seLinuxOptions,
  sysctls,
  hostProcess,
];

/** The checks for which the level restricted has stricter ones. */
const baseline: readonly PodCheck[] = [addedCapabilities, hostPathVolumes, unmaskedProcOfNode, seccompProfile];
const restricted: readonly PodCheck[] = [
  privilegeEscalation,
  droppedCapabilities,
  unmaskedProc,
  restrictedVolumes,
  nonRoot,
  rootUser,
  requiredSeccompProfile,
];

/** Returns how a pod violates a level, as a version since 1.25 defines it. */
export function findViolations(pod: CheckedPod, { level, version }: LevelVersion): Violation[] {
  if (level === "privileged") return [];
  const checks = [...always, ...(level === "restricted" ? restricted : baseline)];
  return checks.map((check) => check(pod, version)).filter((violation) => violation !== undefined);
}

/** Joins violations to `hostPort (container "c" uses hostPort 80), host namespaces (hostPID=true)`. */
export function formatViolations(violations: readonly Violation[]): string {
  return violations.map(({ reason, detail }) => `${reason} (${detail})`).join(", ");
}
