import { createPrivateKey, X509Certificate } from "node:crypto";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { connect } from "node:tls";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createAuthority } from "../../../../src/apimachinery/certificates/issue-certificates.ts";
import type { UnstructuredObject } from "../../../../src/apimachinery/meta.ts";
import { mergePatch } from "../../../../src/client/patches.ts";
import type { Client } from "../../../../src/client/client.ts";
import { openSchema } from "../../../../src/client/manifests/crd-of.ts";
import { CustomResourceDefinition } from "../../../../src/client/manifests/install-crds.ts";
import {
  CertificateKind,
  ClusterIssuerKind,
  IssuerKind,
  type Certificate,
  type CertificateSpec,
} from "../../../../src/sandbox/cert-manager/cert-manager-kinds.ts";
import type { Secret } from "../../../../src/k8s/core/v1.ts";
import {
  NamespaceKind,
  SecretKind,
  ValidatingWebhookConfigurationKind,
} from "../../../../src/sandbox/simulation/context/simulated-kinds.ts";
import { startSandbox, type Sandbox } from "../../../../src/sandbox/start-sandbox.ts";
import { eventually } from "../../../../src/testing/eventually.ts";
import { manualClock } from "../../../../src/testing/manual-clock.ts";

const clock = manualClock(new Date("2026-03-19T08:00:00Z"));
const stop = new AbortController();
const problems: unknown[] = [];
const namespace = "default";
const hour = 3_600_000;
let sandbox: Sandbox;
let client: Client;

beforeAll(async () => {
  sandbox = await startSandbox({ certManager: true, clock, onError: (error) => problems.push(error) }, stop.signal);
  ({ client } = sandbox);
  await client.create(IssuerKind, { metadata: { namespace, name: "self" }, spec: { selfSigned: {} } });
});
afterAll(async () => {
  stop.abort();
  await sandbox.done;
  expect(problems).toEqual([]);
});

const baseSpec = { issuerRef: { name: "self" }, privateKey: { algorithm: "ECDSA" } } as const;

async function create(name: string, spec: Partial<CertificateSpec>): Promise<void> {
  const whole = { ...baseSpec, secretName: `${name}-tls`, dnsNames: [`${name}.example.com`], ...spec };
  await client.create(CertificateKind, { metadata: { namespace, name }, spec: whole });
}

/** Waits, by the clock of the sandbox, for what a check returns. */
function soon<T>(check: () => Promise<T>): Promise<T> {
  return eventually(async () => {
    await clock.advance(100);
    return check();
  });
}

function ready(name: string, revision = 1): Promise<Certificate> {
  return soon(async () => {
    const certificate = await client.get(CertificateKind, { namespace, name });
    expect(certificate.status).toMatchObject({
      revision,
      conditions: [
        { type: "Ready", status: "True", reason: "Ready", message: "Certificate is up to date and has not expired" },
      ],
    });
    return certificate;
  });
}

const secretOf = (name: string): Promise<Secret> => client.get(SecretKind, { namespace, name: `${name}-tls` });
const textOf = ({ data }: Secret, key: string): string => Buffer.from(data?.[key] ?? "", "base64").toString();
const certificateOf = (secret: Secret): X509Certificate => new X509Certificate(textOf(secret, "tls.crt"));

it("issues a self-signed certificate into a Secret with cert-manager's annotations", async () => {
  await create("web", {
    dnsNames: ["web.default.svc", "web"],
    ipAddresses: ["10.0.0.1", "fd00::1"],
    commonName: "web",
  });
  const { status } = await ready("web");
  const secret = await secretOf("web");
  expect(secret).toMatchObject({
    type: "kubernetes.io/tls",
    metadata: {
      labels: { "controller.cert-manager.io/fao": "true" },
      annotations: {
        "cert-manager.io/alt-names": "web.default.svc,web",
        "cert-manager.io/certificate-name": "web",
        "cert-manager.io/common-name": "web",
        "cert-manager.io/ip-sans": "10.0.0.1,fd00::1",
        "cert-manager.io/issuer-group": "cert-manager.io",
        "cert-manager.io/issuer-kind": "Issuer",
        "cert-manager.io/issuer-name": "self",
        "cert-manager.io/uri-sans": "",
      },
    },
  });
  const certificate = certificateOf(secret);
  expect(certificate.subjectAltName).toBe(
    "DNS:web.default.svc, DNS:web, IP Address:10.0.0.1, IP Address:FD00:0:0:0:0:0:0:1",
  );
  expect(certificate.subject).toBe("CN=web");
  expect(certificate.verify(certificate.publicKey)).toBe(true);
  expect(textOf(secret, "ca.crt")).toBe(textOf(secret, "tls.crt"));
  expect(Date.parse(certificate.validTo) - Date.parse(certificate.validFrom)).toBe(2160 * hour);
  expect(Date.parse(status!.renewalTime!) - Date.parse(status!.notBefore!)).toBe(1440 * hour);
  expect(Date.parse(status!.notAfter!)).toBe(Date.parse(certificate.validTo));
});

it.each([
  ["RSA", "-----BEGIN RSA PRIVATE KEY-----", "rsa"],
  ["ECDSA", "-----BEGIN EC PRIVATE KEY-----", "ec"],
  ["Ed25519", "-----BEGIN PRIVATE KEY-----", "ed25519"],
] as const)(
  "issues a certificate for a key of the algorithm %s, which a TLS client trusts by ca.crt",
  async (algorithm, head, type) => {
    const name = algorithm.toLowerCase();
    await create(name, { dnsNames: ["localhost"], privateKey: { algorithm }, duration: "876000h" });
    await ready(name);
    const secret = await secretOf(name);
    expect(textOf(secret, "tls.key").startsWith(head)).toBe(true);
    expect(createPrivateKey(textOf(secret, "tls.key")).asymmetricKeyType).toBe(type);
    const server = createServer({ cert: textOf(secret, "tls.crt"), key: textOf(secret, "tls.key") });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const trustedBy = (ca: string): Promise<boolean> =>
      new Promise((resolve) => {
        const options = { host: "127.0.0.1", port, ca, servername: "localhost", rejectUnauthorized: false };
        const socket = connect(options, () => {
          resolve(socket.authorized);
          socket.destroy();
        });
      });
    expect(await trustedBy(textOf(secret, "ca.crt"))).toBe(true);
    expect(await trustedBy(createAuthority(Date.now()).cert)).toBe(false);
    server.close();
  },
);

it("renews a certificate at its renewal time, and reissues it after a change, a deletion or by request", async () => {
  await create("short", { duration: "1h", renewBefore: "20m" });
  const first = await ready("short");
  const before = certificateOf(await secretOf("short")).serialNumber;
  const left = Date.parse(first.status!.renewalTime!) - clock.now();
  expect(Date.parse(first.status!.notAfter!) - Date.parse(first.status!.renewalTime!)).toBe(20 * 60_000);
  await clock.advance(left - 1_000);
  expect(certificateOf(await secretOf("short")).serialNumber).toBe(before);
  await clock.advance(1_000);
  const second = await ready("short", 2);
  expect(Date.parse(second.status!.notBefore!)).toBeGreaterThanOrEqual(Date.parse(first.status!.renewalTime!));

  const key = { namespace, name: "short" };
  await client.patch(CertificateKind, key, mergePatch({ spec: { dnsNames: ["other.example.com"] } }));
  await ready("short", 3);
  expect(certificateOf(await secretOf("short")).subjectAltName).toBe("DNS:other.example.com");

  await client.delete(SecretKind, { namespace, name: "short-tls" });
  await ready("short", 4);
  expect((await secretOf("short")).metadata.annotations).toMatchObject({ "cert-manager.io/certificate-name": "short" });

  const asked = { type: "Issuing", status: "True", reason: "ManuallyTriggered", message: "Certificate re-issuance" };
  const conditions = [...second.status!.conditions!, { ...asked, lastTransitionTime: "2026-03-19T09:00:00Z" }];
  await client.status.patch(CertificateKind, key, mergePatch({ status: { conditions } }));
  await ready("short", 5);
});

it("keeps the key of a certificate whose rotation policy is Never", async () => {
  await create("kept", { privateKey: { algorithm: "ECDSA", rotationPolicy: "Never" } });
  await ready("kept");
  const before = textOf(await secretOf("kept"), "tls.key");
  await client.patch(CertificateKind, { namespace, name: "kept" }, mergePatch({ spec: { commonName: "kept" } }));
  await ready("kept", 2);
  expect(textOf(await secretOf("kept"), "tls.key")).toBe(before);
});

it("lets a certificate be signed by an authority, whose issuer waits for its Secret", async () => {
  await client.create(NamespaceKind, { metadata: { name: "cert-manager" } });
  await client.create(ClusterIssuerKind, { metadata: { name: "company" }, spec: { ca: { secretName: "root" } } });
  await create("leaf", { issuerRef: { name: "company", kind: "ClusterIssuer" } });
  const missing = `Error getting keypair for CA issuer: secrets "root" not found in namespace cert-manager`;
  await soon(async () => {
    const { status } = await client.get(CertificateKind, { namespace, name: "leaf" });
    expect(status?.conditions).toMatchObject([
      { type: "Ready", status: "False", reason: "DoesNotExist" },
      { type: "Issuing", status: "True", message: expect.stringContaining(missing) as string },
    ]);
  });
  const root = createAuthority(clock.now());
  const data = {
    "tls.crt": Buffer.from(root.cert).toString("base64"),
    "tls.key": Buffer.from(root.key).toString("base64"),
  };
  const metadata = { namespace: "cert-manager", name: "root" };
  await client.create(SecretKind, { metadata, type: "kubernetes.io/tls", data });
  await ready("leaf");
  const secret = await secretOf("leaf");
  expect(textOf(secret, "ca.crt")).toBe(root.cert);
  const authority = new X509Certificate(root.cert);
  expect(certificateOf(secret).checkIssued(authority)).toBe(true);
  expect(certificateOf(secret).verify(authority.publicKey)).toBe(true);
});

it("leads from a certificate over an intermediate authority to the root", async () => {
  await create("root-ca", { isCA: true, commonName: "root", dnsNames: [] });
  await create("middle-ca", { isCA: true, commonName: "middle", dnsNames: [], issuerRef: { name: "of-root" } });
  await client.create(IssuerKind, {
    metadata: { namespace, name: "of-root" },
    spec: { ca: { secretName: "root-ca-tls" } },
  });
  const spec = { ca: { secretName: "middle-ca-tls" } };
  await client.create(IssuerKind, { metadata: { namespace, name: "of-middle" }, spec });
  await create("end", { issuerRef: { name: "of-middle" } });
  await ready("end");
  const chain = textOf(await secretOf("end"), "tls.crt");
  expect(chain.match(/BEGIN CERTIFICATE/g)).toHaveLength(2);
  expect(chain.endsWith(textOf(await secretOf("middle-ca"), "tls.crt"))).toBe(true);
});

it.each([
  ["acme", { acme: { server: "https://acme.example.com" } }, "acme needs a server outside of the sandbox"],
  ["nothing", {}, "this issuer names no type"],
])("refuses an issuer of the type %s", async (name, spec, reason) => {
  await client.create(IssuerKind, { metadata: { namespace, name }, spec });
  const message = `The sandbox plays issuers of the types selfSigned and ca: ${reason}`;
  await soon(async () => {
    const { status } = await client.get(IssuerKind, { namespace, name });
    expect(status?.conditions).toMatchObject([{ type: "Ready", status: "False", reason: "NotSimulated", message }]);
  });
});

it.each([
  [{ issuerRef: { name: "absent" } }, `Referenced "Issuer" not found: issuer.cert-manager.io "absent" not found`],
  [{ issuerRef: { name: "a", group: "example.com" } }, "no Issuer of the group example.com is simulated"],
  [{ secretName: "web-tls" }, `Secret was issued for "web"`],
])("says why a certificate is not issued: %j", async (spec, message) => {
  const name = `waits-${message.length}`;
  await create(name, spec);
  await soon(async () => {
    const { status } = await client.get(CertificateKind, { namespace, name });
    const condition = { type: "Ready", status: "False", message: expect.stringContaining(message) as string };
    expect(status?.conditions?.[0]).toMatchObject(condition);
  });
});

it("refuses a Certificate without a name, or with a renewal before its beginning", async () => {
  await expect(create("empty", { dnsNames: undefined as never })).rejects.toThrow("at least one of commonName");
  await expect(create("late", { duration: "1h", renewBefore: "2h" })).rejects.toThrow("renewBefore must be shorter");
});

const bundleIn = (object: UnstructuredObject, ...path: (string | number)[]): unknown =>
  path.reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], object);

it("fills the CA bundles of webhooks and conversions, and keeps them current", async () => {
  const annotations = { "cert-manager.io/inject-ca-from": `${namespace}/hooks` };
  const service = { namespace, name: "hooks" };
  const webhook = {
    name: "a.example.com",
    clientConfig: { service },
    sideEffects: "None",
    admissionReviewVersions: ["v1"],
  };
  const configuration = {
    metadata: { name: "hooks", annotations },
    webhooks: [webhook, { ...webhook, name: "b.example.com" }],
  };
  await client.create(ValidatingWebhookConfigurationKind, configuration);
  const conversion = { strategy: "Webhook", webhook: { clientConfig: { service }, conversionReviewVersions: ["v1"] } };
  const version = { name: "v1", served: true, storage: true, schema: { openAPIV3Schema: openSchema } };
  await client.create(CustomResourceDefinition, {
    metadata: { name: "tests.example.com", annotations },
    spec: {
      group: "example.com",
      names: { kind: "Test", plural: "tests" },
      scope: "Cluster",
      versions: [version],
      conversion,
    },
  });
  await create("hooks", {});
  const bundles = async (): Promise<unknown[]> => {
    const hooks = await client.get(ValidatingWebhookConfigurationKind, { name: "hooks" });
    const crd = await client.get(CustomResourceDefinition, { name: "tests.example.com" });
    return [
      bundleIn(hooks, "webhooks", 0, "clientConfig", "caBundle"),
      bundleIn(hooks, "webhooks", 1, "clientConfig", "caBundle"),
      bundleIn(crd, "spec", "conversion", "webhook", "clientConfig", "caBundle"),
    ];
  };
  const areCurrent = (): Promise<void> =>
    soon(async () => {
      const authority = (await secretOf("hooks")).data?.["ca.crt"];
      expect(await bundles()).toEqual([authority, authority, authority]);
    });
  await areCurrent();
  const before = await bundles();
  await client.delete(SecretKind, { namespace, name: "hooks-tls" });
  await ready("hooks", 2);
  await areCurrent();
  expect(await bundles()).not.toEqual(before);
});

it("injects the authority of a Secret that allows it, and that of the server", async () => {
  const inject = (name: string, annotations: Record<string, string>): Promise<unknown> => {
    const clientConfig = { url: "https://example.com" };
    const webhook = { name: "a.example.com", clientConfig, sideEffects: "None", admissionReviewVersions: ["v1"] };
    return client.create(ValidatingWebhookConfigurationKind, { metadata: { name, annotations }, webhooks: [webhook] });
  };
  const bundleOf = async (name: string): Promise<unknown> =>
    bundleIn(await client.get(ValidatingWebhookConfigurationKind, { name }), "webhooks", 0, "clientConfig", "caBundle");
  await inject("of-secret", { "cert-manager.io/inject-ca-from-secret": `${namespace}/own` });
  await inject("of-server", { "cert-manager.io/inject-apiserver-ca": "true" });
  const own = createAuthority(clock.now()).cert;
  const data = { "ca.crt": Buffer.from(own).toString("base64") };
  await client.create(SecretKind, { metadata: { namespace, name: "own" }, data });
  await soon(async () => expect(await bundleOf("of-server")).toBe(Buffer.from(sandbox.config.ca!).toString("base64")));
  expect(await bundleOf("of-secret")).toBeUndefined();
  const annotations = { "cert-manager.io/allow-direct-injection": "true" };
  await client.patch(SecretKind, { namespace, name: "own" }, mergePatch({ metadata: { annotations } }));
  await soon(async () => expect(await bundleOf("of-secret")).toBe(data["ca.crt"]));
});
