import type { ServerRequest, ServerResponse } from "../../../../src/apiserver/api-server.ts";
import { createApiServer } from "../../../../src/apiserver/create-api-server.ts";
import { FaultInjector } from "../../../../src/apiserver/verbs/request/fault-injector.ts";
import { startHttp } from "../../../../src/apiserver/http/start-http.ts";
import { systemClock } from "../../../../src/apimachinery/clock.ts";
import { parseTarget } from "../../../../src/apiserver/endpoints/resource-request.ts";
import { createClient } from "../../../../src/client/create-client.ts";
import { HttpTransport } from "../../../../src/client/transport/http-transport.ts";
import type { Transport, TransportRequest } from "../../../../src/client/transport.ts";
import { ApiError } from "../../../../src/index.ts";
import { startControlPlane } from "../../../../src/testing/start-control-plane.ts";
import { compact } from "../../apiserver/target.ts";
import type { ChaosServer } from "./chaos-server.ts";
import { isWatch, openWatches } from "./open-watches.ts";
import { startTimeoutMs } from "../../../patience.ts";

/**
 * Creates a real kube-apiserver behind a proxy that injects the faults. Its clock is the machine's, which the test does
 * not set.
 */
export async function realServer(assets: string): Promise<ChaosServer> {
  const plane = await startControlPlane({
    assets,
    startTimeoutMs,
    stopTimeoutMs: 20_000,
    attachOutput: false,
  });
  const faults = new FaultInjector(systemClock());
  const watches = openWatches();
  const transport = new HttpTransport(plane.config);
  const stopping = new AbortController();
  const handle = (request: ServerRequest): Promise<ServerResponse> => {
    watches.note(request);
    return forward(request, transport, faults);
  };
  // Uses only the listener of the embedded server, with its TLS and its token.
  const proxy = await startHttp({ ...createApiServer(), handle }, { signal: stopping.signal });
  const ca = Buffer.from(proxy.caData, "base64").toString();
  return {
    port: proxy.port,
    config: { server: proxy.url, namespace: "default", source: "the proxy", token: proxy.token, ca },
    client: createClient({ transport: new HttpTransport(plane.config) }),
    get watches() {
      return watches.count;
    },
    inject: (fault) => faults.inject(fault),
    restart: () => compact(plane),
    async stop() {
      stopping.abort();
      await proxy.done;
      transport.close();
      await plane.stop();
    },
  };
}

async function forward(request: ServerRequest, transport: Transport, faults: FaultInjector): Promise<ServerResponse> {
  const { method, url, headers, body, signal } = request;
  let cutAfter: number | undefined;
  try {
    cutAfter = await faults.strike(faultTarget(request));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return refusal(error);
  }
  const stream = isWatch(url);
  const { authorization: _own, host: _host, "content-length": _length, connection: _connection, ...passed } = headers;
  const answer = await transport.request({
    method: method as TransportRequest["method"],
    path: url,
    headers: passed as Record<string, string>,
    ...(body.length > 0 && { body: Buffer.from(body).toString() }),
    stream,
    signal: stream ? signal : undefined,
  });
  const contentType = { "content-type": String(answer.headers["content-type"]) };
  if (!stream) return { status: answer.status, headers: contentType, body: await answer.text() };
  return { status: answer.status, headers: contentType, body: lines(answer.body, cutAfter) };
}

function faultTarget({ method, url, user }: ServerRequest): Parameters<FaultInjector["strike"]>[0] {
  const found = parseTarget(new URL(url, "http://localhost").pathname);
  const { plural: resource = "", name = "", subresource, namespace } = found ?? {};
  const read = isWatch(url) ? "watch" : name ? "get" : "list";
  const verbs: Readonly<Record<string, string>> = { GET: read, POST: "create", PUT: "update", PATCH: "patch" };
  return { verb: verbs[method] ?? "delete", resource, name, subresource, namespace, user: user.username };
}

function refusal({ status, code }: ApiError): ServerResponse {
  const seconds = status.details?.retryAfterSeconds;
  const headers = { "content-type": "application/json", ...(seconds && { "retry-after": String(seconds) }) };
  return { status: code, headers, body: JSON.stringify(status) };
}

/** Yields a watch in whole lines, so that it can be cut between events. A server that dies ends it anywhere. */
async function* lines(body: AsyncIterable<Uint8Array>, most = Infinity): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  let count = 0;
  try {
    for await (const chunk of body) {
      const found = (rest + decoder.decode(chunk, { stream: true })).split("\n");
      rest = found.pop()!;
      for (const line of found) {
        if (++count > most) return;
        yield `${line}\n`;
      }
    }
  } catch {
    yield rest; // a truncated line, or nothing
  }
}
