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

interface VersionedCheck {
  /** The minor version since which it is checked. */
  readonly since: number;
  readonly check: PodCheck;
  /** The minor version since which the level restricted has a stricter check instead. */
  readonly replaced?: number;
}

/** The checks of the level baseline, in the order of their findings. */
const baseline: readonly VersionedCheck[] = [
  { since: 0, check: appArmorProfile },
  { since: 0, check: addedCapabilities, replaced: 22 },
  { since: 0, check: hostNamespaces },
  { since: 0, check: hostPathVolumes, replaced: 0 },
  { since: 0, check: hostPorts },
  { since: 34, check: hostProbes },
  { since: 0, check: privileged },
  { since: 0, check: unmaskedProcOfNode, replaced: 35 },
  { since: 0, check: seLinuxOptions },
  { since: 0, check: seccompProfile, replaced: 19 },
  { since: 0, check: sysctls },
  { since: 0, check: hostProcess },
];

/** The checks that the level restricted adds. */
const restricted: readonly VersionedCheck[] = [
  { since: 8, check: privilegeEscalation },
  { since: 22, check: droppedCapabilities },
  { since: 35, check: unmaskedProc },
  { since: 0, check: restrictedVolumes },
  { since: 0, check: nonRoot },
  { since: 23, check: rootUser },
  { since: 19, check: requiredSeccompProfile },
];

/** Returns how a pod violates a level. */
export function findViolations(pod: CheckedPod, { level, version }: LevelVersion): Violation[] {
  if (level === "privileged") return [];
  const isStrict = level === "restricted";
  const checks = [
    ...baseline.filter(({ replaced }) => !isStrict || replaced === undefined || version < replaced),
    ...(isStrict ? restricted : []),
  ];
  return checks
    .filter(({ since }) => since <= version)
    .map(({ check }) => check(pod, version))
    .filter((violation) => violation !== undefined);
}

/** Joins violations to `hostPort (container "c" uses hostPort 80), host namespaces (hostPID=true)`. */
export function formatViolations(violations: readonly Violation[]): string {
  return violations.map(({ reason, detail }) => `${reason} (${detail})`).join(", ");
}
