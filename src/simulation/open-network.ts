import type { ServerResponse } from "../apiserver/api-server.ts";
import type { EmbeddedApiServer } from "../apiserver/create-api-server.ts";
import { ConnectionCut, passOn, type HttpOptions, type RunningServer } from "../apiserver/http/start-http.ts";
import { statusOf, unauthorized } from "../apiserver/refusals.ts";
import { respondStatus } from "../apiserver/representation/respond.ts";
import type { SandboxOptions } from "../sandbox/start-sandbox.ts";
import { Network, type ArrivingRequest, type NetworkOptions } from "./network.ts";

export interface OpenedNetwork {
  readonly network: Network;
  /** Puts the server of a sandbox at the end of the network. */
  readonly listen: NonNullable<SandboxOptions["listen"]>;
}

/** The key under which the client of `tsop` finds its connections in the process. */
const connections = Symbol.for("tsop.connections");

/** Opens a network for a sandbox, which all clients of this thread use, each for the owner of its tasks. */
export function openNetwork(options: Omit<NetworkOptions, "handle">): OpenedNetwork {
  let handle: (request: ArrivingRequest) => Promise<ServerResponse>;
  const network = new Network({ ...options, handle: (request) => handle(request) });
  Object.defineProperty(process, connections, {
    value: () => network.poolOf(options.scheduler.current),
    configurable: true,
  });
  return {
    network,
    listen: async (server, http) => {
      handle = (request) => answer(server, http, request);
      return listening(server, http);
    },
  };
}

/** Lets the clients of this thread use real connections again. */
export function closeNetwork(): void {
  Reflect.deleteProperty(process, connections);
}

/** Handles a request as the server does that listens on loopback. */
async function answer(
  server: EmbeddedApiServer,
  { intercept }: HttpOptions,
  request: ArrivingRequest,
): Promise<ServerResponse> {
  try {
    const [, token = ""] = request.headers["authorization"]?.split(" ") ?? [];
    const user = server.users.find(token);
    if (!user) throw unauthorized();
    return await passOn(server, intercept, { ...request, user });
  } catch (error) {
    if (error instanceof ConnectionCut) throw error;
    return respondStatus(request, statusOf(error));
  }
}

function listening(server: EmbeddedApiServer, { signal }: HttpOptions): RunningServer {
  return {
    url: "http://simulated.tsop.dev",
    port: 80,
    // A placeholder: without connections, no client verifies a certificate.
    caData: Buffer.from("no certificate").toString("base64"),
    token: server.users.add({ username: "admin", groups: ["system:masters"] }),
    done: new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true })),
  };
}
