import { rm, rmdir } from "node:fs/promises";
import { join } from "node:path";
import { issueCertificates } from "../../apimachinery/certificates/issue-certificates.ts";
import { freePorts } from "./free-ports.ts";
import { makeFolder } from "../../files/make-folder.ts";
import { writeInProject } from "../disk/write-whole.ts";

/** The address of a webhook server on this machine, and its certificate. */
export interface WebhookEndpoint {
  readonly host: string;
  readonly port: number;
  /** Folder of the certificate and its key. */
  readonly certDir: string;
  readonly names: CertificateNames;
  readonly url: string;
  /** The CA as PEM text in base64, as in webhook configurations. */
  readonly caBundle: string;
}

/** The file names of a certificate and its key. */
export type CertificateNames = readonly [certificate: string, key: string];

const usualNames: CertificateNames = ["tls.crt", "tls.key"];

/** Writes a certificate to `certDir`, for a port or for a free one. */
export async function makeWebhookEndpoint(
  certDir: string,
  wanted?: number,
  names: CertificateNames = usualNames,
): Promise<WebhookEndpoint> {
  const host = "127.0.0.1";
  const [port] = wanted === undefined ? await freePorts(1) : [wanted];
  const { ca, server } = issueCertificates([host, "localhost"], Date.now());
  await makeFolder(certDir);
  const [certificate, key] = names.map((name) => join(certDir, name)) as [string, string];
  await writeInProject(certificate, server.cert);
  await writeInProject(key, server.key);
  const caBundle = Buffer.from(ca).toString("base64");
  return { host, port: port!, certDir, names, url: `https://${host}:${port}`, caBundle };
}

/** Removes the certificate, and its folder unless other files are in it. */
export async function removeWebhookEndpoint({ certDir, names }: WebhookEndpoint): Promise<void> {
  for (const name of names) await rm(join(certDir, name), { force: true });
  await rmdir(certDir).catch((error: NodeJS.ErrnoException) => {
    if (!["ENOTEMPTY", "EEXIST", "ENOENT"].includes(error.code ?? "")) throw error;
  });
}
