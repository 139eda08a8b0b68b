import { existsSync } from "node:fs";
import type { ServerOptions } from "node:https";
import { join } from "node:path";
import { issueCertificates } from "../../apimachinery/certificates/issue-certificates.ts";
import { CertificateWatcher, type KeyPair } from "./certificate-watcher.ts";
import type { Clock } from "../../apimachinery/clock.ts";
import type { Logger } from "../log/logger.ts";
import type { Metrics } from "../metrics/metrics.ts";

/**
 * Options of Node's TLS servers except for the certificate, such as `{ minVersion: "TLSv1.3" }`; the minimum is TLS
 * 1.2.
 */
export type TlsOptions = Readonly<
  Pick<ServerOptions, "minVersion" | "maxVersion" | "ciphers" | "honorCipherOrder" | "ecdhCurve" | "sigalgs">
>;

/** The location of a server's certificate. */
export interface CertificateFolder {
  /** The folder of the certificate, usually a mounted Secret. */
  readonly certDir?: string | undefined;
  /** The default is `tls.crt`. */
  readonly certName?: string | undefined;
  /** The default is `tls.key`. */
  readonly keyName?: string | undefined;
}

export interface ServingCertificateOptions extends CertificateFolder {
  /** The folder to use if none is named. */
  readonly defaultDir: string;
  readonly log: Logger;
  readonly clock: Clock;
  readonly metrics?: Metrics | undefined;
  readonly onChange: (pair: KeyPair) => void;
  /** A certificate that clients trust already. It takes precedence over the default folder. */
  readonly trusted?: KeyPair | undefined;
  /** The source of a certificate if the default folder has none. */
  readonly otherwise?: CertificateSource | undefined;
}

/** A certificate that is kept up to date while the source runs. */
export interface CertificateSource {
  read(): Promise<KeyPair>;
  start(signal: AbortSignal): Promise<void>;
}

export interface ServingCertificate {
  readonly pair: KeyPair;
  /** Keeps the pair up to date; absent for a pair that exists only in memory. */
  readonly watcher?: CertificateSource;
}

/**
 * Finds the certificate to serve with: in the named folder, which must hold one; else one that clients trust already; else
 * in the default folder; else from another source; else a new certificate for localhost, which no client trusts.
 */
export async function servingCertificate(options: ServingCertificateOptions): Promise<ServingCertificate> {
  const { certDir, certName, keyName, defaultDir, log, clock, metrics, onChange, trusted, otherwise } = options;
  if (!certDir && trusted) return { pair: trusted };
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
