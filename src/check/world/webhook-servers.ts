import { join } from "node:path";
import type { OperatorWebhooks } from "./host.ts";
import {
  freePorts,
  untilListening,
  makeWebhookEndpoint,
  type WebhookEndpoint,
} from "../../sandbox/webhooks/webhook-endpoint.ts";

/** Where the processes of an operator serve webhooks. The API server calls the one that was started last. */
export class WebhookServers implements OperatorWebhooks {
  /** Two, which take turns: during a hand-over two processes run. */
  private readonly endpoints: readonly WebhookEndpoint[];
  private started = 0;

  private constructor(endpoints: readonly WebhookEndpoint[]) {
    this.endpoints = endpoints;
  }

  /** Finds ports, and writes certificates to the folder. */
  static async prepare(folder: string): Promise<WebhookServers> {
    const ports = await freePorts(2);
    const endpoints = ports.map((port) => makeWebhookEndpoint(join(folder, `webhooks-${port}`), port));
    return new WebhookServers(await Promise.all(endpoints));
  }

  /** Returns the endpoint for a process that is about to start. */
  next(): WebhookEndpoint {
    this.started++;
    return this.current;
  }

  /** The endpoint of the process that was started last. */
  get current(): WebhookEndpoint {
    return this.endpoints[this.started % 2]!;
  }

  get url(): string {
    return this.current.url;
  }

  get caBundle(): string {
    return this.current.caBundle;
  }

  untilServing(signal: AbortSignal): Promise<boolean> {
    return untilListening(this.current, signal);
  }
}
