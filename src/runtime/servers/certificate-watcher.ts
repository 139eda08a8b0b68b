import { createPrivateKey, X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import { TsopError } from "../../errors/tsop-error.ts";
import type { Clock } from "../../apimachinery/clock.ts";
import { wait } from "../monotonic-clock.ts";
import type { Logger } from "../log/logger.ts";
import type { Metrics } from "../metrics/metrics.ts";
import type { Runnable } from "../runnable.ts";

export interface KeyPair {
  readonly cert: string;
  readonly key: string;
}

export interface CertificateWatcherOptions {
  readonly certFile: string;
  readonly keyFile: string;
  readonly log: Logger;
  readonly clock: Clock;
  readonly metrics?: Metrics | undefined;
  /** Called with every new pair. */
  readonly onChange: (pair: KeyPair) => void;
}

/** A mounted Secret changes by swapping a symlink, which file notifications do not report reliably. */
const pollMs = 10_000;

/** Reads a certificate with its key, and again whenever it changes. */
export class CertificateWatcher implements Runnable {
  readonly needLeaderElection = false;
  private readonly options: CertificateWatcherOptions;
  private current: KeyPair | undefined;

  constructor(options: CertificateWatcherOptions) {
    this.options = options;
  }

  /** Returns the pair on disk, the same object until it changes; throws a TsopError if it cannot be used. */
  async read(): Promise<KeyPair> {
    const { certFile, keyFile, log, metrics } = this.options;
    try {
      const pair = { cert: await readFile(certFile, "utf8"), key: await readFile(keyFile, "utf8") };
      checkPair(pair);
      metrics?.certificateRead(false);
      if (pair.cert === this.current?.cert && pair.key === this.current.key) return this.current;
      log.info("Updated current TLS certificate", { cert: certFile, key: keyFile });
      this.current = pair;
      return pair;
    } catch (error) {
      metrics?.certificateRead(true);
      const { code, message } = error as NodeJS.ErrnoException;
      const reason = code === "ENOENT" ? "there is no such file" : message;
      throw new TsopError("TSOP_SERVING_CERTIFICATE", { certFile, keyFile, reason }, { cause: error });
    }
  }

  async start(signal: AbortSignal): Promise<void> {
    const { certFile: cert, keyFile: key, log } = this.options;
    log.info("Starting certificate poll+watcher", { cert, key, interval: `${pollMs / 1000}s` });
    while (!signal.aborted) {
      await wait(this.options.clock, pollMs, signal);
      if (!signal.aborted) await this.poll();
    }
  }

  /** Keeps the last valid pair if the files are incomplete or invalid. */
  async poll(): Promise<void> {
    const before = this.current;
    try {
      const pair = await this.read();
      if (pair !== before) this.options.onChange(pair);
    } catch (error) {
      this.options.log.error(error, "Failed to read the certificate again, going on with the old one");
    }
  }
}

function checkPair({ cert, key }: KeyPair): void {
  if (!new X509Certificate(cert).checkPrivateKey(createPrivateKey(key))) {
    throw new Error("certificate and key do not belong together");
  }
}
