import { objectKey } from "../../../apimachinery/meta.ts";
import type { Client } from "../../../client/client.ts";
import type { ContainerAddress } from "../context/container-logs.ts";
import { nodeAddress, nodeName } from "./register-node.ts";
import { nextPodStage, type PodStage } from "./pod-stages.ts";
import { PacedQueue, runController, watch } from "../context/run-controller.ts";
import { stepDelay, type SimulationContext } from "../context/simulation-context.ts";
import { timestamp } from "../../../apimachinery/time.ts";
import { PodKind, type Container, type Pod } from "../context/simulated-kinds.ts";

/** Simulates the scheduler and the kubelet of the node: pods are bound, start, finish and stop, each after a delay. */
export async function runKubelet(context: SimulationContext): Promise<void> {
  const kubelet = new Kubelet(context);
  await kubelet.start();
}

class Kubelet {
  private readonly context: SimulationContext;
  private readonly scheduler: Client;
  private readonly client: Client;
  private readonly queue: PacedQueue;
  private readonly podIpOf = podAddresses();
  /** The uids of pods whose containers run in this process. */
  private readonly begun = new Set<string>();

  constructor(context: SimulationContext) {
    this.context = context;
    this.queue = new PacedQueue(context, () => stepDelay(context));
    this.scheduler = context.clientFor("system:kube-scheduler");
    this.client = context.clientFor(`system:node:${nodeName}`);
  }

  start(): Promise<void> {
    const { commands, runsPod } = this.context;
    return runController(this.context, {
      sources: [watch(this.context, PodKind)],
      queue: this.queue,
      step: async (key) => {
        const pod = await this.client.getOrUndefined(PodKind, key);
        if (!pod || (pod.spec.nodeName && pod.spec.nodeName !== nodeName)) return;
        const now = timestamp(this.context.clock.now());
        const podIp = this.podIpOf(pod.metadata.uid ?? "");
        const stage = nextPodStage(pod, { now, hostIp: nodeAddress, podIp, commands: commands?.states(pod) });
        const isForeign = stage?.type === "run" && runsPod?.(pod);
        if (stage && !isForeign) await this.perform(pod, stage);
        // Pods that are stored from before a restart of the server have no processes yet.
        else if (
          !stage &&
          pod.status?.phase === "Running" &&
          !this.begun.has(pod.metadata.uid ?? "") &&
          !runsPod?.(pod)
        ) {
          this.runContainers(pod);
          this.queue.add(objectKey(pod));
        }
      },
    });
  }

  private async perform(pod: Pod, stage: PodStage): Promise<void> {
    switch (stage.type) {
      case "schedule":
        return this.schedule(pod);
      case "run":
      case "run-ephemeral":
        await this.client.status.update(PodKind, { ...pod, status: stage.status });
        if (stage.type === "run") this.runContainers(pod);
        for (const image of stage.images) {
          this.record(pod, "Normal", "Pulled", `Container image "${image}" already present on machine`);
        }
        return this.record(pod, "Normal", "Started", "Container started");
      case "fail-pull":
        await this.client.status.update(PodKind, { ...pod, status: stage.status });
        for (const image of stage.images) {
          const why = `Failed to pull image "${image}": the simulation fails images named fail:*`;
          this.record(pod, "Warning", "Failed", why);
          this.record(pod, "Normal", "BackOff", `Back-off pulling image "${image}"`);
        }
        return;
      case "containers":
        await this.client.status.update(PodKind, { ...pod, status: stage.status });
        for (const name of stage.ended) this.context.logs.end(addressOf(pod, name));
        for (const name of stage.waiting) {
          const { name: podName, namespace, uid } = pod.metadata;
          const what = `container ${name} in pod ${podName}_${namespace}(${uid})`;
          this.record(pod, "Warning", "BackOff", `Back-off restarting failed ${what}`);
        }
        if (stage.started.length > 0) this.record(pod, "Normal", "Started", "Container started");
        return;
      case "finish":
        await this.client.status.update(PodKind, { ...pod, status: stage.status });
        for (const container of containersOf(pod)) this.context.logs.end(container);
        return;
      case "remove":
        return this.remove(pod);
    }
  }

  private async schedule(pod: Pod): Promise<void> {
    const { namespace, name = "" } = pod.metadata;
    const binding = {
      apiVersion: "v1",
      kind: "Binding",
      metadata: { name, ...(namespace && { namespace }) },
      target: { apiVersion: "v1", kind: "Node", name: nodeName },
    };
    await this.scheduler.subResource("binding").create(PodKind, { namespace, name }, binding);
    const message = `Successfully assigned ${namespace}/${name} to ${nodeName}`;
    this.context.recorder(this.scheduler, "default-scheduler").event(pod, "Normal", "Scheduled", message);
  }

  private runContainers(pod: Pod): void {
    const { commands, logs, clock } = this.context;
    const { uid = "" } = pod.metadata;
    if (this.begun.has(uid)) return;
    this.begun.add(uid);
    // OLM is simulated, too: it reads a catalog from ConfigMaps, and its pod would look for opm on this machine.
    const isCatalog = pod.metadata.ownerReferences?.some(({ kind }) => kind === "CatalogSource") ?? false;
    const run = (isCatalog ? undefined : commands?.start(pod, () => this.queue.add(objectKey(pod)))) ?? [];
    for (const container of pod.spec.containers.filter((each) => !run.includes(each))) {
      logs.append(addressOf(pod, container.name), timestamp(clock.now()), explainSimulation(container, !commands));
    }
  }

  private async remove(pod: Pod): Promise<void> {
    const { namespace = "", name = "", uid } = pod.metadata;
    await this.context.commands?.stop(pod);
    if (uid) this.begun.delete(uid);
    const preconditions = uid ? { preconditions: { uid } } : {};
    await this.client.delete(PodKind, { namespace, name }, { gracePeriodSeconds: 0, ...preconditions });
    this.context.logs.delete(namespace, name);
  }

  private record(pod: Pod, ...event: [type: "Normal" | "Warning", reason: string, message: string]): void {
    this.context.recorder(this.client, "kubelet").event(pod, ...event);
  }
}

/** Returns the log of a container whose image is not run. */
function explainSimulation({ command: [program] = [] }: Container, hint: boolean): string {
  const simulated = "This container is simulated: its image is not run, so it prints nothing else.";
  if (hint)
    return `${simulated} With --run-commands, the commands of containers run on this machine, if it has the programs.`;
  return program ? `${simulated} This machine has no program ${program}.` : simulated;
}

/** Returns a function that assigns each pod an address, from 10.244.0.2. */
function podAddresses(): (uid: string) => string {
  const given = new Map<string, string>();
  return (uid) => {
    const number = given.size + 2;
    const address = given.get(uid) ?? `10.244.${(number >> 8) & 255}.${number & 255}`;
    given.set(uid, address);
    return address;
  };
}

function containersOf(pod: Pod): ContainerAddress[] {
  return pod.spec.containers.map(({ name }) => addressOf(pod, name));
}

function addressOf({ metadata: { namespace = "", name = "" } }: Pod, container: string): ContainerAddress {
  return { namespace, pod: name, container };
}
