import type { RequestListener } from "node:http";
import { request as sendDirectly } from "node:https";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { issueCertificates } from "../../../src/apimachinery/certificates/issue-certificates.ts";
import { findCondition } from "../../../src/apimachinery/conditions.ts";
import type { KubeObject, UnstructuredObject } from "../../../src/apimachinery/meta.ts";
import { createClient } from "../../../src/client/create-client.ts";
import { HttpTransport } from "../../../src/client/transport/http-transport.ts";
import { APIService } from "../../../src/k8s/apiregistration/v1.ts";
import { Service } from "../../../src/k8s/core/v1.ts";
import { loadFrontProxy, type FrontProxy } from "../../../src/runtime/servers/front-proxy.ts";
import { Server } from "../../../src/runtime/servers/server.ts";
import { eventually } from "../../../src/testing/eventually.ts";
import { TestEnvironment } from "../../../src/testing/test-environment.ts";
import { startTimeoutMs } from "../../patience.ts";

const group = "ext.example.com";
const groupVersion = `${group}/v1`;
const certificates = issueCertificates(["ext.default.svc"], Date.now());
const resource = { name: "things", singularName: "thing", namespaced: true, kind: "Thing", verbs: ["get", "list"] };
const resources = [resource, { ...resource, name: "things/status", singularName: "", verbs: ["get"] }];

/** Serves things that tell of the request for them. */
function thingsOf(frontProxy: FrontProxy): RequestListener {
  return (request, response) => {
    const answer = (status: number, body: object) =>
      void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    const user = frontProxy.userOf(request);
    if (!user) return answer(401, {});
    if (request.url === `/apis/${groupVersion}`)
      return answer(200, { kind: "APIResourceList", apiVersion: "v1", groupVersion, resources });
    if (!request.url?.startsWith(`/apis/${groupVersion}/`)) return answer(404, {});
    if (request.url.endsWith("/broken")) {
      response.writeHead(200).write("{");
      return void setImmediate(() => response.destroy());
    }
    const { authorization } = request.headers;
    const item = { metadata: { name: "a" }, user, url: request.url, authorization: authorization ?? "none" };
    return answer(200, { kind: "ThingList", apiVersion: groupVersion, metadata: {}, items: [item] });
  };
}

interface Thing extends UnstructuredObject {
  user: { username: string; groups: string[]; extra: Record<string, string[]> };
}

const assets = process.env["KUBEBUILDER_ASSETS"];
const why = assets ? "" : " (KUBEBUILDER_ASSETS is not set, and the embedded server passes no requests on)";

describe.skipIf(!assets)(`an extension server behind a real control plane${why}`, () => {
  const env = new TestEnvironment({ binaryAssetsDirectory: assets ?? "", startTimeoutMs });
  const stopping = new AbortController();
  let extension: Server;
  let running: Promise<void>;

  const things = async (config = env.config) => {
    const client = createClient({ config });
    const kind = await client.kindFor(groupVersion, "Thing");
    return (await client.list(kind, { namespace: "default" })).items as unknown as Thing[];
  };
  const text = async (path: string, headers: Record<string, string> = {}) => {
    const transport = new HttpTransport(env.config);
    const response = await transport.request({ method: "GET", path, headers });
    const body = await response.text();
    transport.close();
    return { status: response.status, body };
  };

  beforeAll(async () => {
    await env.start();
    const frontProxy = await loadFrontProxy(env.client);
    const tls = { ...certificates.server, ...frontProxy.tls };
    extension = new Server({ name: "things", address: "127.0.0.1:0", tls, handler: thingsOf(frontProxy) });
    await extension.listen();
    running = extension.start(stopping.signal);
    const service = { namespace: "default", name: "ext" };
    await env.client.create(Service, { metadata: service, spec: { type: "ExternalName", externalName: "localhost" } });
    const caBundle = Buffer.from(certificates.ca).toString("base64");
    const priorities = { groupPriorityMinimum: 1000, versionPriority: 10 };
    await env.client.create(APIService, {
      metadata: { name: `v1.${group}` },
      spec: { group, version: "v1", ...priorities, caBundle, service: { ...service, port: extension.port! } },
    });
    await eventually(
      async () => {
        const { status } = await env.client.get(APIService, { name: `v1.${group}` });
        expect(findCondition(status?.conditions, "Available")).toMatchObject({
          status: "True",
          reason: "Passed",
          message: "all checks passed",
        });
      },
      { timeout: startTimeoutMs },
    );
  }, 3 * startTimeoutMs);
  afterAll(async () => {
    stopping.abort();
    await running;
    await env.stop();
  });

  it("gets requests with their user, and without credentials", async () => {
    const [thing] = await eventually(() => things());
    expect(thing).toMatchObject({ url: `/apis/${groupVersion}/namespaces/default/things`, authorization: "none" });
    expect(thing?.user.groups).toContain("system:masters");
    const impersonate = { user: "jane", groups: ["é", "system:masters"], extra: { "example.com/Team": ["x", "y"] } };
    const [hers] = await things({ ...env.config, impersonate });
    expect(hers?.user).toMatchObject({ username: "jane", extra: { "example.com/team": ["x", "y"] } });
    expect(hers?.user.groups).toEqual(expect.arrayContaining(["é", "system:masters"]));
  });

  it("gets no user that a client only claims to be", async () => {
    const path = `/apis/${groupVersion}/namespaces/default/things`;
    const { body } = await text(path, { "x-remote-user": "mallory", "x-remote-group": "m" });
    const [thing] = (JSON.parse(body) as { items: Thing[] }).items;
    expect(thing?.user.username).not.toBe("mallory");
    expect(thing?.user.groups).not.toContain("m");
    const status = await new Promise((resolve, reject) => {
      const direct = { port: extension.port, path, headers: { "x-remote-user": "mallory" }, rejectUnauthorized: false };
      sendDirectly({ host: "127.0.0.1", ...direct }, (response) => resolve(response.resume().statusCode))
        .once("error", reject)
        .end();
    });
    expect(status).toBe(401);
  });

  it("that breaks off ends the request, and nothing else", async () => {
    const path = `/apis/${groupVersion}/namespaces/default/things/broken`;
    await expect(text(path).then(({ body }) => JSON.parse(body) as object)).rejects.toThrow();
    expect((await text("/livez")).status).toBe(200);
  });

  it("is in the discovery with its resources", async () => {
    const accept = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
    await eventually(
      async () => {
        const { items } = JSON.parse((await text("/apis", { accept })).body) as { items: (KubeObject & object)[] };
        const kind = { group: "", version: "", kind: "Thing" };
        const subresources = [{ subresource: "status", responseKind: kind, verbs: ["get"] }];
        const own = { resource: "things", responseKind: kind, scope: "Namespaced", singularResource: "thing" };
        expect(items.find(({ metadata }) => metadata.name === group)).toEqual({
          metadata: { name: group },
          versions: [
            { version: "v1", freshness: "Current", resources: [{ ...own, verbs: ["get", "list"], subresources }] },
          ],
        });
      },
      { timeout: startTimeoutMs / 2 },
    );
  });

  it("that has ended leaves an error", async () => {
    stopping.abort();
    await running;
    const { status, body } = await text(`/apis/${groupVersion}`);
    expect([status, body]).toEqual([
      503,
      expect.stringMatching(/^(error trying to reach service: dial tcp .*refused|service unavailable)\n$/),
    ]);
  });
});
