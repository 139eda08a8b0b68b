import { rm, rmdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { issueCertificates } from "../../apimachinery/certificates/issue-certificates.ts";
import { freePorts } from "./free-ports.ts";
import { makeFolder } from "../disk/make-folder.ts";

/** The address of a webhook server on this machine, and its certificate. */
export interface WebhookEndpoint {
  readonly host: string;
  readonly port: number;
  /** Folder of tls.crt and tls.key. */
  readonly certDir: string;
  readonly url: string;
  /** The CA as PEM text in base64, as in webhook configurations. */
  readonly caBundle: string;
}

/** Writes a certificate to `certDir`, for a port or for a free one. */
export async function makeWebhookEndpoint(certDir: string, wanted?: number): Promise<WebhookEndpoint> {
  const host = "127.0.0.1";
  const [port] = wanted === undefined ? await freePorts(1) : [wanted];
  const { ca, server } = issueCertificates([host, "localhost"], Date.now());
  await makeFolder(certDir);
  const [certificate, key] = files(certDir);
  await writeFile(certificate, server.cert);
  await writeFile(key, server.key, { mode: 0o600 });
  const caBundle = Buffer.from(ca).toString("base64");
  return { host, port: port!, certDir, url: `https://${host}:${port}`, caBundle };
}

/** Removes the certificate, and its folder unless other files are in it. */
export async function removeWebhookEndpoint({ certDir }: WebhookEndpoint): Promise<void> {
  for (const file of files(certDir)) await rm(file, { force: true });
  await rmdir(certDir).catch((error: NodeJS.ErrnoException) => {
    if (!["ENOTEMPTY", "EEXIST", "ENOENT"].includes(error.code ?? "")) throw error;
  });
}

function files(certDir: string): readonly [certificate: string, key: string] {
  return [join(certDir, "tls.crt"), join(certDir, "tls.key")];
}
