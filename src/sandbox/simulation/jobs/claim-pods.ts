import { labelSelectorMatcher } from "../../../apimachinery/selectors.ts";
import type { Client } from "../../../client/client.ts";
import { ignoreNotFound } from "../../../client/ignore-not-found.ts";
import { controllerReference, controllerUid, setController } from "../workloads/controlled-pods.ts";
import { isLeaving } from "../pods/pod-state.ts";
import { PodKind, type Pod, JobKind, type Job } from "../context/simulated-kinds.ts";
import { isTracked, trackingFinalizer } from "./job-pods.ts";

/** Returns the pods of a job: takes over those that match and have no controller, and lets others go. */
export async function claimPods(client: Client, job: Job): Promise<Pod[]> {
  const { namespace, uid } = job.metadata;
  const matcher = labelSelectorMatcher(job.spec.selector ?? {});
  const { items } = await client.list(PodKind, { namespace });
  const claimed: Pod[] = [];
  for (const pod of items) {
    const isMatching = matcher.matches(pod.metadata.labels ?? {});
    const controller = controllerUid(pod);
    if (isMatching && controller === uid) claimed.push(pod);
    if (isMatching && controller === undefined && !isLeaving(pod)) {
      const object = withFinalizers(pod, [...(pod.metadata.finalizers ?? []), trackingFinalizer]);
      const reference = controllerReference(JobKind, job);
      claimed.push(await setController(client, PodKind, { object, reference }));
    }
    if (!isMatching && controller === uid) await setController(client, PodKind, { object: untracked(pod) });
  }
  return claimed;
}

/** Lets a pod go when it is counted, or need not be. */
export async function releasePod(client: Client, pod: Pod): Promise<void> {
  if (isTracked(pod)) await client.update(PodKind, untracked(pod)).catch(ignoreNotFound);
}

function untracked(pod: Pod): Pod {
  return withFinalizers(pod, pod.metadata.finalizers?.filter((name) => name !== trackingFinalizer) ?? []);
}

function withFinalizers(pod: Pod, finalizers: string[]): Pod {
  return { ...pod, metadata: { ...pod.metadata, finalizers } };
}
