import type { Client } from "../../client/client.ts";
import type { KeyPair } from "../servers/certificate-watcher.ts";
import type { Clock } from "../../apimachinery/clock.ts";
import { wait } from "../monotonic-clock.ts";
import type { Logger } from "../log/logger.ts";
import type { CertificateSource } from "../servers/serving-certificate.ts";
import { certificateOfSecret } from "./certificate-secret.ts";
import { trustAuthority } from "./trust-authority.ts";

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
