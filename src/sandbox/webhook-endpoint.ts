import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { issueCertificates } from "../apimachinery/certificates/issue-certificates.ts";
import { freePorts } from "./free-ports.ts";

/** Where a webhook server on this machine shall listen, and how the API server reaches and trusts it. */
export interface WebhookEndpoint {
  readonly host: string;
  readonly port: number;
  /** Holds tls.crt and tls.key. */
  readonly certDir: string;
  readonly url: string;
  /** PEM text in base64, as webhook configurations hold it. */
  readonly caBundle: string;
}

/** Writes a certificate into `certDir` for the port, or for a free one. */
export async function makeWebhookEndpoint(certDir: string, wanted?: number): Promise<WebhookEndpoint> {
  const host = "127.0.0.1";
  const [port] = wanted === undefined ? await freePorts(1) : [wanted];
  const { ca, server } = issueCertificates([host, "localhost"], Date.now());
  await mkdir(certDir, { recursive: true });
  await writeFile(join(certDir, "tls.crt"), server.cert);
  await writeFile(join(certDir, "tls.key"), server.key, { mode: 0o600 });
  const caBundle = Buffer.from(ca).toString("base64");
  return { host, port: port!, certDir, url: `https://${host}:${port}`, caBundle };
}
