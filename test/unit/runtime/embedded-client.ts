import { createApiServer, type EmbeddedApiServer } from "../../../src/apiserver/create-api-server.ts";
import type { Client } from "../../../src/client/client.ts";
import { createClient } from "../../../src/client/create-client.ts";
import type { Transport, TransportRequest } from "../../../src/client/transport.ts";
import { inProcessTransport } from "../../../src/sandbox/in-process-transport.ts";

export interface EmbeddedClient {
  readonly client: Client;
  readonly transport: Transport;
  readonly server: EmbeddedApiServer;
  /** `METHOD path` of every request so far. */
  readonly requests: string[];
  /** While set, requests fail as if the network were cut, before they arrive or before the response arrives. */
  cut: boolean | "the answer";
  /** Delays requests until the returned function is called. */
  holdBack(): () => void;
}

/** Creates a client of an embedded server in this process that records its requests and can be disconnected. */
export function embeddedClient(server: EmbeddedApiServer = createApiServer()): EmbeddedClient {
  const inner = inProcessTransport(server, { username: "admin", groups: ["system:masters"] });
  const requests: string[] = [];
  let held = Promise.resolve();
  const transport = {
    async request(request: TransportRequest) {
      requests.push(`${request.method} ${request.path}`);
      await Promise.race([held, aborted(request.signal)]);
      if (embedded.cut === true) throw new Error("the network is cut");
      const response = await inner.request(request);
      if (embedded.cut) throw new Error("the network is cut");
      return response;
    },
    close: () => inner.close(),
  };
  const holdBack = (): (() => void) => {
    let release = (): void => undefined;
    held = new Promise((resolve) => (release = resolve));
    return release;
  };
  const client = createClient({ transport });
  const embedded: EmbeddedClient = { client, transport, server, requests, cut: false, holdBack };
  return embedded;
}

function aborted(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal?.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
  });
}
