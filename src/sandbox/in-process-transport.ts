import type { ApiServer, ServerResponse, User } from "../apiserver/api-server.ts";
import type { Transport, TransportRequest, TransportResponse } from "../client/transport.ts";

/** Creates a transport to a server in this process, as a fixed user. It needs no connection and no token. */
export function inProcessTransport(server: ApiServer, user: User): Transport {
  return {
    async request(request) {
      const never = new AbortController().signal;
      const response = await server.handle({
        method: request.method,
        url: request.path,
        headers: headersOf(request),
        body: new TextEncoder().encode(request.body ?? ""),
        user,
        signal: request.signal ?? never,
      });
      return transportResponse(response);
    },
    close: () => {},
  };
}

function headersOf({ headers = {} }: TransportRequest): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

function transportResponse(response: ServerResponse): TransportResponse {
  const { status, headers, body } = response;
  const text = async () => {
    if (typeof body === "string") return body;
    let all = "";
    for await (const part of body) all += part;
    return all;
  };
  return { status, headers, body: bytes(response), text };
}

async function* bytes({ body, binary }: ServerResponse): AsyncGenerator<Uint8Array> {
  const encoding = binary ? "latin1" : "utf8";
  if (typeof body === "string") yield Buffer.from(body, encoding);
  else for await (const part of body) yield Buffer.from(part, encoding);
}
