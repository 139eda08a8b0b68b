import type { Client } from "../../client/client.ts";
import type { ContainerAddress, ContainerLogs } from "./container-logs.ts";
import { nodeAddress, nodeName } from "./node.ts";
import { nextPodStage, type PodStage } from "./pod-stages.ts";
import { recordEvent } from "./record-event.ts";
import { runKindController, stepDelay, timestamp, type SimulationContext } from "./simulation-context.ts";
import { PodKind, type Pod } from "./simulated-kinds.ts";

/** Plays scheduler and kubelet of the only node: pods are bound, start, finish and stop, each after a while. */
export function runKubelet(context: SimulationContext): Promise<void> {
  const users: Users = {
    scheduler: context.clientFor("system:kube-scheduler"),
    kubelet: context.clientFor(`system:node:${nodeName}`),
  };
  const addresses = podAddresses();
  return runKindController(context, users.kubelet, {
    kind: PodKind,
    delay: () => stepDelay(context),
    step: async (key) => {
      const pod = await users.kubelet.getOrUndefined(PodKind, key);
      if (!pod || (pod.spec.nodeName && pod.spec.nodeName !== nodeName)) return;
      const now = timestamp(context);
      const stage = nextPodStage(pod, { now, hostIp: nodeAddress, podIp: addresses(pod.metadata.uid ?? "") });
      if (stage) await perform({ ...users, logs: context.logs }, { pod, stage, now });
    },
  });
}

interface Users {
  readonly scheduler: Client;
  readonly kubelet: Client;
}

/** Every pod keeps its address: 10.244.0.2 and up. */
function podAddresses(): (uid: string) => string {
  const given = new Map<string, string>();
  return (uid) => {
    const number = given.size + 2;
    const address = given.get(uid) ?? `10.244.${(number >> 8) & 255}.${number & 255}`;
    given.set(uid, address);
    return address;
  };
}

async function perform(
  { scheduler, kubelet, logs }: Users & { readonly logs: ContainerLogs },
  { pod, stage, now }: { pod: Pod; stage: PodStage; now: string },
): Promise<void> {
  const { namespace, name = "", uid } = pod.metadata;
  const tell = (type: "Normal" | "Warning", reason: string, message: string) =>
    recordEvent({ client: kubelet, component: "kubelet", now }, PodKind, pod, { type, reason, message });
  switch (stage.type) {
    case "schedule":
      await bind(scheduler, pod);
      await recordEvent({ client: scheduler, component: "default-scheduler", now }, PodKind, pod, {
        type: "Normal",
        reason: "Scheduled",
        message: `Successfully assigned ${namespace}/${name} to ${nodeName}`,
      });
      return;
    case "run":
      await kubelet.status.update(PodKind, { ...pod, status: stage.status });
      for (const image of stage.images) {
        await tell("Normal", "Pulled", `Container image "${image}" already present on machine`);
      }
      await tell("Normal", "Started", "Container started");
      for (const container of containersOf(pod)) {
        logs.append(container, now, "This container is simulated: its image is not run, so it prints nothing else.");
      }
      return;
    case "fail-pull":
      await kubelet.status.update(PodKind, { ...pod, status: stage.status });
      for (const image of stage.images) {
        await tell("Warning", "Failed", `Failed to pull image "${image}": the simulation fails images named fail:*`);
        await tell("Normal", "BackOff", `Back-off pulling image "${image}"`);
      }
      return;
    case "finish":
      await kubelet.status.update(PodKind, { ...pod, status: stage.status });
      for (const container of containersOf(pod)) logs.end(container);
      return;
    case "remove": {
      const preconditions = uid ? { preconditions: { uid } } : {};
      await kubelet.delete(PodKind, { namespace, name }, { gracePeriodSeconds: 0, ...preconditions });
      logs.delete(namespace ?? "", name);
    }
  }
}

function containersOf({ metadata, spec }: Pod): ContainerAddress[] {
  const { namespace = "", name = "" } = metadata;
  return spec.containers.map((container) => ({ namespace, pod: name, container: container.name }));
}

async function bind(scheduler: Client, pod: Pod): Promise<void> {
  const { namespace, name = "" } = pod.metadata;
  const binding = {
    apiVersion: "v1",
    kind: "Binding",
    metadata: { name, ...(namespace && { namespace }) },
    target: { apiVersion: "v1", kind: "Node", name: nodeName },
  };
  await scheduler.subResource("binding").create(PodKind, { namespace, name }, binding);
}
