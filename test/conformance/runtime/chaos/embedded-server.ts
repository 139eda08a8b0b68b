import type { ServerRequest } from "../../../../src/apiserver/api-server.ts";
import { createApiServer, type EmbeddedApiServer } from "../../../../src/apiserver/create-api-server.ts";
import { startHttp, type RunningServer } from "../../../../src/apiserver/http/start-http.ts";
import type { Snapshot } from "../../../../src/apiserver/storage/store.ts";
import { systemClock } from "../../../../src/apimachinery/clock.ts";
import { createClient } from "../../../../src/client/create-client.ts";
import { inProcessTransport } from "../../../../src/sandbox/in-process-transport.ts";
import type { ChaosServer } from "./chaos-server.ts";
import { jumpingClock } from "./jumping-clock.ts";
import { openWatches } from "./open-watches.ts";

const token = "of-the-test";
/**
 * Creates an embedded server that soon forgets old versions, so that watches get 410, and the heap does not grow with
 * history.
 */
const historySize = 200;

export async function embeddedServer(): Promise<ChaosServer> {
  const clock = jumpingClock(systemClock());
  const watches = openWatches();
  let current = await start(0);

  async function start(port: number, restore?: Snapshot): Promise<Running> {
    const server = createApiServer({ clock, historySize, ...(restore && { restore }) });
    const handle = (request: ServerRequest): ReturnType<EmbeddedApiServer["handle"]> => {
      watches.note(request);
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
    // Each start creates its own certificate.
    config: { server: url, namespace: "default", source: "the embedded server", token, insecureSkipTlsVerify: true },
    client: createClient({
      transport: { request: (request) => transport().request(request), close: () => undefined },
    }),
    get watches() {
      return watches.count;
    },
    inject: (fault) => current.server.faults.inject(fault),
    async restart() {
      const saved = JSON.stringify(current.server.snapshot());
      await stop();
      current = await start(port, JSON.parse(saved) as Snapshot);
    },
    jump: (ms) => clock.jump(ms),
    stop,
  };
}

interface Running {
  readonly server: EmbeddedApiServer;
  readonly http: RunningServer;
  readonly stopping: AbortController;
}
