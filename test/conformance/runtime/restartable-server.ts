import type { ServerRequest } from "../../../src/apiserver/api-server.ts";
import { createApiServer, type EmbeddedApiServer } from "../../../src/apiserver/create-api-server.ts";
import { startHttp, type RunningServer } from "../../../src/apiserver/http/start-http.ts";
import type { Snapshot } from "../../../src/apiserver/storage/snapshot.ts";
import { systemClock } from "../../../src/apiserver/system-clock.ts";
import { createClient } from "../../../src/client/create-client.ts";
import type { Client, ClientConfig } from "../../../src/index.ts";
import { inProcessTransport } from "../../../src/sandbox/in-process-transport.ts";
import type { SandboxFault } from "../../../src/sandbox/start-sandbox.ts";
import { jumpingClock, type JumpingClock } from "./jumping-clock.ts";

/** An API server that ends and begins again, on the same port, with what it held. */
export interface RestartableServer {
  readonly port: number;
  readonly config: ClientConfig;
  readonly clock: JumpingClock;
  /** An administrator's, past the network. */
  readonly client: Client;
  /** Watches that are open. */
  readonly watches: number;
  inject(fault: SandboxFault): () => void;
  restart(): Promise<void>;
  stop(): Promise<void>;
}

const token = "of-the-test";
/** Old versions are soon forgotten, so that watches are told 410, and memory that grows is no history. */
const historySize = 200;

export async function restartableServer(): Promise<RestartableServer> {
  const clock = jumpingClock(systemClock());
  const open = new Set<AbortSignal>();
  let current = await start(0);

  async function start(port: number, restore?: Snapshot): Promise<Running> {
    const server = createApiServer({ clock, historySize, ...(restore && { restore }) });
    const handle = (request: ServerRequest): ReturnType<EmbeddedApiServer["handle"]> => {
      if (/[?&]watch=true/.test(request.url)) {
        open.add(request.signal);
        request.signal.addEventListener("abort", () => open.delete(request.signal));
      }
      return server.handle(request);
    };
    const stopping = new AbortController();
    const http = await startHttp({ ...server, handle }, { port, token, signal: stopping.signal });
    return { server, http, stopping };
  }
  async function stop(): Promise<void> {
    current.stopping.abort();
    current.server.close();
    await current.http.done;
  }
  const transport = () => inProcessTransport(current.server, { username: "admin", groups: ["system:masters"] });
  const { url, port } = current.http;
  return {
    port,
    clock,
    // Each start makes a certificate of its own.
    config: { server: url, namespace: "default", source: "the restartable server", token, insecureSkipTlsVerify: true },
    client: createClient({
      transport: { request: (request) => transport().request(request), close: () => undefined },
    }),
    get watches() {
      return open.size;
    },
    inject: (fault) => current.server.faults.inject(fault),
    async restart() {
      const saved = JSON.stringify(current.server.snapshot());
      await stop();
      current = await start(port, JSON.parse(saved) as Snapshot);
    },
    stop,
  };
}

interface Running {
  readonly server: EmbeddedApiServer;
  readonly http: RunningServer;
  readonly stopping: AbortController;
}
