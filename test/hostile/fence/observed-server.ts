import { createApiServer } from "../../../src/apiserver/create-api-server.ts";
import { startHttp, type Interceptor } from "../../../src/apiserver/http/start-http.ts";
import type { ClientConfig } from "../../../src/client/config/config.ts";
import { createClient } from "../../../src/client/create-client.ts";
import { ConfigMap, Namespace } from "../../../src/k8s/core/v1.ts";

/** What leaders in one namespace have done, in the order of the store. */
export interface Observed {
  /** The name of the process that holds the lease. */
  leader: string | undefined;
  /** When the lease was last written. */
  renewedAt: number;
  /** The number of writes of each process. */
  readonly writes: Map<string, number>;
  /** Writes of a process while another one led, or could have taken the lease. */
  readonly late: string[];
}

export interface ObservedServer {
  readonly port: number;
  /** Returns how clients of a namespace reach it. */
  config(namespace: string): ClientConfig;
  /** Creates a namespace with the objects to which leaders write. */
  prepare(namespace: string, writers: number): Promise<Observed>;
}

/** Starts a server that judges the order of writes and leases itself. */
export async function startObservedServer(
  signal: AbortSignal,
  leaseMs: number,
  intercept?: Interceptor,
): Promise<ObservedServer> {
  const namespaces = new Map<string, Observed>();
  const observed = (namespace: string): Observed => {
    const known = namespaces.get(namespace) ?? { leader: undefined, renewedAt: 0, writes: new Map(), late: [] };
    namespaces.set(namespace, known);
    return known;
  };
  const server = createApiServer({
    onChange(resource, { object }) {
      const { namespace = "", labels } = object.metadata;
      const seen = observed(namespace);
      const now = performance.now();
      if (resource.endsWith("leases")) {
        const isHeld = (object["spec"] as { holderIdentity?: string }).holderIdentity !== "";
        Object.assign(seen, { leader: isHeld ? labels?.["leader"] : undefined, renewedAt: now });
        return;
      }
      const { by } = (object["data"] ?? {}) as { by?: string };
      if (!resource.endsWith("configmaps") || !by) return;
      seen.writes.set(by, (seen.writes.get(by) ?? 0) + 1);
      const age = now - seen.renewedAt;
      if (by !== seen.leader || age > leaseMs)
        seen.late.push(`${by} wrote ${age.toFixed(0)} ms after ${seen.leader ?? "nobody"} had the lease`);
    },
  });
  const http = await startHttp(server, { signal, intercept });
  const config = (namespace: string): ClientConfig => {
    const ca = Buffer.from(http.caData, "base64").toString();
    return { server: http.url, ca, token: http.token, namespace, source: "test" };
  };
  const client = createClient({ config: config("default") });
  const prepare = async (namespace: string, writers: number): Promise<Observed> => {
    await client.create(Namespace, { metadata: { name: namespace } });
    for (let at = 0; at < writers; at++) await client.create(ConfigMap, { metadata: { namespace, name: `w${at}` } });
    return observed(namespace);
  };
  return { port: http.port, config, prepare };
}
