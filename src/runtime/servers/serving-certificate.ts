import { existsSync } from "node:fs";
import type { ServerOptions } from "node:https";
import { join } from "node:path";
import { issueCertificates } from "../../apimachinery/certificates/issue-certificates.ts";
import { CertificateWatcher, type KeyPair } from "./certificate-watcher.ts";
import type { Clock } from "../../apimachinery/clock.ts";
import type { Logger } from "../log/logger.ts";
import type { Metrics } from "../metrics/metrics.ts";

/** What Node's TLS servers can be told beside the certificate, such as `{ minVersion: "TLSv1.3" }`; TLS 1.2 is the least. */
export type TlsOptions = Readonly<
  Pick<ServerOptions, "minVersion" | "maxVersion" | "ciphers" | "honorCipherOrder" | "ecdhCurve" | "sigalgs">
>;

/** Where a server finds its certificate. */
export interface CertificateFolder {
  /** The folder of the certificate; a mounted Secret, usually. */
  readonly certDir?: string | undefined;
  /** `tls.crt`. */
  readonly certName?: string | undefined;
  /** `tls.key`. */
  readonly keyName?: string | undefined;
}

export interface ServingCertificateOptions extends CertificateFolder {
  /** Where to look when no folder was named. */
  readonly defaultDir: string;
  readonly log: Logger;
  readonly clock: Clock;
  readonly metrics?: Metrics | undefined;
  readonly onChange: (pair: KeyPair) => void;
  /** Where a certificate comes from if the default folder has none. */
  readonly otherwise?: CertificateSource | undefined;
}

/** Has a certificate, and keeps it up to date while it runs. */
export interface CertificateSource {
  read(): Promise<KeyPair>;
  start(signal: AbortSignal): Promise<void>;
}

export interface ServingCertificate {
  readonly pair: KeyPair;
  /** Keeps the pair up to date; absent for one that exists in memory only. */
  readonly watcher?: CertificateSource;
}

/**
 * The certificate to serve with: from the folder that was named, which must hold one; else from the default folder; else
 * from another source; without one, a new certificate for localhost that nobody trusts.
 */
export async function servingCertificate(options: ServingCertificateOptions): Promise<ServingCertificate> {
  const { certDir, certName, keyName, defaultDir, log, clock, metrics, onChange, otherwise } = options;
  const folder = certDir || defaultDir;
  const certFile = join(folder, certName || "tls.crt");
  const keyFile = join(folder, keyName || "tls.key");
  if (!certDir && !(existsSync(certFile) && existsSync(keyFile))) {
    if (otherwise) return { pair: await otherwise.read(), watcher: otherwise };
    log.info("Serving with a self-signed certificate", { lookedIn: folder });
    return { pair: issueCertificates(["localhost", "127.0.0.1"], Date.now()).server };
  }
  const watcher = new CertificateWatcher({ certFile, keyFile, log, clock, metrics, onChange });
  return { pair: await watcher.read(), watcher };
}
