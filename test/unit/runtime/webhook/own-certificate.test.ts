import { X509Certificate } from "node:crypto";
import { connect } from "node:tls";
import { describe, expect, it } from "vitest";
import { issueCertificates } from "../../../../src/apimachinery/certificates/issue-certificates.ts";
import { defineKind, type Kind } from "../../../../src/apimachinery/kind.ts";
import type { UnstructuredObject } from "../../../../src/apimachinery/meta.ts";
import type { Client } from "../../../../src/client/client.ts";
import { discardLogger } from "../../../../src/runtime/log/logger.ts";
import { certificateOfSecret, OwnCertificate } from "../../../../src/runtime/webhook/own-certificate.ts";
import { trustAuthority } from "../../../../src/runtime/webhook/trust-authority.ts";
import { WebhookServer } from "../../../../src/runtime/webhook/webhook-server.ts";
import { embeddedClient } from "../embedded-client.ts";
import { manualClock } from "../../../../src/testing/manual-clock.ts";

const service = { namespace: "default", name: "webhook-service" };
const host = "webhook-service.default.svc";
const day = 24 * 3600_000;

const builtin = (group: string, kind: string, scope: "Namespaced" | "Cluster"): Kind<UnstructuredObject> =>
  defineKind({ group, version: "v1", kind, plural: `${kind.toLowerCase()}s`, scope });
const Secret = builtin("", "Secret", "Namespaced");
const Crd = builtin("apiextensions.k8s.io", "CustomResourceDefinition", "Cluster");
const Mutating = builtin("admissionregistration.k8s.io", "MutatingWebhookConfiguration", "Cluster");
const Validating = builtin("admissionregistration.k8s.io", "ValidatingWebhookConfiguration", "Cluster");

const webhook = (name: string, target: object): object => ({
  name,
  admissionReviewVersions: ["v1"],
  sideEffects: "None",
  clientConfig: { service: target },
  rules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["podtemplates"] }],
});

/** Creates webhooks and a conversion for our Service, and others for another one. */
async function applyWebhooks(client: Client): Promise<void> {
  const other = { ...service, name: "other" };
  for (const kind of [Mutating, Validating]) {
    const webhooks = [webhook("other.example.com", other), webhook("ours.example.com", service)];
    await client.create(kind, { metadata: { name: "ours" }, webhooks });
    await client.create(kind, { metadata: { name: "others" }, webhooks: [webhook("x.example.com", other)] });
  }
  const schema = { openAPIV3Schema: { type: "object" } };
  const conversion = { strategy: "Webhook", webhook: { conversionReviewVersions: ["v1"], clientConfig: { service } } };
  await client.create(Crd, {
    metadata: { name: "things.example.com" },
    spec: {
      group: "example.com",
      scope: "Namespaced",
      names: { kind: "Thing", plural: "things" },
      versions: [{ name: "v1", served: true, storage: true, schema }],
      conversion,
    },
  });
}

const bundlesOf = async (client: Client, kind: Kind<UnstructuredObject>, name: string): Promise<unknown[]> =>
  ((await client.get(kind, { name }))["webhooks"] as { clientConfig: { caBundle?: string } }[]).map(
    ({ clientConfig }) => clientConfig.caBundle,
  );

describe("certificateOfSecret", () => {
  it("creates a certificate for the Service, and finds it again", async () => {
    const { client, requests } = embeddedClient();
    const first = await certificateOfSecret(client, service, [host], Date.now());
    expect(new X509Certificate(first.pair.cert).checkHost(host)).toBe(host);
    requests.length = 0;
    expect(await certificateOfSecret(client, service, [host], Date.now())).toEqual(first);
    expect(requests).toEqual(["GET /api/v1/namespaces/default/secrets/webhook-service"]);
  });

  it.each([
    ["about to expire", [host], 340 * day],
    ["for another host", ["another.default.svc"], 0],
  ])("replaces a certificate that is %s, and keeps the old authority trusted", async (_, hosts, later) => {
    const { client } = embeddedClient();
    const first = await certificateOfSecret(client, service, [host], Date.now());
    const second = await certificateOfSecret(client, service, hosts, Date.now() + later);
    expect(second.pair.cert).not.toBe(first.pair.cert);
    expect(second.ca).toContain("-----END CERTIFICATE-----\n-----BEGIN CERTIFICATE-----");
    expect(second.ca.endsWith(first.ca)).toBe(true);
    const third = await certificateOfSecret(client, service, ["third.default.svc"], Date.now() + later);
    expect(third.ca.match(/BEGIN/g)).toHaveLength(2);
  });

  it("replaces an invalid certificate, and keeps other data of the Secret", async () => {
    const { client } = embeddedClient();
    const data = { "tls.crt": "eA==", "tls.key": "eA==", "ca.crt": "eA==", more: "eA==" };
    await client.create(Secret, { metadata: service, type: "kubernetes.io/tls", data });
    const { ca } = await certificateOfSecret(client, service, [host], Date.now());
    expect(ca.match(/BEGIN/g)).toHaveLength(1);
    expect(await client.get(Secret, service)).toMatchObject({ data: { more: "eA==" } });
  });

  it("returns the same certificate for replicas that start concurrently", async () => {
    const { client } = embeddedClient();
    const all = await Promise.all([1, 2, 3].map(() => certificateOfSecret(client, service, [host], Date.now())));
    expect(new Set(all.map(({ ca }) => ca)).size).toBe(1);
  });
});

describe("trustAuthority", () => {
  it("sets the authority in all configurations that call the Service, once, and in no other", async () => {
    const { client, requests } = embeddedClient();
    await applyWebhooks(client);
    const { ca } = issueCertificates([host], Date.now());
    const changed = ["MutatingWebhookConfiguration/ours", "ValidatingWebhookConfiguration/ours"];
    expect(await trustAuthority(client, service, ca)).toEqual([
      ...changed,
      "CustomResourceDefinition/things.example.com",
    ]);
    const caBundle = Buffer.from(ca).toString("base64");
    for (const kind of [Mutating, Validating]) {
      expect(await bundlesOf(client, kind, "ours")).toEqual([undefined, caBundle]);
      expect(await bundlesOf(client, kind, "others")).toEqual([undefined]);
    }
    expect(await client.get(Crd, { name: "things.example.com" })).toMatchObject({
      spec: { conversion: { webhook: { clientConfig: { caBundle } } } },
    });
    requests.length = 0;
    expect(await trustAuthority(client, service, ca)).toEqual([]);
    expect(requests.filter((request) => !request.startsWith("GET "))).toEqual([]);
  });
});

describe("a webhook server with a Service and without a certificate", () => {
  it("serves with a certificate that the API server trusts, also for webhooks created later", async () => {
    const { client } = embeddedClient();
    const clock = manualClock(new Date(0));
    const server = new WebhookServer(
      { port: 0, host: "127.0.0.1", service: service.name, certName: "none-there.crt" },
      { log: discardLogger, clock, metrics: undefined, cluster: { client, namespace: "default" } },
    );
    await server.listen();
    const stopping = new AbortController();
    const done = server.start(stopping.signal);
    try {
      await applyWebhooks(client);
      await clock.advance(2_000);
      const [, caBundle] = await bundlesOf(client, Mutating, "ours");
      await expect(dial(server.port!, Buffer.from(String(caBundle), "base64").toString())).resolves.toBe(true);
      await expect(dial(server.port!, issueCertificates([host], Date.now()).ca)).rejects.toThrow();
    } finally {
      stopping.abort();
      await done;
    }
  });

  it("renews the certificate before it expires, and survives an unreachable API server", async () => {
    const embedded = embeddedClient();
    const clock = manualClock(new Date(0));
    const certificates: string[] = [];
    let today = Date.now();
    const own = new OwnCertificate({
      client: embedded.client,
      service,
      log: discardLogger,
      clock,
      now: () => today,
      onChange: ({ cert }) => certificates.push(cert),
    });
    const first = await own.read();
    const stopping = new AbortController();
    const done = own.start(stopping.signal);
    embedded.cut = true;
    await clock.advance(60_000);
    embedded.cut = false;
    today += 334 * day;
    await clock.advance(600_000);
    expect(certificates).toEqual([]);
    today += 2 * day;
    await clock.advance(600_000);
    expect(certificates).toHaveLength(1);
    expect(certificates[0]).not.toBe(first.cert);
    stopping.abort();
    await done;
  });
});

/** Connects like the API server: by the name of the Service, with one trusted authority. */
function dial(port: number, ca: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: "127.0.0.1", servername: host, ca }, () => {
      resolve(socket.authorized);
      socket.end();
    });
    socket.once("error", reject);
  });
}
