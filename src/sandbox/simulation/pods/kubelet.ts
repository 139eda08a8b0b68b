import { equalJson } from "../../../apimachinery/equal.ts";
import { objectKey, type ObjectKey } from "../../../apimachinery/meta.ts";
import type { Client } from "../../../client/client.ts";
import { enqueueFromMap } from "../../../runtime/controller/handlers.ts";
import type { PodVariables } from "../context/container-commands.ts";
import { dataReader } from "../context/data-reader.ts";
import { PacedQueue, runController, watch } from "../context/run-controller.ts";
import { stepDelay, type SimulationContext } from "../context/simulation-context.ts";
import { timestamp } from "../../../apimachinery/time.ts";
import {
  ConfigMapKind,
  NodeKind,
  PodKind,
  SecretKind,
  type Pod,
  type PodStatus,
  ClaimKind,
} from "../context/simulated-kinds.ts";
import { isTerminated } from "./command-stages.ts";
import {
  unfinishedInit,
  deadlineMessage,
  expiredStatus,
  nextPodStage,
  stoppedStatus,
  type PodStage,
} from "./pod-stages.ts";
import { gatherNeeds, missingPlace, type Lack, type Needs } from "./pod-needs.ts";
import { observeConditions, observeStatus } from "./pod-conditions.ts";
import { changesIn } from "./planned-progress.ts";
import { containersOf, isFinished, type PodPlace } from "./pod-state.ts";
import { nodeAddress, nodeName } from "./register-node.ts";
import { addressOf, endLogs, explainSimulation, restartLogs } from "./simulated-logs.ts";
import { lackingStatus } from "./waiting-status.ts";

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
  /** The pods that lack something. */
  private readonly lacking = new Map<string, ObjectKey>();

  constructor(context: SimulationContext) {
    this.context = context;
    this.queue = new PacedQueue(context, () => stepDelay(context));
    this.scheduler = context.clientFor("system:kube-scheduler");
    this.client = context.clientFor(`system:node:${nodeName}`);
  }

  start(): Promise<void> {
    const lacking = enqueueFromMap(({ metadata }) =>
      [...this.lacking.values()].filter(({ namespace }) => namespace === metadata.namespace),
    );
    const allLacking = enqueueFromMap(() => [...this.lacking.values()]);
    return runController(this.context, {
      sources: [
        watch(this.context, PodKind),
        watch(this.context, NodeKind, allLacking),
        ...[ClaimKind, ConfigMapKind, SecretKind].map((kind) => watch(this.context, kind, lacking)),
      ],
      queue: this.queue,
      step: (key) => this.step(key),
    });
  }

  private async step(key: ObjectKey): Promise<number | void> {
    const { clock, commands, runsPod } = this.context;
    this.lacking.delete(idOf(key));
    const pod = await this.client.getOrUndefined(PodKind, key);
    if (!pod || (pod.spec.nodeName && pod.spec.nodeName !== nodeName)) return;
    const podIp = this.podIpOf(pod.metadata.uid ?? "");
    const place = { now: timestamp(clock.now()), hostIp: nodeAddress, podIp, commands: commands?.states(pod) };
    const stage = nextPodStage(pod, place);
    if (stage?.type === "run" && runsPod?.(pod)) return;
    if (stage) await this.perform(pod, stage, place);
    else if (!runsPod?.(pod)) await this.refresh(pod);
    return isFinished(pod) ? undefined : changesIn(pod, place.now, place.commands);
  }

  /** Updates the generation in the status of a pod, and starts the processes of one that is stored from before a restart. */
  private async refresh(pod: Pod): Promise<void> {
    if (isOutdated(pod)) await this.writeStatus(pod, pod.status ?? {});
    if (pod.status?.phase !== "Running" || this.begun.has(pod.metadata.uid ?? "")) return;
    const needs = await this.gather(pod);
    if ("lack" in needs) return;
    this.runContainers(pod, needs.variables);
    this.queue.add(objectKey(pod));
  }

  private async perform(pod: Pod, stage: PodStage, place: PodPlace): Promise<void> {
    switch (stage.type) {
      case "schedule":
        return this.schedule(pod, place);
      case "run":
        return this.run(pod, stage, place);
      case "fail-init":
        return this.failInit(pod, stage.status, place);
      case "run-ephemeral":
        await this.writeStatus(pod, stage.status);
        return this.recordStart(pod, stage.images);
      case "fail-pull":
        await this.writeStatus(pod, stage.status);
        for (const image of stage.images) {
          const why = `Failed to pull image "${image}": the simulation fails images named fail:*`;
          this.record(pod, "Warning", "Failed", why);
          this.record(pod, "Normal", "BackOff", `Back-off pulling image "${image}"`);
        }
        return;
      case "containers":
        if (!place.commands && pod.status?.phase !== "Running") {
          const needs = await this.gather(pod);
          if ("lack" in needs) return this.wait(pod, needs.lack, place);
        }
        await this.writeStatus(pod, stage.status);
        for (const name of stage.ended) this.context.logs.end(addressOf(pod, name));
        restartLogs(
          this.context,
          pod,
          stage.started.filter((name) => !place.commands?.has(name)),
        );
        for (const name of stage.waiting) {
          const { name: podName, namespace, uid } = pod.metadata;
          const what = `container ${name} in pod ${podName}_${namespace}(${uid})`;
          this.record(pod, "Warning", "BackOff", `Back-off restarting failed ${what}`);
        }
        if (stage.started.length > 0) this.record(pod, "Normal", "Started", "Container started");
        return;
      case "finish":
        return this.end(pod, stage.status);
      case "expire":
        await this.stop(pod, place, expiredStatus);
        return this.record(pod, "Normal", "DeadlineExceeded", deadlineMessage);
      case "stop":
        return this.stop(pod, place);
      case "remove":
        return this.remove(pod, place);
    }
  }

  private async schedule(pod: Pod, place: PodPlace): Promise<void> {
    const { namespace, name = "" } = pod.metadata;
    this.lacking.set(idOf(pod.metadata), objectKey(pod));
    const lack = await missingPlace(pod, this.scheduler);
    if (lack) return this.wait(pod, lack, place);
    this.lacking.delete(idOf(pod.metadata));
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

  private async run(pod: Pod, { status, images }: Extract<PodStage, { type: "run" }>, place: PodPlace): Promise<void> {
    const needs = await this.gather(pod);
    if ("lack" in needs) return this.wait(pod, needs.lack, place);
    this.runContainers(pod, needs.variables);
    // Init containers come first.
    if (unfinishedInit(pod, this.context.commands?.states(pod) ?? new Map()) >= 0)
      return this.queue.add(objectKey(pod));
    await this.writeStatus(pod, status);
    this.recordStart(pod, images);
  }

  private async failInit(pod: Pod, status: PodStatus, place: PodPlace): Promise<void> {
    const needs = await this.gather(pod);
    if ("lack" in needs) return this.wait(pod, needs.lack, place);
    const begun = new Set(status.initContainerStatuses?.filter(isTerminated).map(({ name }) => name));
    explainSimulation(
      this.context,
      pod,
      containersOf(pod).filter(({ name }) => begun.has(name)),
    );
    return this.end(pod, status);
  }

  /** Gathers what a pod needs. One that lacks something is called again when an object of its namespace changes. */
  private async gather(pod: Pod): Promise<Needs> {
    this.lacking.set(idOf(pod.metadata), objectKey(pod));
    const needs = await gatherNeeds(pod, dataReader(this.client, pod.metadata.namespace));
    if (!("lack" in needs)) this.lacking.delete(idOf(pod.metadata));
    return needs;
  }

  /** Reports once that a pod lacks something. */
  private async wait(pod: Pod, lack: Lack, place: PodPlace): Promise<void> {
    const lacking = lackingStatus(pod, lack, place);
    const isUnscheduled = lack.type === "claim" || lack.type === "node";
    const status = isUnscheduled ? observeConditions(pod, lacking) : observeStatus(pod, lacking);
    if (equalJson(status, pod.status)) return;
    await this.client.status.update(PodKind, { ...pod, status });
    if (isUnscheduled) {
      const recorder = this.context.recorder(this.scheduler, "default-scheduler");
      return recorder.event(pod, "Warning", "FailedScheduling", lack.message);
    }
    if (lack.type === "variable") return this.record(pod, "Warning", "Failed", `Error: ${lack.message}`);
    this.record(
      pod,
      "Warning",
      "FailedMount",
      `MountVolume.SetUp failed for volume "${lack.volume}" : ${lack.message}`,
    );
  }

  private recordStart(pod: Pod, images: readonly string[]): void {
    for (const image of images)
      this.record(pod, "Normal", "Pulled", `Container image "${image}" already present on machine`);
    this.record(pod, "Normal", "Started", "Container started");
  }

  private runContainers(pod: Pod, variables: PodVariables): void {
    const { commands } = this.context;
    const { uid = "" } = pod.metadata;
    if (this.begun.has(uid)) return;
    this.begun.add(uid);
    // OLM is simulated, too: it reads a catalog from ConfigMaps, and its pod would look for opm on this machine.
    const isCatalog = pod.metadata.ownerReferences?.some(({ kind }) => kind === "CatalogSource") ?? false;
    const run = (isCatalog ? undefined : commands?.start(pod, variables, () => this.queue.add(objectKey(pod)))) ?? [];
    const others = containersOf(pod).filter((each) => !run.includes(each));
    explainSimulation(this.context, pod, others);
  }

  private async end(pod: Pod, status: PodStatus): Promise<void> {
    await this.writeStatus(pod, status);
    endLogs(this.context, pod);
  }

  private async stop(pod: Pod, { now }: PodPlace, statusOf = stoppedStatus): Promise<void> {
    const commands = await this.context.commands?.stop(pod);
    return this.end(pod, statusOf(pod, { now, commands }));
  }

  /** Deletes a pod that has ended; one that has not is stopped before, which its watchers see. */
  private async remove(pod: Pod, place: PodPlace): Promise<void> {
    const { namespace = "", name = "", uid } = pod.metadata;
    if (isFinished(pod)) await this.context.commands?.stop(pod);
    else await this.stop(pod, place);
    if (uid) this.begun.delete(uid);
    const preconditions = uid ? { preconditions: { uid } } : {};
    await this.client.delete(PodKind, { namespace, name }, { gracePeriodSeconds: 0, ...preconditions });
    this.context.logs.delete(namespace, name);
  }

  private async writeStatus(pod: Pod, status: PodStatus): Promise<void> {
    await this.client.status.update(PodKind, { ...pod, status: observeStatus(pod, status) });
  }

  private record(pod: Pod, ...event: [type: "Normal" | "Warning", reason: string, message: string]): void {
    this.context.recorder(this.client, "kubelet").event(pod, ...event);
  }
}

/** Reports whether a pod on the node has changed since its status was written. */
function isOutdated(pod: Pod): boolean {
  const { metadata, spec, status } = pod;
  return Boolean(spec.nodeName) && !isFinished(pod) && status?.["observedGeneration"] !== metadata.generation;
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

function idOf({ namespace = "", name = "" }: Partial<ObjectKey>): string {
  return `${namespace}/${name}`;
}
