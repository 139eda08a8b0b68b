import { Agent, request } from "node:https";
import type { IncomingMessage } from "node:http";
import { createApiServer } from "../../../src/apiserver/create-api-server.ts";
import { startHttp } from "../../../src/apiserver/http/start-http.ts";
import { defaultRoles } from "../../../src/sandbox/default-roles.ts";
import { startControlPlane } from "../../../src/testing/start-control-plane.ts";
import { startTimeoutMs } from "../../patience.ts";

/** A server under test, over HTTPS. */
export interface Target {
  readonly name: "embedded" | "real";
  send(method: string, path: string, options?: SendOptions): Promise<IncomingMessage>;
  /** How many milliseconds it may take until an answer is as expected. */
  readonly patience?: number;
  /** Turns the clock forward by seconds, where that is possible. */
  advance?(seconds: number): void;
  stop(): Promise<void>;
}

export interface SendOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export async function embeddedTarget(): Promise<Target> {
  const stopping = new AbortController();
  const restore = defaultRoles(new Date().toISOString());
  const server = createApiServer({ rbac: true, restore });
  const { url, caData, token, done } = await startHttp(server, { signal: stopping.signal });
  const ca = Buffer.from(caData, "base64").toString();
  return target("embedded", { url, ca, token }, async () => {
    stopping.abort();
    server.close();
    await done;
  });
}

/** kube-apiserver and etcd from KUBEBUILDER_ASSETS. */
export async function realTarget(assets: string): Promise<Target> {
  const plane = await startControlPlane({
    assets,
    startTimeoutMs,
    stopTimeoutMs: 20_000,
    attachOutput: false,
  });
  const { server, ca, token } = plane.config;
  return target("real", { url: server, ca: String(ca), token: String(token) }, () => plane.stop());
}

export interface Access {
  readonly url: string;
  readonly ca: string;
  readonly token: string;
}

export function target(name: Target["name"], { url, ca, token }: Access, stop: () => Promise<void>): Target {
  const agent = new Agent({ keepAlive: true, ca });
  const fixed = { authorization: `Bearer ${token}`, "user-agent": "conformance/1" };
  return {
    name,
    send: (method, path, { headers = {}, body } = {}) =>
      new Promise((resolve, reject) => {
        const sent = request(
          `${url}${path}`,
          {
            method,
            agent,
            headers: { ...fixed, ...(body !== undefined && { "content-length": Buffer.byteLength(body) }), ...headers },
          },
          resolve,
        );
        sent.once("error", reject);
        sent.end(body);
      }),
    async stop() {
      agent.destroy();
      await stop();
    },
  };
}
