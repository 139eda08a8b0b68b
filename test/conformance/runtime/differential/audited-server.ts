import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ServerRequest } from "../../../../src/apiserver/api-server.ts";
import { createApiServer } from "../../../../src/apiserver/create-api-server.ts";
import { startHttp } from "../../../../src/apiserver/http/start-http.ts";
import { parseTarget } from "../../../../src/apiserver/endpoints/resource-request.ts";
import type { ClientConfig } from "../../../../src/client/config/config.ts";
import { startControlPlane } from "../../../../src/testing/start-control-plane.ts";
import { startTimeoutMs } from "../../../patience.ts";

/** One request as the server received it. */
export interface AuditEntry {
  readonly userAgent: string;
  readonly verb: string;
  /** `deployments.apps/status`, or the path if it is not a resource. */
  readonly target: string;
  readonly query: URLSearchParams;
  readonly code: number;
}

/** An API server that records its requests in order. */
export interface AuditedServer {
  readonly config: ClientConfig;
  requests(): Promise<AuditEntry[]>;
  stop(): Promise<void>;
}

export async function auditedEmbedded(): Promise<AuditedServer> {
  const stopping = new AbortController();
  const server = createApiServer();
  const log: AuditEntry[] = [];
  const handle = async (request: ServerRequest) => {
    const response = await server.handle(request);
    log.push(entry(request, response.status));
    return response;
  };
  const { url, caData, token, done } = await startHttp({ ...server, handle }, { signal: stopping.signal });
  const ca = Buffer.from(caData, "base64").toString();
  return {
    config: { server: url, namespace: "default", source: "the audited server", ca, token },
    requests: () => Promise.resolve([...log]),
    async stop() {
      stopping.abort();
      server.close();
      await done;
    },
  };
}

function entry({ method, url, headers }: ServerRequest, code: number): AuditEntry {
  const { pathname, searchParams: query } = new URL(url, "http://localhost");
  const found = parseTarget(pathname);
  const read = query.get("watch") === "true" ? "watch" : found && !found.name ? "list" : "get";
  const verbs: Readonly<Record<string, string>> = { GET: read, POST: "create", PUT: "update", PATCH: "patch" };
  const verb = verbs[method] ?? (found?.name ? "delete" : "deletecollection");
  const target = found ? resourceName(found.group, found.plural, found.subresource) : pathname;
  return { userAgent: headers["user-agent"] ?? "", verb, target, query, code };
}

function resourceName(group: string, plural: string, subresource: string | undefined): string {
  const resource = group ? `${plural}.${group}` : plural;
  return subresource ? `${resource}/${subresource}` : resource;
}

/** A line of a real server's audit log at level Metadata. */
interface AuditEvent {
  readonly stage: "ResponseStarted" | "ResponseComplete";
  readonly userAgent: string;
  readonly verb: string;
  readonly requestURI: string;
  readonly objectRef?: { readonly apiGroup?: string; readonly resource?: string; readonly subresource?: string };
  readonly responseStatus?: { readonly code: number };
}

const policy = { apiVersion: "audit.k8s.io/v1", kind: "Policy", omitStages: ["RequestReceived"], rules: [{ level: "Metadata" }] }; // prettier-ignore

/** Creates kube-apiserver and etcd with an audit log that records an entry before the client gets its response. */
export async function auditedReal(assets: string): Promise<AuditedServer> {
  const folder = await mkdtemp(join(tmpdir(), "tsop-audit-"));
  const [policyFile, logFile] = [join(folder, "policy.json"), join(folder, "audit.log")];
  await writeFile(policyFile, JSON.stringify(policy));
  const plane = await startControlPlane({
    assets,
    startTimeoutMs,
    stopTimeoutMs: 20_000,
    attachOutput: false,
    apiServerArguments: [
      `--audit-policy-file=${policyFile}`,
      `--audit-log-path=${logFile}`,
      "--audit-log-mode=blocking-strict",
    ],
  });
  return {
    config: plane.config,
    async requests() {
      const lines = (await readFile(logFile, "utf8")).split("\n").slice(0, -1);
      return lines.map((line) => JSON.parse(line) as AuditEvent).flatMap(entryOf);
    },
    async stop() {
      await plane.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Records a watch when it begins, and any other request when it has ended. */
function entryOf({ stage, userAgent, verb, requestURI, objectRef, responseStatus }: AuditEvent): AuditEntry[] {
  if ((stage === "ResponseStarted") !== (verb === "watch")) return [];
  const { pathname, searchParams: query } = new URL(requestURI, "http://localhost");
  const { apiGroup = "", resource, subresource } = objectRef ?? {};
  const target = resource ? resourceName(apiGroup, resource, subresource) : pathname;
  return [{ userAgent, verb, target, query, code: responseStatus?.code ?? 0 }];
}
