import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Clock } from "../apimachinery/clock.ts";
import type { UnstructuredObject } from "../apimachinery/meta.ts";
import type { AuditEvent } from "../apiserver/audit/audit-event.ts";
import { UseLog } from "../apiserver/audit/use-log.ts";
import type { Client } from "../client/client.ts";
import type { ClientConfig } from "../client/config/config.ts";
import { loadConfig } from "../client/config/load-config.ts";
import { createClient } from "../client/create-client.ts";
import { withFieldValidation } from "../client/with-write-options.ts";
import { ignoreNotFound } from "../client/ignore-not-found.ts";
import { TsopError } from "../errors/tsop-error.ts";
import { appendUses } from "../sandbox/use-file.ts";
import { formatKubeconfig } from "../sandbox/disk/write-kubeconfig.ts";
import { CustomResourceDefinition, installCrds } from "../client/manifests/install-crds.ts";
import { mergeCrdPatches, readCrds } from "../client/manifests/read-crds.ts";
import { readManifests } from "../client/manifests/read-manifests.ts";
import { installWebhooks, removeWebhooks, routeConversion } from "../sandbox/webhooks/route-webhooks.ts";
import { startSandbox, type SandboxFault, type SandboxUser } from "../sandbox/start-sandbox.ts";
import { makeWebhookEndpoint, type WebhookEndpoint } from "../sandbox/webhooks/webhook-endpoint.ts";
import { isProgramsFolder } from "../sandbox/envtest/write-programs.ts";
import { controlPlaneTimeouts } from "./control-plane-timeouts.ts";
import { namesAllAssets } from "./find-asset.ts";

/** The server of a test, and the objects that are installed before the test begins. */
export interface TestEnvironmentOptions {
  /** Files or folders with CRDs, and kustomize patches of them, relative to the working directory: `config/crd`. */
  readonly crdPaths?: readonly string[];
  readonly crds?: readonly UnstructuredObject[];
  /** Files or folders with webhook configurations; they, and conversion webhooks of CRDs, are sent to `webhooks`. */
  readonly webhookPaths?: readonly string[];
  /** The version of Kubernetes that the embedded server serves: `1.36`; 1.37 by default. */
  readonly kubernetesVersion?: string;
  /** Simulates controllers and a node. False by default, as in envtest; the embedded server only. */
  readonly simulate?: boolean;
  /** Time for the embedded server, such as a `manualClock()`; timestamps and delays follow it. */
  readonly clock?: Clock;
  /** Enforces roles on the embedded server; the others always do. */
  readonly rbac?: boolean;
  /**
   * Folder of etcd and kube-apiserver; KUBEBUILDER_ASSETS by default. Without either, and if it is the folder of
   * `tsop envtest`, the server is the embedded one.
   */
  readonly binaryAssetsDirectory?: string;
  /** Uses the cluster of the kubeconfig; also with USE_EXISTING_CLUSTER=true. */
  readonly useExistingCluster?: boolean;
  /** Removes the CRDs from an existing cluster at the end. */
  readonly cleanUpAfterUse?: boolean;
  /**
   * Timeout for the start of real programs; KUBEBUILDER_CONTROLPLANE_START_TIMEOUT, such as `2m`, or 20 s by default.
   */
  readonly startTimeoutMs?: number;
  /** Timeout for their stop; KUBEBUILDER_CONTROLPLANE_STOP_TIMEOUT, or 20 s by default. */
  readonly stopTimeoutMs?: number;
  /** Environment variables; by default those of the process. TSOP_ROLES names a file to record requests for `tsop roles`. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/**
 * An API server for tests with CRDs installed: the embedded one, real programs, or a cluster.
 *
 * @example
 * const env = new TestEnvironment({ crdPaths: ["config/crd/bases"] });
 * await env.start();
 * await env.client.create(Memcached, memcached);
 * await env.stop();
 */
export class TestEnvironment {
  private readonly options: TestEnvironmentOptions;
  private running: Running | undefined;
  private starting: Promise<void> | undefined;

  constructor(options: TestEnvironmentOptions = {}) {
    this.options = options;
  }

  /** Starts the server once, and resolves when the CRDs are served. Stops it if that fails. */
  async start(): Promise<void> {
    if (this.running) return;
    this.starting ??= this.startServer().finally(() => (this.starting = undefined));
    await this.starting;
  }

  private async startServer(): Promise<void> {
    const [crds, configurations] = await Promise.all([this.installedCrds(), read(this.options.webhookPaths)]);
    const server = await startServer(this.options);
    const client = createClient({ config: server.config });
    let folder: string | undefined;
    const stop = async (): Promise<void> => {
      // A cluster would reject requests whose webhooks no longer respond.
      if (server.existing) await removeWebhooks(client, configurations);
      await server.stop();
      if (folder) await rm(folder, { recursive: true, force: true });
    };
    try {
      folder = await mkdtemp(join(tmpdir(), "tsop-webhooks-"));
      const webhooks = await makeWebhookEndpoint(folder);
      const routed = crds.map((crd) => routeConversion(crd, webhooks));
      await installCrds(client, routed);
      await installWebhooks(client, configurations, webhooks);
      this.running = { ...server, stop, client: withFieldValidation(client, "Strict"), crds, webhooks };
    } catch (error) {
      await stop();
      throw error;
    }
  }

  async stop(): Promise<void> {
    // Whoever has started it gets the error.
    await this.starting?.catch(() => {});
    const running = this.running;
    this.running = undefined;
    if (!running) return;
    if (running.existing && this.options.cleanUpAfterUse) {
      for (const { metadata } of running.crds) {
        await running.client.delete(CustomResourceDefinition, { name: metadata.name ?? "" }).catch(ignoreNotFound);
      }
    }
    await running.stop();
  }

  /**
   * An administrator's client. It refuses to write unknown fields, which the server would drop: the fields of an
   * outdated CRD, or a misspelled name.
   */
  get client(): Client {
    return this.started().client;
  }

  /** The configuration for the manager under test. */
  get config(): ClientConfig {
    const { config, operator = config } = this.started();
    return operator;
  }

  /** The kubeconfig for kubectl and other programs. */
  get kubeconfig(): string {
    return formatKubeconfig(this.started().config);
  }

  /** The address and certificate of the manager's webhook server. */
  get webhooks(): { readonly host: string; readonly port: number; readonly certDir: string } {
    const { host, port, certDir } = this.started().webhooks;
    return { host, port, certDir };
  }

  /** Returns the configuration of another user, whose permissions come from roles and bindings. */
  addUser(user: SandboxUser): ClientConfig {
    return this.started().addUser(user);
  }

  /** Injects a fault into the embedded server; the returned function removes it. */
  inject(fault: SandboxFault): () => void {
    const { inject } = this.started();
    if (!inject) throw new TsopError("TSOP_EMBEDDED_ONLY", { feature: "fault injection" });
    return inject(fault);
  }

  private async installedCrds(): Promise<UnstructuredObject[]> {
    const { crdPaths = [], crds = [] } = this.options;
    const read = await Promise.all(crdPaths.map(readCrds));
    return mergeCrdPatches([...read.flat(), ...crds]);
  }

  private started(): Running {
    if (!this.running) throw new TsopError("TSOP_TEST_ENVIRONMENT_NOT_STARTED", {});
    return this.running;
  }
}

async function read(paths: readonly string[] = []): Promise<UnstructuredObject[]> {
  const manifests = await Promise.all(paths.map(readManifests));
  return manifests.flat().map(({ object }) => object);
}

interface Server {
  readonly config: ClientConfig;
  /** The configuration of the manager under test, if its requests are recorded. */
  readonly operator?: ClientConfig;
  readonly existing: boolean;
  addUser(user: SandboxUser): ClientConfig;
  readonly inject?: (fault: SandboxFault) => () => void;
  stop(): Promise<void>;
}

interface Running extends Server {
  readonly client: Client;
  readonly crds: readonly UnstructuredObject[];
  readonly webhooks: WebhookEndpoint;
}

async function startServer(options: TestEnvironmentOptions): Promise<Server> {
  const env = options.env ?? process.env;
  if (options.useExistingCluster ?? env["USE_EXISTING_CLUSTER"] === "true") {
    if (options.clock) throw new TsopError("TSOP_EMBEDDED_ONLY", { feature: "a clock" });
    const config = await loadConfig({ env });
    return { config, existing: true, addUser: impersonation(config), stop: async () => {} };
  }
  const assets = options.binaryAssetsDirectory ?? env["KUBEBUILDER_ASSETS"] ?? "";
  if (assets !== "" && isProgramsFolder(assets)) return startEmbedded(options);
  const isReal = assets !== "" || (options.binaryAssetsDirectory === undefined && namesAllAssets(env));
  if (!isReal) return startEmbedded(options);
  if (options.clock) throw new TsopError("TSOP_EMBEDDED_ONLY", { feature: "a clock" });
  if (options.simulate) throw new TsopError("TSOP_EMBEDDED_ONLY", { feature: "simulate: true" });
  const timeouts = controlPlaneTimeouts(options, env);
  const attachOutput = env["KUBEBUILDER_ATTACH_CONTROL_PLANE_OUTPUT"] === "true";
  // Few tests start programs, so that the code for it is loaded on demand.
  const { startControlPlane } = await import("./start-control-plane.ts");
  const plane = await startControlPlane({ assets, env, ...timeouts, attachOutput });
  return { ...plane, existing: false, addUser: impersonation(plane.config) };
}

async function startEmbedded(options: TestEnvironmentOptions): Promise<Server> {
  const { kubernetesVersion, simulate = false, rbac = false, clock, env = process.env } = options;
  const file = env["TSOP_ROLES"];
  const uses = file ? new UseLog() : undefined;
  const recorded = new Set([operatorUser.username]);
  const onAudit = (event: AuditEvent): void => {
    if (recorded.has(event.user.username)) uses?.note(event, "default");
  };
  const stopping = new AbortController();
  const settings = { kubernetesVersion, simulate, rbac, ...(clock && { clock }), ...(uses && { onAudit }) };
  const sandbox = await startSandbox(settings, stopping.signal);
  const stop = async (): Promise<void> => {
    stopping.abort();
    await sandbox.done;
    if (file && uses && uses.all.length > 0) await appendUses(file, { runs: 1, uses: uses.all });
  };
  const addUser = (user: SandboxUser): ClientConfig => {
    if (user.username.startsWith("system:serviceaccount:")) recorded.add(user.username);
    return sandbox.addUser(user);
  };
  return { ...sandbox, addUser, ...(uses && { operator: sandbox.addUser(operatorUser) }), existing: false, stop };
}

/** The user of the manager under test if its requests are recorded, so that they differ from those of the test. */
const operatorUser: SandboxUser = { username: "operator", groups: ["system:masters"] };

/** Creates users by impersonation, which needs no certificates for them. */
function impersonation(config: ClientConfig): Server["addUser"] {
  return ({ username, groups }) => ({ ...config, impersonate: { user: username, groups } });
}
