import { spawn, type ChildProcess } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, connect, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { gunzipSync } from "node:zlib";
import type { ClientConfig } from "../../../src/client/config/config.ts";
import { startSandbox } from "../../../src/sandbox/start-sandbox.ts";
import { objectKey, type Named } from "../../../src/apimachinery/meta.ts";
import { retryOnConflict } from "../../../src/client/retry-on-conflict.ts";
import type { Client } from "../../../src/client/client.ts";
import { installCrds } from "../../../src/client/manifests/install-crds.ts";
import { readManifests } from "../../../src/client/manifests/read-manifests.ts";
import { freePorts } from "../../../src/sandbox/webhooks/webhook-endpoint.ts";
import {
  ConfigMapKind,
  NamespaceKind,
  PodKind,
  type Pod,
} from "../../../src/sandbox/simulation/context/simulated-kinds.ts";
import { createClient } from "../../../src/client/create-client.ts";
import { formatKubeconfig } from "../../../src/sandbox/disk/write-kubeconfig.ts";
import { unpackBundle, unpacksBundle, type UnpackOptions } from "./unpack-job.ts";
import { controlledControlPlane } from "../apiserver/controlled-target.ts";

export interface RealOlmOptions {
  readonly assets: string;
  readonly programs: string;
  /** Runs OLM's controllers against the embedded server. */
  readonly embedded?: boolean;
  /** The authority of a registry that the nodes trust. */
  readonly caFile?: string;
  /** More flags of the real API server. */
  readonly apiServerArguments?: readonly string[];
}

export interface RealOlm {
  readonly client: Client;
  readonly config: ClientConfig;
  /** The file of an administrator. */
  readonly kubeconfig: string;
  readonly stop: () => Promise<void>;
}

/** Starts a real control plane with OLM's two controllers, and a kubelet that serves catalogs and unpacks bundles. */
export async function startRealOlm({
  assets,
  programs,
  embedded = false,
  caFile,
  apiServerArguments,
}: RealOlmOptions): Promise<RealOlm> {
  const folder = mkdtempSync(join(tmpdir(), "tsop-olm-"));
  const plane = embedded
    ? await startEmbedded()
    : await controlledControlPlane(assets, { runsPod, apiServerArguments });
  const client = createClient({ config: plane.config });
  const crds = await readManifests(join(programs, "crds"));
  await installCrds(
    client,
    crds.map(({ object }) => object),
  );
  for (const name of ["olm", "operators"])
    await client.create(NamespaceKind, { apiVersion: "v1", kind: "Namespace", metadata: { name } });
  const apiVersion = "operators.coreos.com/v1";
  await client.create(await client.kindFor(apiVersion, "OLMConfig"), {
    apiVersion,
    kind: "OLMConfig",
    metadata: { name: "cluster" },
  });
  const file = join(folder, "kubeconfig");
  writeFileSync(file, formatKubeconfig(plane.config), { mode: 0o600 });
  const env = { ...process.env, KUBECONFIG: file, OPERATOR_NAMESPACE: "olm", OPERATOR_NAME: "olm-operator" };
  const controllers = [
    spawn(
      join(programs, "olm"),
      ["--namespace", "olm", "--writeStatusName", "", "--writePackageServerStatusName", ""],
      { env, stdio: "ignore" },
    ),
    spawn(join(programs, "catalog"), ["--namespace", "olm", "--writeStatusName", ""], { env, stdio: "ignore" }),
  ];
  const kubelet = new CatalogKubelet(client, { opm: join(assets, "opm"), folder, kubeconfig: file, caFile });
  const running = kubelet.run();
  return {
    client,
    config: plane.config,
    kubeconfig: file,
    async stop() {
      kubelet.stop();
      await running.catch(() => {}); // thrown at the end
      await Promise.all(controllers.map(end));
      await plane.stop();
      rmSync(folder, { recursive: true, force: true });
      await running;
    },
  };
}

async function startEmbedded(): Promise<{ config: ClientConfig; stop: () => Promise<void> }> {
  const ended = new AbortController();
  const sandbox = await startSandbox({ runsPod, rbac: true, pace: { min: 1, max: 10 } }, ended.signal);
  return {
    config: sandbox.config,
    async stop() {
      ended.abort();
      await sandbox.done;
    },
  };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGTERM");
  await Promise.race([ended, wait(3_000)]);
  if (child.exitCode === null) child.kill("SIGKILL");
  await ended;
}

function isCatalog({ spec }: Pod): boolean {
  return spec.containers.some(({ name }) => name === "registry-grpc");
}

function runsPod(pod: Pod): boolean {
  return isCatalog(pod) || unpacksBundle(pod);
}

/** Runs the pods of catalogs, which opm serves at an address of their own, and of bundles to unpack. */
class CatalogKubelet {
  private readonly ended = new AbortController();
  private readonly served = new Map<string, { child: ChildProcess; server: Server; address: string }>();
  private readonly client: Client;
  private readonly options: Omit<UnpackOptions, "client">;
  private readonly tries = new Map<string, number>();
  private next = 2;

  constructor(client: Client, options: Omit<UnpackOptions, "client">) {
    this.client = client;
    this.options = options;
  }

  stop(): void {
    this.ended.abort();
  }

  async run(): Promise<void> {
    const { signal } = this.ended;
    while (!signal.aborted) {
      const { items } = await this.client.list(PodKind);
      const waiting = items.filter((pod) => runsPod(pod) && pod.spec.nodeName && pod.status?.phase === "Pending");
      for (const pod of waiting) await (isCatalog(pod) ? this.start(pod) : this.unpack(pod));
      const alive = new Set(items.map(({ metadata }) => metadata.uid));
      for (const [uid, { child, server }] of this.served) {
        if (alive.has(uid)) continue;
        this.served.delete(uid);
        server.close();
        await end(child);
      }
      await wait(100, undefined, { signal }).catch(() => {});
    }
    for (const { child, server } of this.served.values()) {
      server.close();
      await end(child);
    }
  }

  private async start(pod: Pod): Promise<void> {
    const podIP = await this.serve(pod);
    const ready = { status: "True", lastTransitionTime: new Date().toISOString() } as const;
    const conditions = ["Ready", "ContainersReady", "Initialized"].map((type) => ({ type, ...ready }));
    await this.setStatus(pod, { phase: "Running", podIP, conditions });
  }

  private async setStatus(pod: Pod, changes: object): Promise<void> {
    // kube-controller-manager writes pods, too.
    await retryOnConflict(async () => {
      const current = await this.client.get(PodKind, objectKey(pod as Named<Pod>));
      const status = { ...current.status, ...changes };
      await this.client.status.update(PodKind, { ...current, status });
    });
  }

  private async unpack(pod: Pod): Promise<void> {
    const { uid = "" } = pod.metadata;
    const tried = this.tries.get(uid) ?? 0;
    // A kubelet backs off, too.
    if (tried > 3) return;
    this.tries.set(uid, tried + 1);
    const folder = join(this.options.folder, `${uid}-${tried}`);
    const problem = await unpackBundle(pod, { client: this.client, ...this.options, folder }).then(
      () => undefined,
      (error: Error) => error.message,
    );
    const waiting = { name: "pull", state: { waiting: { reason: "ErrImagePull", message: problem } } };
    await this.setStatus(pod, problem === undefined ? { phase: "Succeeded" } : { initContainerStatuses: [waiting] });
  }

  /** Serves the ConfigMaps of a pod at port 50051 of an address of this process, which forwards to opm's port. */
  private async serve(pod: Pod): Promise<string> {
    const { uid = "", namespace } = pod.metadata;
    const known = this.served.get(uid);
    if (known) return known.address;
    const folder = join(this.options.folder, uid);
    mkdirSync(folder);
    for (const { configMap } of (pod.spec["volumes"] ?? []) as { configMap?: { name: string } }[]) {
      if (!configMap) continue;
      const map = (await this.client.get(ConfigMapKind, { namespace, name: configMap.name })) as {
        binaryData?: Record<string, string>;
      };
      const text = gunzipSync(Buffer.from(map.binaryData?.["extraFBC"] ?? "", "base64"));
      writeFileSync(join(folder, `${configMap.name}.yaml`), text);
    }
    const [port = 0] = await freePorts(1);
    const child = spawn(this.options.opm, ["serve", folder, "-p", String(port), "--pprof-addr", "127.0.0.1:0"], {
      stdio: "ignore",
    });
    const address = `127.${(process.pid >> 8) & 0xff}.${process.pid & 0xff}.${this.next++}`;
    const server = createServer((socket) => {
      const target = connect(port, "127.0.0.1");
      const close = (): void => void (socket.destroy(), target.destroy());
      socket.pipe(target).on("error", close);
      target.pipe(socket).on("error", close);
    });
    await new Promise<void>((resolve) => server.listen(50_051, address, resolve));
    this.served.set(uid, { child, server, address });
    for (let tries = 0; tries < 100 && !(await answers(port)); tries++) await wait(50);
    return address;
  }
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => resolve((socket.destroy(), true))).once("error", () => resolve(false));
  });
}
