import type { Deployment, ReplicaSet } from "../context/simulated-kinds.ts";

export const revisionAnnotation = "deployment.kubernetes.io/revision";
const historyAnnotation = "deployment.kubernetes.io/revision-history";

/** What the newest ReplicaSet carries: the deployment's own annotations, its revision, and those it had before. */
export function newestAnnotations(
  deployment: Deployment,
  replicaSet: ReplicaSet | undefined,
  revision: string,
): Record<string, string> {
  const before = replicaSet?.metadata.annotations ?? {};
  const { [revisionAnnotation]: last, [historyAnnotation]: history } = before;
  const isNew = last !== undefined && Number(last) < Number(revision);
  return {
    ...before,
    ...inherited(deployment),
    [revisionAnnotation]: revision,
    ...(isNew && { [historyAnnotation]: history ? `${history},${last}` : last }),
  };
}

/** How many pods are wanted, and the most there may be: what proportions are reckoned from. */
export function sizeAnnotations(wanted: number, maxSurge: number): Record<string, string> {
  return {
    "deployment.kubernetes.io/desired-replicas": String(wanted),
    "deployment.kubernetes.io/max-replicas": String(wanted + maxSurge),
  };
}

/** What kubectl keeps for itself on the deployment must not travel. */
function inherited({ metadata }: Deployment): Record<string, string> {
  const kept = Object.entries(metadata.annotations ?? {}).filter(
    ([name]) =>
      name !== "kubectl.kubernetes.io/last-applied-configuration" && !name.startsWith("deployment.kubernetes.io/"),
  );
  return Object.fromEntries(kept);
}
