import { objectKey } from "../../../apimachinery/meta.ts";
import type { Client } from "../../../client/client.ts";
import { ignoreNotFound } from "../../../client/ignore-not-found.ts";
import { strategicMergePatch } from "../../../client/patches.ts";
import { timestamp } from "../../../apimachinery/time.ts";
import { enqueueFromMap } from "../../../runtime/controller/handlers.ts";
import { runController, watch } from "../context/run-controller.ts";
import type { Node } from "../../../k8s/core/v1.ts";
import { NodeKind, PodKind, type Pod } from "../context/simulated-kinds.ts";
import type { SimulationContext } from "../context/simulation-context.ts";
import { toleratedSeconds } from "./node-fit.ts";
import { isLeaving } from "./pod-state.ts";

/** Deletes pods from nodes with a NoExecute taint that they do not tolerate, or only for a while. */
export async function runTaintEviction(context: SimulationContext): Promise<void> {
  const { cache, clock } = context;
  const client = context.clientFor("system:serviceaccount:kube-system:node-controller");
  const tainted = new Set<string>();
  /** When the pods that tolerate a taint for a while began to do so, by their UIDs. */
  const since = new Map<string, number>();

  const podsOf = enqueueFromMap<Node>(async ({ metadata: { name }, spec }) => {
    const isTainted = spec?.taints?.some(({ effect }) => effect === "NoExecute") ?? false;
    if (isTainted) tainted.add(name);
    else if (!tainted.delete(name)) return [];
    const { items } = await cache.list(PodKind, { readonly: true });
    return items.filter((pod) => pod.spec.nodeName === name).map(objectKey);
  });
  const onTainted = enqueueFromMap<Pod>((pod) => (tainted.has(pod.spec.nodeName ?? "") ? [objectKey(pod)] : []));

  await runController(context, {
    sources: [watch(context, NodeKind, podsOf), watch(context, PodKind, onTainted)],
    step: async (key) => {
      const pod = await client.getOrUndefined(PodKind, key);
      if (!pod) return;
      const { uid = "" } = pod.metadata;
      if (isLeaving(pod)) return void since.delete(uid);
      const node = await client.getOrUndefined(NodeKind, { name: pod.spec.nodeName ?? "" });
      const seconds = toleratedSeconds(pod.spec, node?.spec?.taints);
      if (seconds === Infinity) return void since.delete(uid);
      const now = clock.now();
      const begin = since.get(uid) ?? now;
      since.set(uid, begin);
      const left = begin + seconds * 1000 - now;
      if (left > 0) return left;
      await evict(context, client, pod);
    },
  });
}

async function evict(context: SimulationContext, client: Client, pod: Pod): Promise<void> {
  const { namespace = "", name = "", generation, uid = "" } = pod.metadata;
  const about = { apiVersion: "v1", kind: "Pod", metadata: { namespace, name } };
  const message = `Marking for deletion Pod ${namespace}/${name}`;
  context.recorder(client, "taint-eviction-controller").event(about, "Normal", "TaintManagerEviction", message);
  const condition = {
    type: "DisruptionTarget",
    status: "True",
    reason: "DeletionByTaintManager",
    message: "Taint manager: deleting due to NoExecute taint",
    lastTransitionTime: timestamp(context.clock.now()),
    ...(generation !== undefined && { observedGeneration: generation }),
  };
  await client.status.patch(
    PodKind,
    pod,
    strategicMergePatch({ metadata: { uid }, status: { conditions: [condition] } }),
  );
  await client.delete(PodKind, pod, { preconditions: { uid } }).catch(ignoreNotFound);
}
