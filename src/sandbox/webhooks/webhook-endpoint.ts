import { rm, rmdir } from "node:fs/promises";
import { join } from "node:path";
import { issueCertificates, type Certificate } from "../../apimachinery/certificates/issue-certificates.ts";
import { freePorts } from "./free-ports.ts";
import { makeFolder } from "../../files/make-folder.ts";
import { writeWhole } from "../disk/write-whole.ts";

/** The address of a webhook server on this machine, and the certificate that it serves with. */
export interface WebhookAddress {
  readonly host: string;
  readonly port: number;
  readonly url: string;
  /** The CA as PEM text in base64, as in webhook configurations. */
  readonly caBundle: string;
  readonly certificate: Certificate;
}

/** The address of a webhook server that reads its certificate from files. */
export interface WebhookEndpoint extends WebhookAddress {
  /** Folder of the certificate and its key. */
  readonly certDir: string;
  readonly names: CertificateNames;
}

/** The file names of a certificate and its key. */
export type CertificateNames = readonly [certificate: string, key: string];

const usualNames: CertificateNames = ["tls.crt", "tls.key"];

/** Issues a certificate for the webhooks at a port of this machine. */
export function addressWebhooks(port: number): WebhookAddress {
  const host = "127.0.0.1";
  const { ca, server } = issueCertificates([host, "localhost"], Date.now());
  const caBundle = Buffer.from(ca).toString("base64");
  return { host, port, url: `https://${host}:${port}`, caBundle, certificate: server };
}

/** Writes a certificate to `certDir`, for a port or for a free one. */
export async function makeWebhookEndpoint(
  certDir: string,
  wanted?: number,
  names: CertificateNames = usualNames,
): Promise<WebhookEndpoint> {
  const address = addressWebhooks(wanted ?? (await freePorts(1))[0]!);
  await makeFolder(certDir);
  const [certificate, key] = names.map((name) => join(certDir, name)) as [string, string];
  await writeWhole(certificate, address.certificate.cert);
  await writeWhole(key, address.certificate.key);
  return { ...address, certDir, names };
}

/** Removes the certificate, and its folder unless other files are in it. */
export async function removeWebhookEndpoint({ certDir, names }: WebhookEndpoint): Promise<void> {
  for (const name of names) await rm(join(certDir, name), { force: true });
  await rmdir(certDir).catch((error: NodeJS.ErrnoException) => {
    if (!["ENOTEMPTY", "EEXIST", "ENOENT"].includes(error.code ?? "")) throw error;
  });
}
