import type { Deployment, ReplicaSet } from "../context/simulated-kinds.ts";

export const revisionAnnotation = "deployment.kubernetes.io/revision";
const historyAnnotation = "deployment.kubernetes.io/revision-history";

/** Returns the annotations of the newest ReplicaSet: the deployment's, its revision, and its former revisions. */
export function newestAnnotations(
  deployment: Deployment,
  replicaSet: ReplicaSet | undefined,
  revision: string,
): Record<string, string> {
  const before = replicaSet?.metadata.annotations ?? {};
  const { [revisionAnnotation]: last, [historyAnnotation]: history } = before;
  const isNew = last !== undefined && parseRevision(last) < parseRevision(revision);
  return {
    ...before,
    ...ownAnnotations(deployment),
    [revisionAnnotation]: revision,
    ...(isNew && { [historyAnnotation]: history ? `${history},${last}` : last }),
  };
}

/** Parses a revision, a 64-bit integer; invalid texts count as 0. */
export function parseRevision(text = ""): bigint {
  return /^-?\d+$/.test(text) ? BigInt(text) : 0n;
}

/** Returns the annotations with the wanted and the largest number of pods. */
export function sizeAnnotations(wanted: number, maxSurge: number): Record<string, string> {
  return {
    "deployment.kubernetes.io/desired-replicas": String(wanted),
    "deployment.kubernetes.io/max-replicas": String(wanted + maxSurge),
  };
}

/** Returns the deployment's annotations without those that belong to kubectl and to the controller. */
function ownAnnotations({ metadata }: Deployment): Record<string, string> {
  const kept = Object.entries(metadata.annotations ?? {}).filter(
    ([name]) =>
      name !== "kubectl.kubernetes.io/last-applied-configuration" && !name.startsWith("deployment.kubernetes.io/"),
  );
  return Object.fromEntries(kept);
}
