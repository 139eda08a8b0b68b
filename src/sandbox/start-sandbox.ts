import { setMaxListeners } from "node:events";
import { systemClock } from "../apimachinery/clock.ts";
import {
  findKubernetesVersion,
  kubernetesVersion as newestVersion,
  kubernetesVersions,
} from "../apimachinery/kubernetes-version.ts";
import { timestamp } from "../apimachinery/time.ts";
import type { User } from "../apiserver/api-server.ts";
import type { Attributes } from "../apiserver/access/authorization.ts";
import { createApiServer, type ApiServerOptions, type EmbeddedApiServer } from "../apiserver/create-api-server.ts";
import type { Fault } from "../apiserver/verbs/request/fault-injector.ts";
import { startHttp, type HttpOptions, type Interceptor, type RunningServer } from "../apiserver/http/start-http.ts";
import type { Snapshot } from "../apiserver/storage/store.ts";
import type { Client } from "../client/client.ts";
import type { ClientConfig } from "../client/config/config.ts";
import { createClient } from "../client/create-client.ts";
import type { Transport } from "../client/transport.ts";
import { TsopError } from "../errors/tsop-error.ts";
import { completeRoles, defaultRoles } from "./complete-roles.ts";
import { formatKubeconfig } from "./disk/write-kubeconfig.ts";
import { inProcessTransport } from "./in-process-transport.ts";
import type { SavedState, StateOptions } from "./disk/saved-state.ts";
import { requireSignals } from "./require-signals.ts";
import { seededRandom } from "./seeded-random.ts";
import { feedOf } from "./simulation/context/object-feed.ts";
import type { FurtherController, startSimulation } from "./simulation/start-simulation.ts";
import type { DelayRange, SimulationOptions } from "./simulation/context/simulation-context.ts";
import type { Pod } from "./simulation/context/simulated-kinds.ts";
import { ContainerConnections } from "./simulation/context/container-connections.ts";
import { ContainerLogs } from "./simulation/context/container-logs.ts";
import type { WebhookAddress } from "./webhooks/webhook-endpoint.ts";

/** The control plane and the node of a sandbox. */
interface SimulationSettings {
  /** True if controllers and a node are simulated; false leaves objects alone, as envtest does. True by default. */
  readonly simulate?: boolean;
  /** True if pods get service accounts, which controllers make; by default if controllers are simulated. */
  readonly accounts?: boolean;
  /** False if nobody reads the rules of aggregated ClusterRoles, which controllers fill; true by default. */
  readonly aggregateRoles?: boolean;
  readonly pace?: DelayRange;
  /** Seed of the random delays. */
  readonly seed?: number;
  /** Runs the commands of containers on this machine, without isolation, if it has their programs. */
  readonly runCommands?: boolean;
  /** Returns true for pods that the caller runs: the node gets them, and the caller writes their status. */
  readonly runsPod?: (pod: SandboxPod) => boolean;
  /** Simulates the Operator Lifecycle Manager. */
  readonly olm?: boolean;
  /** Simulates the sharder of kubernetes-controller-sharding. */
  readonly sharding?: boolean;
  /** Plays cert-manager, if controllers are simulated: its CRDs, issuers that need no server, and the CA injector. */
  readonly certManager?: boolean;
}

interface PersistSettings {
  /** The objects to begin with, instead of those of an empty cluster. */
  readonly restore?: Snapshot;
  /** Folder that keeps the server's objects, its authority and its tokens. */
  readonly persist?: string;
}

/** Options that the embedded server gets as they are. */
type PassedOptions = "rbac" | "forbiddenHint" | "endlessWatches" | "onUnsupported" | "onAudit" | "onChange";

export interface SandboxOptions
  extends SimulationSettings, PersistSettings, Pick<ApiServerOptions, PassedOptions | "clock"> {
  /** The version of Kubernetes that is served: 1.36, 1.36.3; 1.37 by default. */
  readonly kubernetesVersion?: string | undefined;
  /** Port of the server; a free one by default. */
  readonly port?: number;
  /**
   * Endpoint that is called for webhooks of services, as the sandbox has no service network. Clients get the certificate
   * with their configuration.
   */
  readonly webhooks?: Pick<WebhookAddress, "url" | "caBundle"> & Partial<Pick<WebhookAddress, "certificate">>;
  /** Stands between the clients that connect and the server, to delay, change or cut requests. */
  readonly intercept?: Interceptor;
  /** How clients reach the server; over HTTPS on loopback by default. */
  readonly listen?: (server: EmbeddedApiServer, options: HttpOptions) => Promise<RunningServer>;
  /** Called with failures in the background: of the simulation, and of saving. */
  readonly onError?: (error: unknown) => void;
}

/** A pod with the fields that the simulation reads. */
export type SandboxPod = Pod;
/** The name of a user, and the groups that roles are bound to. */
export type SandboxUser = Pick<User, "username" | "groups">;
/** The requests that the embedded server fails, and the failure. */
export type SandboxFault = Fault;
/** An action that RBAC does not allow. */
export type ForbiddenAction = Attributes;

/** An API server on loopback with the controllers of a cluster. */
export interface Sandbox {
  readonly url: string;
  readonly config: ClientConfig;
  /** The kubeconfig for kubectl. */
  readonly kubeconfig: string;
  /** An administrator's client, in this process. */
  readonly client: Client;
  /** The transport of that client. */
  readonly transport: Transport;
  /** Returns the current state, with which another sandbox may begin. */
  snapshot(): Snapshot;
  /** Creates a user, and returns the configuration of its clients. */
  addUser(user: SandboxUser): ClientConfig;
  /** Injects a fault; the returned function removes it. */
  inject(fault: SandboxFault): () => void;
  /** Settles when everything has stopped. */
  readonly done: Promise<void>;
}

/** Starts a sandbox that runs until the signal aborts. */
export async function startSandbox(options: SandboxOptions, until: AbortSignal): Promise<Sandbox> {
  if (options.runCommands) requireSignals("running the commands of containers");
  const kubernetesVersion = servedVersion(options.kubernetesVersion);
  const signal = AbortSignal.any([until]);
  // Every watch and controller adds a listener to the signal, so that many listeners are not a leak.
  setMaxListeners(0, signal);
  const { clock = systemClock(), rbac = false, forbiddenHint, simulate = true, onError = () => {} } = options;
  const now = (): string => timestamp(clock.now());
  const definitions =
    options.certManager && simulate ? await import("./cert-manager/start-cert-manager.ts") : undefined;
  const define = (state: Snapshot): Snapshot => definitions?.addDefinitions(state, now()) ?? state;
  const complete = (saved: Snapshot): Snapshot => define(completeRoles(saved, defaultRoles(now(), kubernetesVersion)));
  const initial = (): Snapshot => options.restore ?? define(defaultRoles(now(), kubernetesVersion));
  const state = await loadState(options, { initial, complete, onError });
  const logs = new ContainerLogs();
  const createServer = (saved: Pick<ApiServerOptions, "restore" | "journal">): EmbeddedApiServer =>
    createApiServer({
      clock,
      rbac,
      kubernetesVersion,
      accounts: options.accounts ?? simulate,
      ...saved,
      ...(forbiddenHint && { forbiddenHint }),
      ...(options.endlessWatches && { endlessWatches: true }),
      ...(options.onAudit && { onAudit: options.onAudit }),
      ...(options.onChange && { onChange: options.onChange }),
      ...(options.onUnsupported && { onUnsupported: options.onUnsupported }),
      ...(options.webhooks && { resolveService: () => locateWebhooks(options.webhooks!) }),
      ...(simulate && { podLog: (request) => logs.read(request) }),
      ...(simulate && options.runCommands && { podConnections: new ContainerConnections(() => client, logs) }),
    });
  const server = state ? await state.restore(createServer) : createServer({ restore: initial() });
  const { authority } = state ?? {};
  const { port = 0, intercept } = options;
  const http = await listen(options.listen ?? startHttp, server, {
    port,
    signal,
    intercept,
    ...(authority && { authority }),
  }).catch(async (error: unknown) => {
    await state?.close();
    throw error;
  });
  const transport = inProcessTransport(server, administrator);
  const client = createClient({ transport });
  const work = [http.done];
  if (options.olm) await (await import("./olm/start-olm.ts")).installOlm(client, signal);
  if (options.sharding) await (await import("./sharding/install-sharding.ts")).installSharding(client, signal);
  if (simulate) {
    const simulation = simulationOptions(server, options, {
      kubernetesVersion,
      clock,
      caData: http.caData,
      logs,
      signal,
      onError,
    });
    // The server keeps running without its controllers.
    work.push(startControllers(simulation, { transport, store: server.store }, options).catch(onError));
  }
  const webhookCertificate = options.webhooks?.certificate;
  const configFor = (token: string): ClientConfig => ({
    server: http.url,
    namespace: "default",
    source: "the embedded server",
    ca: Buffer.from(http.caData, "base64").toString("utf8"),
    token,
    ...(webhookCertificate && { webhookCertificate }),
  });
  const config = configFor(http.token);
  return {
    url: http.url,
    config,
    get kubeconfig() {
      return formatKubeconfig(config);
    },
    client,
    transport,
    snapshot: () => server.snapshot(),
    addUser: (user) => configFor(server.addUser(user)),
    inject: (fault) => server.faults.inject(fault),
    done: finish(work, server, state),
  };
}

/** Waits for the end of all work, then closes the server and, after its last write, the state. */
async function finish(work: Promise<void>[], server: EmbeddedApiServer, state: SavedState | undefined): Promise<void> {
  try {
    await Promise.all(work);
  } finally {
    server.close();
    await state?.close();
  }
}

/** Opens the folder of the state. Its code is loaded on demand: most tests keep nothing. */
async function loadState(
  { persist }: PersistSettings,
  options: Pick<StateOptions, "initial" | "complete" | "onError">,
): Promise<SavedState | undefined> {
  if (persist === undefined) return undefined;
  const { openState } = await import("./disk/saved-state.ts");
  return openState(persist, options);
}

function listen(
  start: typeof startHttp,
  server: EmbeddedApiServer,
  options: HttpOptions & { readonly port: number },
): Promise<RunningServer> {
  return start(server, options).catch((cause: unknown) => {
    if ((cause as NodeJS.ErrnoException).code !== "EADDRINUSE") throw cause;
    throw new TsopError("TSOP_PORT_IN_USE", { port: options.port }, { cause });
  });
}

/** Loads the simulation on demand: most tests do not need it, and it is a sixth of the files. */
function servedVersion(wanted: string = newestVersion): string {
  const version = findKubernetesVersion(wanted);
  if (version !== undefined) return version;
  throw new TsopError("TSOP_KUBERNETES_VERSION", { wanted, served: kubernetesVersions.join(", ") });
}

async function startControllers(
  options: SimulationOptions,
  cluster: Parameters<typeof startSimulation>[1],
  {
    runCommands = false,
    aggregateRoles = true,
    olm = false,
    sharding = false,
    certManager = false,
  }: SimulationSettings,
): Promise<void> {
  const { startSimulation } = await import("./simulation/start-simulation.ts");
  const further: FurtherController[] = [];
  if (aggregateRoles)
    further.push((await import("./simulation/housekeeping/service-account-controller.ts")).runRoleAggregation);
  if (olm) further.push((await import("./olm/start-olm.ts")).startOlm);
  if (sharding) further.push((await import("./sharding/start-sharder.ts")).startSharder);
  if (certManager) further.push((await import("./cert-manager/start-cert-manager.ts")).startCertManager);
  if (!runCommands) return startSimulation(options, cluster, further);
  const { ContainerCommands } = await import("./simulation/context/container-commands.ts");
  return startSimulation({ ...options, commands: new ContainerCommands(options) }, cluster, further);
}

function locateWebhooks({ url, caBundle }: Pick<WebhookAddress, "url" | "caBundle">): {
  url: string;
  caBundle: string;
} {
  return { url, caBundle: Buffer.from(caBundle, "base64").toString("utf8") };
}

function simulationOptions(
  server: EmbeddedApiServer,
  { pace = { min: 100, max: 500 }, seed = 1, runsPod }: SimulationSettings,
  world: Omit<SimulationOptions, "objects" | "clientFor" | "random" | "pace">,
): SimulationOptions {
  const clientFor = (username: string): Client => {
    const transport = inProcessTransport(server, { username, groups: administrator.groups });
    return createClient({ transport, fieldOwner: managerOf(username) });
  };
  const random = seededRandom(seed);
  const objects = feedOf(server.store);
  return { objects, clientFor, random, pace, ...(runsPod && { runsPod }), ...world };
}

const administrator: User = { username: "admin", groups: ["system:masters", "system:authenticated"] };

/** Returns the field owner of the real component. */
function managerOf(username: string): string {
  if (username.startsWith("system:node:")) return "kubelet";
  if (username === "system:apiserver") return "kube-apiserver";
  return username === "system:kube-scheduler" ? "kube-scheduler" : "kube-controller-manager";
}
