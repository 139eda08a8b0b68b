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

/** Chooses a free port, and writes a certificate for it into `certDir`. */
export async function makeWebhookEndpoint(certDir: string): Promise<WebhookEndpoint> {
  const host = "127.0.0.1";
  const [port] = await freePorts(1);
  const { ca, server } = issueCertificates([host, "localhost"], Date.now());
  await mkdir(certDir, { recursive: true });
  await writeFile(join(certDir, "tls.crt"), server.cert);
  await writeFile(join(certDir, "tls.key"), server.key, { mode: 0o600 });
  const caBundle = Buffer.from(ca).toString("base64");
  return { host, port: port!, certDir, url: `https://${host}:${port}`, caBundle };
}
