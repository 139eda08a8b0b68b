import { Agent, request } from "node:https";
import type { IncomingMessage } from "node:http";
import { createApiServer } from "../../../src/apiserver/create-api-server.ts";
import { startHttp } from "../../../src/apiserver/http/start-http.ts";
import { defaultRoles } from "../../../src/sandbox/complete-roles.ts";
import { startControlPlane, type ControlPlane } from "../../../src/testing/start-control-plane.ts";
import { startTimeoutMs } from "../../patience.ts";

/** A server under test, over HTTPS. */
export interface Target {
  readonly name: "embedded" | "real";
  send(method: string, path: string, options?: SendOptions): Promise<IncomingMessage>;
  /** How many milliseconds it may take until an answer is as expected. */
  readonly patience?: number;
  /** Turns the clock forward by seconds, where that is possible. */
  advance?(seconds: number): void;
  /** Loses what it knows of the past. */
  forget?(): Promise<void>;
  stop(): Promise<void>;
}

interface SendOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

export async function embeddedTarget(version?: string): Promise<Target> {
  const stopping = new AbortController();
  const restore = defaultRoles(new Date().toISOString(), version);
  const server = createApiServer({ kubernetesVersion: version, rbac: true, restore, historySize });
  const { url, caData, token, done } = await startHttp(server, { signal: stopping.signal });
  const ca = Buffer.from(caData, "base64").toString();
  const embedded = target("embedded", { url, ca, token }, async () => {
    stopping.abort();
    server.close();
    await done;
  });
  return { ...embedded, forget: () => churn(embedded) };
}

/** Small, so that it is soon full. */
const historySize = 256;

/** More writes of ConfigMaps than the history holds. */
async function churn(target: Target): Promise<void> {
  const maps = "/api/v1/namespaces/kube-public/configmaps";
  const name = "churn";
  (await target.send("POST", maps, { body: JSON.stringify({ metadata: { name } }) })).resume();
  for (let at = 0; at < historySize * 1.5; at++) {
    const body = JSON.stringify({ metadata: { name }, data: { at: String(at) } });
    (await target.send("PUT", `${maps}/${name}`, { body })).resume();
  }
  (await target.send("DELETE", `${maps}/${name}`)).resume();
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
  const real = target("real", { url: server, ca: String(ca), token: String(token) }, () => plane.stop());
  return { ...real, forget: () => compact(plane) };
}

/** What etcd has forgotten, a server that begins again can't tell. */
export async function compact(plane: ControlPlane): Promise<void> {
  const ask = async (path: string, body: object): Promise<{ header: { revision: string } }> => {
    const answer = await fetch(`${plane.etcd}/v3/${path}`, { method: "POST", body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`etcd answered ${answer.status} to ${path}: ${await answer.text()}`);
    return (await answer.json()) as { header: { revision: string } };
  };
  const { header } = await ask("maintenance/status", {});
  await ask("kv/compaction", { revision: header.revision });
  await plane.restartApiServer();
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
