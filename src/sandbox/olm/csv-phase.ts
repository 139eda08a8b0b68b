import type { CsvObject, CsvPhase, CsvStatus } from "../../manifests/olm-kinds.ts";

/** OLM keeps the last phases of a CSV. */
const historySize = 20;

/** Returns the status of a CSV in a phase; the same status if the phase is not new. */
export function inPhase({ status }: CsvObject, next: CsvPhase, now: string): CsvStatus {
  const isSame = status?.phase === next.phase && status.reason === next.reason && status.message === next.message;
  if (isSame) return status;
  const lastTransitionTime = status?.phase === next.phase ? status.lastTransitionTime : now;
  const condition = { ...next, lastTransitionTime, lastUpdateTime: now };
  const conditions = [...(status?.conditions ?? []), condition].slice(-historySize);
  return { cleanup: {}, ...status, ...condition, conditions };
}

/** Reasons for which a CSV is no member of its group. */
const outside = new Set([
  "UnsupportedOperatorGroup",
  "NoOperatorGroup",
  "TooManyOperatorGroups",
  "InterOperatorGroupOwnerConflict",
]);

/** Reports whether a CSV is no member of its group: OLM neither copies it nor counts its APIs. */
export function isOutsideGroup({ status }: CsvObject): boolean {
  return status !== undefined && outside.has(status.reason);
}

/** Returns the reason why a CSV does not support the namespaces of its group. */
export function unsupportedMode(
  { spec }: CsvObject,
  namespace: string,
  targets: readonly string[],
): string | undefined {
  const isSupported = (mode: string): boolean =>
    spec.installModes?.some(({ type, supported }) => type === mode && supported) ?? false;
  const refuse = (mode: string, what: string): string | undefined =>
    isSupported(mode) ? undefined : `${mode} InstallModeType not supported, cannot configure to watch ${what}`;
  if (targets.length > 1)
    return (
      refuse("MultiNamespace", `${targets.length} namespaces`) ??
      (targets.includes(namespace) ? refuse("OwnNamespace", "own namespace") : undefined)
    );
  const [target = ""] = targets;
  if (target === "") return refuse("AllNamespaces", "all namespaces");
  return target === namespace ? refuse("OwnNamespace", "own namespace") : refuse("SingleNamespace", "one namespace");
}

/** Reports whether two CSVs own the same CRD. */
export function shareCrd(a: CsvObject, b: CsvObject): boolean {
  const namesOf = ({ spec }: CsvObject): string[] =>
    spec.customresourcedefinitions?.owned?.map(({ name }) => name) ?? [];
  const names = namesOf(a);
  return namesOf(b).some((name) => names.includes(name));
}
