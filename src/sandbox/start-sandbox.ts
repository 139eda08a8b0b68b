import { setMaxListeners } from "node:events";
import type { Clock, UserInfo } from "../apiserver/api-server.ts";
import { createApiServer } from "../apiserver/create-api-server.ts";
import { startHttp } from "../apiserver/http/start-http.ts";
import { systemClock } from "../apiserver/system-clock.ts";
import type { Client } from "../client/client.ts";
import type { ClientConfig } from "../client/config.ts";
import { createClient } from "../client/create-client.ts";
import type { Transport } from "../client/transport.ts";
import { TsopError } from "../errors/tsop-error.ts";
import { inProcessTransport } from "./in-process-transport.ts";
import { seededRandom } from "./seeded-random.ts";
import type { Pace } from "./simulation/simulation-context.ts";
import { startSimulation } from "./simulation/start-simulation.ts";

export interface SandboxOptions {
  /** A free one by default. */
  readonly port?: number;
  /** Whether workloads progress; off, nothing happens by itself, as in envtest. On by default. */
  readonly simulate?: boolean;
  readonly pace?: Pace;
  /** Makes delays repeatable. */
  readonly seed?: number;
  readonly clock?: SandboxClock;
  /** Hears of failures inside the simulation. */
  readonly onError?: (error: unknown) => void;
}

/** Time as a sandbox takes it. */
export type SandboxClock = Clock;

/** An API server on loopback, with a cluster's controllers behind it. */
export interface Sandbox {
  readonly url: string;
  readonly config: ClientConfig;
  /** For kubectl. */
  readonly kubeconfig: string;
  /** An administrator's client, in this process. */
  readonly client: Client;
  readonly transport: Transport;
  /** Settles when everything has stopped; rejects when the simulation broke. */
  readonly done: Promise<void>;
}

/** Starts a sandbox that lives until the signal aborts. */
export async function startSandbox(options: SandboxOptions, until: AbortSignal): Promise<Sandbox> {
  const signal = AbortSignal.any([until]);
  // Every watch and controller listens to it: many listeners are no leak here.
  setMaxListeners(0, signal);
  const { clock = systemClock(), pace = { min: 100, max: 500 }, simulate = true } = options;
  const random = seededRandom(options.seed ?? 1);
  const server = createApiServer({ clock });
  const http = await startHttp(server, { port: options.port ?? 0, signal }).catch((cause: unknown) => {
    if ((cause as NodeJS.ErrnoException).code !== "EADDRINUSE") throw cause;
    throw new TsopError("TSOP_PORT_IN_USE", { port: options.port ?? 0 }, { cause });
  });
  const transportFor = (user: UserInfo) => inProcessTransport(server, user);
  const clientFor = (username: string) =>
    createClient({
      transport: transportFor({ username, groups: groupsOf(username) }),
      fieldOwner: managerOf(username),
    });
  const transport = transportFor(administrator);
  const simulation = simulate
    ? startSimulation(
        { clientFor, clock, random, pace, caData: http.caData, signal, onError: options.onError ?? (() => {}) },
        transport,
      )
    : undefined;
  const stopped = Promise.all([http.done, simulation]).then(() => {});
  return {
    url: http.url,
    config: {
      server: http.url,
      namespace: "default",
      source: "the embedded server",
      ca: Buffer.from(http.caData, "base64").toString("utf8"),
      token: http.token,
    },
    kubeconfig: http.kubeconfig(),
    client: createClient({ transport }),
    transport,
    done: stopped.finally(() => server.close()),
  };
}

const administrator: UserInfo = { username: "admin", groups: ["system:masters", "system:authenticated"] };

/** The control plane's own users may do everything, as their cluster roles say between them. */
function groupsOf(username: string): string[] {
  const own = username.startsWith("system:node:") ? "system:nodes" : "system:masters";
  return [own, "system:authenticated"];
}

/** Field owner as the real components have it. */
function managerOf(username: string): string {
  if (username.startsWith("system:node:")) return "kubelet";
  return username === "system:kube-scheduler" ? "kube-scheduler" : "kube-controller-manager";
}
