import { rm, rmdir } from "node:fs/promises";
import { join } from "node:path";
import { issueCertificates, type Certificate } from "../../apimachinery/certificates/issue-certificates.ts";
import { makeFolder } from "../../files/make-folder.ts";
import { writeWhole } from "../disk/write-whole.ts";
import { randomInt } from "node:crypto";
import { createServer, type Server, connect } from "node:net";
import { setTimeout as wait } from "node:timers/promises";

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

/**
 * Below the ports that systems give to outgoing connections: one of these could take the port before its program
 * listens, or while that restarts.
 */
const lowest = 12_000;
const highest = 28_000;

/** Finds free ports on loopback. All are bound before the first is released, so that they differ. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(Array.from({ length: count }, () => listen()));
  const ports = servers.map((server) => (server.address() as { port: number }).port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}

async function listen(): Promise<Server> {
  for (;;) {
    const server = createServer();
    const error = await new Promise<NodeJS.ErrnoException | undefined>((resolve) => {
      server.once("error", resolve).listen(randomInt(lowest, highest), "127.0.0.1", () => resolve(undefined));
    });
    if (!error) return server;
    if (error.code !== "EADDRINUSE" && error.code !== "EACCES") throw error;
  }
}

const timeoutMs = 10_000;

/** Waits until a port accepts connections, for at most ten seconds, and returns whether it does. */
export async function untilListening(
  { host, port }: { readonly host: string; readonly port: number },
  signal: AbortSignal,
): Promise<boolean> {
  const deadline = Date.now() + timeoutMs;
  while (!signal.aborted && Date.now() < deadline) {
    if (await accepts(host, port)) return true;
    await wait(20);
  }
  return false;
}

function accepts(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, host);
    const end = (accepted: boolean) => {
      socket.destroy();
      resolve(accepted);
    };
    socket.once("connect", () => end(true)).once("error", () => end(false));
  });
}
