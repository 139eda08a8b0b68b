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
  /** While set, requests fail as if the network were cut. */
  cut: boolean;
}

/** A client of an embedded server in this process, with a record of its requests and a plug to pull. */
export function embeddedClient(server: EmbeddedApiServer = createApiServer()): EmbeddedClient {
  const inner = inProcessTransport(server, { username: "admin", groups: ["system:masters"] });
  const requests: string[] = [];
  const transport = {
    async request(request: TransportRequest) {
      requests.push(`${request.method} ${request.path}`);
      if (embedded.cut) throw new Error("the network is cut");
      return inner.request(request);
    },
    close: () => inner.close(),
  };
  const embedded: EmbeddedClient = { client: createClient({ transport }), transport, server, requests, cut: false };
  return embedded;
}
