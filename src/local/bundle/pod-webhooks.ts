import { freePorts, type WebhookEndpoint } from "../../sandbox/webhooks/webhook-endpoint.ts";

/**
 * The webhook servers of the operator's pods. Each pod has a port of its own, as the pods of two versions run at the same
 * time. The API server calls the pod that became ready last.
 */
export class PodWebhooks {
  private readonly endpoint: WebhookEndpoint;
  private readonly ready: WebhookEndpoint[] = [];

  /** Takes the certificate that all pods use. Without a ready pod, the API server calls the address of `endpoint`. */
  constructor(endpoint: WebhookEndpoint) {
    this.endpoint = endpoint;
  }

  get url(): string {
    return (this.ready.at(-1) ?? this.endpoint).url;
  }

  get caBundle(): string {
    return this.endpoint.caBundle;
  }

  /** Returns the address for a program that is about to start. */
  async createEndpoint(): Promise<WebhookEndpoint> {
    const [port = 0] = await freePorts(1);
    return { ...this.endpoint, port, url: `https://${this.endpoint.host}:${port}` };
  }

  addReady(endpoint: WebhookEndpoint): void {
    this.ready.push(endpoint);
  }

  remove(endpoint: WebhookEndpoint): void {
    const at = this.ready.indexOf(endpoint);
    if (at >= 0) this.ready.splice(at, 1);
  }
}
