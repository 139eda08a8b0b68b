import { ignoreAlreadyExists } from "../../../client/ignore-not-found.ts";
import { mergePatch } from "../../../client/patches.ts";
import type { SimulationContext } from "../context/simulation-context.ts";
import { timestamp } from "../../../apimachinery/time.ts";
import type { Node, Taint } from "../../../k8s/core/v1.ts";
import { NodeKind } from "../context/simulated-kinds.ts";
import { runController, watch } from "../context/run-controller.ts";
import { cordonTaint } from "./node-fit.ts";

/** Name of the node that all pods run on. */
export const nodeName = "tsop-node";
export const nodeAddress = "172.18.0.2";
const nodeLabels: Record<string, string> = {
  // The older names of the two labels, which selectors still use.
  "beta.kubernetes.io/arch": "amd64",
  "beta.kubernetes.io/os": "linux",
  "kubernetes.io/arch": "amd64",
  "kubernetes.io/hostname": nodeName,
  "kubernetes.io/os": "linux",
  "node-role.kubernetes.io/control-plane": "",
};

/** Registers the node, which is ready at once. */
export async function registerNode(context: SimulationContext): Promise<void> {
  const client = context.clientFor(`system:node:${nodeName}`);
  const created = await client.create(NodeKind, newNode()).catch(ignoreAlreadyExists);
  // A patch, as controllers also write to a new node.
  await client.status.patch(NodeKind, { name: nodeName }, mergePatch({ status: readyStatus(context) }));
  // A new node is tainted until its controller finds it ready.
  const controller = context.clientFor("system:serviceaccount:kube-system:node-controller");
  if (created) await controller.patch(NodeKind, { name: nodeName }, mergePatch({ spec: { taints: null } }));
}

function newNode(): Node {
  return {
    apiVersion: "v1",
    kind: "Node",
    metadata: {
      name: nodeName,
      labels: nodeLabels,
    },
    spec: { podCIDR: "10.244.0.0/16", podCIDRs: ["10.244.0.0/16"] },
  };
}

function readyStatus({ clock, kubernetesVersion }: SimulationContext): Record<string, unknown> {
  const now = timestamp(clock.now());
  const resources = { cpu: "8", memory: "16Gi", "ephemeral-storage": "100Gi", pods: "1000" };
  const condition = (type: string, status: string, [reason, message]: readonly [string, string]) => ({
    type,
    status,
    reason,
    message,
    lastHeartbeatTime: now,
    lastTransitionTime: now,
  });
  return {
    capacity: resources,
    allocatable: resources,
    addresses: [
      { type: "InternalIP", address: nodeAddress },
      { type: "Hostname", address: nodeName },
    ],
    conditions: [
      condition("MemoryPressure", "False", ["KubeletHasSufficientMemory", "kubelet has sufficient memory available"]),
      condition("DiskPressure", "False", ["KubeletHasNoDiskPressure", "kubelet has no disk pressure"]),
      condition("PIDPressure", "False", ["KubeletHasSufficientPID", "kubelet has sufficient PID available"]),
      condition("Ready", "True", ["KubeletReady", "kubelet is posting ready status"]),
    ],
    nodeInfo: {
      architecture: "amd64",
      bootID: "",
      containerRuntimeVersion: "simulated://1",
      kernelVersion: "",
      kubeProxyVersion: "",
      kubeletVersion: `v${kubernetesVersion}`,
      machineID: "",
      operatingSystem: "linux",
      osImage: "tsop sandbox",
      systemUUID: "",
    },
  };
}

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
