import { mergePatch } from "../../../client/patches.ts";
import { timestamp } from "../../../apimachinery/time.ts";
import { runController, watch } from "../context/run-controller.ts";
import type { Taint } from "../../../k8s/core/v1.ts";
import { NodeKind } from "../context/simulated-kinds.ts";
import type { SimulationContext } from "../context/simulation-context.ts";
import { cordonTaint } from "./node-fit.ts";

/** Simulates the part of the node controllers that taints cordoned nodes, and takes the taint back. */
export async function runNodes(context: SimulationContext): Promise<void> {
  const client = context.clientFor("system:serviceaccount:kube-system:node-controller");
  await runController(context, {
    sources: [watch(context, NodeKind)],
    step: async ({ name }) => {
      const node = await client.getOrUndefined(NodeKind, { name });
      if (!node) return;
      const { unschedulable = false, taints = [] } = node.spec ?? {};
      const others = taints.filter(({ key }) => key !== cordonTaint);
      if (unschedulable === others.length < taints.length) return;
      const taint: Taint = { key: cordonTaint, effect: "NoSchedule", timeAdded: timestamp(context.clock.now()) };
      const { resourceVersion } = node.metadata;
      const after = unschedulable ? [...others, taint] : others;
      const spec = { taints: after.length > 0 ? after : null };
      await client.patch(NodeKind, node, mergePatch({ metadata: { resourceVersion }, spec }));
    },
  });
}
