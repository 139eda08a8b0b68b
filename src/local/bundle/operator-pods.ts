import { readFile, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { objectKey } from "../../apimachinery/meta.ts";
import { serviceAccountUser } from "../../apimachinery/service-account.ts";
import { isConflict, isNotFound } from "../../apimachinery/status.ts";
import { retryOnConflict } from "../../client/retry-on-conflict.ts";
import { untilAborted } from "../../client/transport/abortable.ts";
import { formatKubeconfig } from "../../sandbox/disk/write-kubeconfig.ts";
import { freePorts, type WebhookEndpoint } from "../../sandbox/webhooks/webhook-endpoint.ts";
import type { Sandbox, SandboxPod } from "../../sandbox/start-sandbox.ts";
import { containerEnvironment, type Variables } from "../../sandbox/simulation/context/container-environment.ts";
import { dataReader } from "../../sandbox/simulation/context/data-reader.ts";
import { PodKind } from "../../sandbox/simulation/context/simulated-kinds.ts";
import type { LocalEvent } from "../local-event.ts";
import { libraryOf, type OperatorBuilder } from "../operator/build-operator.ts";
import { operatorArguments } from "../operator/operator-arguments.ts";
import { startOperator, type OperatorProcess } from "../operator/operator-process.ts";
import { reasonOf } from "../operator/supervise.ts";
import { podStatus, type ProgramState } from "./pod-status.ts";
import type { PodWebhooks } from "./pod-webhooks.ts";
import { takeFromBundle } from "./taken-from-bundle.ts";

const graceMs = 1_500;
const pauseMs = 100;
/** Delays before the next start of a program that has ended. */
const backOffMs = { first: 500, most: 10_000 };

export interface OperatorPodsOptions {
  readonly root: string;
  /** The operator's bundled program. */
  readonly program: string;
  readonly builder: OperatorBuilder;
  readonly sandbox: Pick<Sandbox, "client" | "addUser">;
  readonly webhooks: PodWebhooks;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly emit: (event: LocalEvent) => void;
}

/** Reports whether a pod is one of an operator that OLM has installed. */
export function isOperatorPod({ metadata, spec }: SandboxPod): boolean {
  const isInstalled = metadata.annotations?.["olm.operatorGroup"] !== undefined;
  return isInstalled && spec.containers.some(({ name }) => name === "manager");
}

/**
 * Runs the project's operator for the pods that OLM has made for it: with the token of their service account and the
 * environment of their container, so that it may do what the bundle allows, and nothing else.
 */
export class OperatorPods {
  private readonly options: OperatorPodsOptions;
  private readonly running = new Map<string, { readonly ended: AbortController; readonly done: Promise<void> }>();

  constructor(options: OperatorPodsOptions) {
    this.options = options;
  }

  /** Follows the pods until the signal aborts; then all programs have ended. */
  async run(signal: AbortSignal): Promise<void> {
    const { client } = this.options.sandbox;
    while (!signal.aborted) {
      const { items } = await client.list(PodKind);
      const pods = items.filter((pod) => isOperatorPod(pod) && pod.spec.nodeName && !pod.metadata.deletionTimestamp);
      const present = new Set(pods.map(({ metadata }) => metadata.uid ?? ""));
      for (const [uid, { ended }] of this.running) if (!present.has(uid)) ended.abort();
      for (const pod of pods) if (!this.running.has(pod.metadata.uid ?? "")) this.start(pod);
      await wait(pauseMs, undefined, { signal }).catch(() => {});
    }
    for (const { ended } of this.running.values()) ended.abort();
    await Promise.all([...this.running.values()].map(({ done }) => done));
  }

  private start(pod: SandboxPod): void {
    const uid = pod.metadata.uid ?? "";
    const ended = new AbortController();
    const done = this.supervise(pod, ended.signal)
      .catch((error: unknown) => this.options.emit({ type: "problem", error }))
      .finally(() => this.running.delete(uid));
    this.running.set(uid, { ended, done });
  }

  /** Starts the program of a pod, and again whenever it has ended, until the pod is gone. */
  private async supervise(pod: SandboxPod, signal: AbortSignal): Promise<void> {
    const { builder, emit, webhooks } = this.options;
    for (let restarts = 0; !signal.aborted; restarts++) {
      const environment = await this.environment(pod, restarts, signal);
      if (!environment) return;
      await builder.build();
      const [health = 0] = await freePorts(1);
      const endpoint = await webhooks.createEndpoint();
      const operator = await this.spawn(pod, environment, { health, webhooks: endpoint });
      emit({ type: "started", pid: operator.pid });
      const report = (state: ProgramState): Promise<void> => this.report(pod, state, restarts);
      const ready = this.untilReady(operator, health, signal).then(async (isReady) => {
        if (!isReady) return;
        webhooks.addReady(endpoint);
        await report({ type: "ready" });
      });
      const end = await Promise.race([operator.ended, untilAborted(signal)]);
      if (!end) await operator.stop(graceMs);
      await ready;
      webhooks.remove(endpoint);
      if (!end || signal.aborted) return;
      const delay = Math.min(backOffMs.first * 2 ** restarts, backOffMs.most);
      emit({ type: "ended", reason: reasonOf(end), restartMs: delay });
      const exitCode = "code" in end ? end.code : 137;
      await report({ type: "ended", exitCode, restarts: restarts + 1 });
      await wait(delay, undefined, { signal }).catch(() => {});
    }
  }

  /** Returns the environment once all is there that it is read from; undefined if the pod goes before. */
  private async environment(pod: SandboxPod, restarts: number, signal: AbortSignal): Promise<Variables | undefined> {
    const { client } = this.options.sandbox;
    const container = pod.spec.containers.find(({ name }) => name === "manager") ?? {};
    for (let told = ""; !signal.aborted;) {
      const read = dataReader(client, pod.metadata.namespace);
      const { variables, missing } = await containerEnvironment(pod, container, read);
      if (missing === undefined) return variables;
      if (missing !== told) await this.report(pod, { type: "waiting", message: missing }, restarts);
      told = missing;
      await wait(pauseMs, undefined, { signal }).catch(() => {});
    }
    return undefined;
  }

  private async spawn(
    pod: SandboxPod,
    environment: Variables,
    { health, webhooks }: { readonly health: number; readonly webhooks: WebhookEndpoint },
  ): Promise<OperatorProcess> {
    const { root, program, sandbox, env, emit } = this.options;
    const { namespace = "", name = "" } = pod.metadata;
    const account = pod.spec.serviceAccountName ?? "default";
    const config = sandbox.addUser(serviceAccountUser(namespace, account));
    const kubeconfig = join(dirname(program), `kubeconfig-${name}`);
    await writeFile(kubeconfig, formatKubeconfig({ ...config, namespace }), { mode: 0o600 });
    const container = pod.spec.containers.find((each) => each.name === "manager");
    const taken = await takeFromBundle(root, environment, container?.args ?? []);
    if (taken.ignored.length > 0) emit({ type: "bundleIgnored", names: taken.ignored });
    const own = [`--health-probe-bind-address=127.0.0.1:${health}`, "--metrics-bind-address=0"];
    const given = [...taken.args, ...own];
    const main = await readFile(join(root, "main.ts"), "utf8");
    return startOperator({
      file: program,
      cwd: root,
      args: operatorArguments(main, given, { webhooks }),
      env: { PATH: env["PATH"], HOME: env["HOME"], ...taken.variables, KUBECONFIG: kubeconfig },
      preload: libraryOf(root),
      onLine: (stream, line) => emit({ type: "output", stream, line }),
    });
  }

  /** Waits for the operator's readiness check; returns false if it ends before. */
  private async untilReady(operator: OperatorProcess, port: number, signal: AbortSignal): Promise<boolean> {
    const over = new AbortController();
    void operator.ended.then(() => over.abort());
    while (!over.signal.aborted && !signal.aborted) {
      if (await isReady(port)) return true;
      await wait(pauseMs);
    }
    return false;
  }

  private async report(pod: SandboxPod, state: ProgramState, restarts: number): Promise<void> {
    const { client } = this.options.sandbox;
    try {
      await retryOnConflict(async () => {
        const current = await client.get(PodKind, objectKey(pod as never));
        await client.status.update(PodKind, { ...current, status: podStatus(current, state, restarts) });
      });
    } catch (error) {
      // The pod may go at any time.
      if (!isNotFound(error) && !isConflict(error)) throw error;
    }
  }
}

function isReady(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const asked = request({ host: "127.0.0.1", port, path: "/readyz", timeout: 1_000 }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    asked.once("error", () => resolve(false)).once("timeout", () => asked.destroy());
    asked.end();
  });
}
