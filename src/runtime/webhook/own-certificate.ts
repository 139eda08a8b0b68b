import type { Client } from "../../client/client.ts";
import type { KeyPair } from "../servers/certificate-watcher.ts";
import type { Clock } from "../../apimachinery/clock.ts";
import { wait } from "../monotonic-clock.ts";
import type { Logger } from "../log/logger.ts";
import type { CertificateSource } from "../servers/serving-certificate.ts";
import { trustAuthority } from "./trust-authority.ts";
import { createPrivateKey, X509Certificate } from "node:crypto";
import { issueCertificates } from "../../apimachinery/certificates/issue-certificates.ts";
import { defineKind, type Kind } from "../../apimachinery/kind.ts";
import type { KubeObject } from "../../apimachinery/meta.ts";
import { isAlreadyExists, isConflict } from "../../apimachinery/status.ts";

export interface OwnCertificateOptions {
  readonly client: Client;
  /** The Service in front of the webhooks; the Secret has its name. */
  readonly service: { readonly namespace: string; readonly name: string };
  readonly log: Logger;
  readonly clock: Clock;
  /** Called with every new pair. */
  readonly onChange: (pair: KeyPair) => void;
  /** Returns milliseconds since 1970, since certificates have dates. */
  readonly now?: () => number;
}

/** Configurations are often applied after the operator has started; later they rarely change. */
const [firstPauseMs, lastPauseMs] = [2_000, 600_000];

/**
 * A certificate that the operator issues itself if neither cert-manager nor OLM does. It is stored in a Secret, so that
 * all replicas use the same, and the API server is configured to trust it.
 */
export class OwnCertificate implements CertificateSource {
  private readonly options: OwnCertificateOptions;
  private current: KeyPair | undefined;

  constructor(options: OwnCertificateOptions) {
    this.options = options;
  }

  /** Returns the pair to serve with. The API server already trusts it in the existing configurations. */
  async read(): Promise<KeyPair> {
    const { client, service, log, now = Date.now } = this.options;
    const host = `${service.name}.${service.namespace}.svc`;
    const { pair, ca } = await certificateOfSecret(client, service, [host, `${host}.cluster.local`], now());
    for (const object of await trustAuthority(client, service, ca)) {
      log.info("The API server trusts the webhooks' certificate", { object });
    }
    this.current = pair;
    return pair;
  }

  async start(signal: AbortSignal): Promise<void> {
    for (let pause = firstPauseMs; !signal.aborted; pause = Math.min(2 * pause, lastPauseMs)) {
      await wait(this.options.clock, pause, signal);
      if (!signal.aborted) await this.poll();
    }
  }

  private async poll(): Promise<void> {
    const before = this.current;
    try {
      const pair = await this.read();
      if (pair.cert !== before?.cert) this.options.onChange(pair);
    } catch (error) {
      this.options.log.error(error, "Failed to look after the webhooks' certificate, going on with the old one");
    }
  }
}

interface Secret extends KubeObject {
  type?: string;
  data?: Readonly<Record<string, string>>;
}

const Secret: Kind<Secret> = defineKind<Secret>({ group: "", version: "v1", kind: "Secret", plural: "secrets" });

interface StoredCertificate {
  readonly pair: KeyPair;
  /** The authorities to trust, as PEM text: the current one and, for some time, the previous one. */
  readonly ca: string;
}

/** The time before expiry at which a certificate is renewed; until then replicas may serve with either. */
const renewBeforeMs = 30 * 24 * 3600_000;

/** Returns the certificate for these hosts from a Secret; issues a new one if it is missing or about to expire. */
export async function certificateOfSecret(
  client: Client,
  key: { readonly namespace: string; readonly name: string },
  hosts: readonly string[],
  now: number,
): Promise<StoredCertificate> {
  for (let attempt = 1; ; attempt++) {
    const secret = await client.getOrUndefined(Secret, key);
    const stored = decode(secret);
    if (stored && isUsable(stored, hosts, now)) return stored;
    const { ca, server } = issueCertificates(hosts, now);
    const fresh = { pair: server, ca: ca + newest(stored?.ca, now) };
    const data = encode(fresh);
    try {
      if (secret) await client.update(Secret, { ...secret, data: { ...secret.data, ...data } });
      else await client.create(Secret, { metadata: { ...key }, type: "kubernetes.io/tls", data });
      return fresh;
    } catch (error) {
      // Another replica was faster, and its certificate works as well.
      if (attempt === 5 || !(isConflict(error) || isAlreadyExists(error))) throw error;
    }
  }
}

const names = { cert: "tls.crt", key: "tls.key", ca: "ca.crt" } as const;

function encode({ pair, ca }: StoredCertificate): Record<string, string> {
  const base64 = (text: string): string => Buffer.from(text).toString("base64");
  return { [names.cert]: base64(pair.cert), [names.key]: base64(pair.key), [names.ca]: base64(ca) };
}

function decode(secret: Secret | undefined): StoredCertificate | undefined {
  const text = (name: string): string => Buffer.from(secret?.data?.[name] ?? "", "base64").toString("utf8");
  const [cert, key, ca] = [text(names.cert), text(names.key), text(names.ca)];
  return cert && key && ca ? { pair: { cert, key }, ca } : undefined;
}

function isUsable({ pair }: StoredCertificate, hosts: readonly string[], now: number): boolean {
  try {
    const certificate = new X509Certificate(pair.cert);
    const isFor = hosts.every((host) => certificate.checkHost(host) !== undefined);
    const lasts = Date.parse(certificate.validTo) - now > renewBeforeMs;
    return isFor && lasts && certificate.checkPrivateKey(createPrivateKey(pair.key));
  } catch {
    return false; // not PEM, or no certificate
  }
}

/** Returns the first authority of a bundle, which is the newest, if it is still valid. */
function newest(bundle: string | undefined, now: number): string {
  const [first] = bundle?.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----\n/) ?? [];
  try {
    return first && Date.parse(new X509Certificate(first).validTo) > now ? first : "";
  } catch {
    return ""; // not a certificate
  }
}
