import type { Client } from "../../../client/client.ts";
import type { ContainerAddress } from "../context/container-logs.ts";
import { nodeAddress, nodeName } from "./node.ts";
import { nextPodStage, type PodStage } from "./pod-stages.ts";
import { recordEvent } from "../context/record-event.ts";
import { keyOf, runKindController, stepDelay, type SimulationContext } from "../context/simulation-context.ts";
import { timestamp } from "../context/timestamp.ts";
import { PodKind, type Pod } from "../context/simulated-kinds.ts";

/** Plays scheduler and kubelet of the only node: pods are bound, start, finish and stop, each after a while. */
export async function runKubelet(context: SimulationContext): Promise<void> {
  const kubelet = new Kubelet(context);
  await kubelet.start();
}

class Kubelet {
  readonly #context: SimulationContext;
  readonly #scheduler: Client;
  readonly #client: Client;
  readonly #addressOf = podAddresses();

  constructor(context: SimulationContext) {
    this.#context = context;
    this.#scheduler = context.clientFor("system:kube-scheduler");
    this.#client = context.clientFor(`system:node:${nodeName}`);
  }

  start(): Promise<void> {
    const { commands } = this.#context;
    return runKindController(this.#context, this.#client, {
      kind: PodKind,
      delay: () => stepDelay(this.#context),
      step: async (key, again) => {
        const pod = await this.#client.getOrUndefined(PodKind, key);
        if (!pod || (pod.spec.nodeName && pod.spec.nodeName !== nodeName)) return;
        const now = timestamp(this.#context);
        const podIp = this.#addressOf(pod.metadata.uid ?? "");
        const stage = nextPodStage(pod, { now, hostIp: nodeAddress, podIp, exitCode: commands?.exitCode(pod) });
        if (stage) await this.#perform(pod, stage, () => again(keyOf(pod)));
      },
    });
  }

  async #perform(pod: Pod, stage: PodStage, again: () => void): Promise<void> {
    switch (stage.type) {
      case "schedule":
        return this.#schedule(pod);
      case "run":
        await this.#client.status.update(PodKind, { ...pod, status: stage.status });
        this.#runContainers(pod, again);
        for (const image of stage.images) {
          await this.#tell(pod, "Normal", "Pulled", `Container image "${image}" already present on machine`);
        }
        return this.#tell(pod, "Normal", "Started", "Container started");
      case "fail-pull":
        await this.#client.status.update(PodKind, { ...pod, status: stage.status });
        for (const image of stage.images) {
          const why = `Failed to pull image "${image}": the simulation fails images named fail:*`;
          await this.#tell(pod, "Warning", "Failed", why);
          await this.#tell(pod, "Normal", "BackOff", `Back-off pulling image "${image}"`);
        }
        return;
      case "finish":
        await this.#client.status.update(PodKind, { ...pod, status: stage.status });
        for (const container of containersOf(pod)) this.#context.logs.end(container);
        return;
      case "remove":
        return this.#remove(pod);
    }
  }

  async #schedule(pod: Pod): Promise<void> {
    const { namespace, name = "" } = pod.metadata;
    const binding = {
      apiVersion: "v1",
      kind: "Binding",
      metadata: { name, ...(namespace && { namespace }) },
      target: { apiVersion: "v1", kind: "Node", name: nodeName },
    };
    await this.#scheduler.subResource("binding").create(PodKind, { namespace, name }, binding);
    const source = { context: this.#context, client: this.#scheduler, component: "default-scheduler" };
    const message = `Successfully assigned ${namespace}/${name} to ${nodeName}`;
    await recordEvent(source, PodKind, pod, { type: "Normal", reason: "Scheduled", message });
  }

  #runContainers(pod: Pod, again: () => void): void {
    const { commands, logs } = this.#context;
    if (commands?.concerns(pod)) return commands.start(pod, again);
    const text = "This container is simulated: its image is not run, so it prints nothing else.";
    for (const container of containersOf(pod)) logs.append(container, timestamp(this.#context), text);
  }

  async #remove(pod: Pod): Promise<void> {
    const { namespace = "", name = "", uid } = pod.metadata;
    await this.#context.commands?.stop(pod);
    const preconditions = uid ? { preconditions: { uid } } : {};
    await this.#client.delete(PodKind, { namespace, name }, { gracePeriodSeconds: 0, ...preconditions });
    this.#context.logs.delete(namespace, name);
  }

  #tell(
    pod: Pod,
    ...[type, reason, message]: [type: "Normal" | "Warning", reason: string, message: string]
  ): Promise<void> {
    const source = { context: this.#context, client: this.#client, component: "kubelet" };
    return recordEvent(source, PodKind, pod, { type, reason, message });
  }
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

function containersOf({ metadata, spec }: Pod): ContainerAddress[] {
  const { namespace = "", name = "" } = metadata;
  return spec.containers.map((container) => ({ namespace, pod: name, container: container.name }));
}
