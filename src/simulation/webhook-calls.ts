import { EventEmitter } from "node:events";
import type { IncomingMessage } from "node:http";
import { createRequire, syncBuiltinESMExports } from "node:module";
import { Readable } from "node:stream";
import type { Owner, Scheduler } from "./scheduler.ts";
import type { SimulatedOperator } from "./simulated-operator.ts";
import { sendTo, type SimulatedAnswer } from "./simulated-servers.ts";

export interface WebhookRoute {
  readonly scheduler: Scheduler;
  /** The owner of the server's tasks. */
  readonly cluster: Owner;
  /** The instance that serves. */
  readonly operator: () => SimulatedOperator | undefined;
}

type Receive = (response: IncomingMessage) => void;

interface CallOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** Makes the HTTPS requests of this thread, which are those of the API server to webhooks, go to the simulated operator. */
export function routeWebhooks(route: WebhookRoute): void {
  const https = createRequire(import.meta.url)("node:https") as object;
  const request = (url: URL, options: CallOptions, receive: Receive): WebhookCall =>
    new WebhookCall(route, url, options, receive);
  Object.assign(https, { request });
  syncBuiltinESMExports();
}

/** A call of a webhook, as Node's client of HTTPS shows it. */
class WebhookCall extends EventEmitter {
  private readonly route: WebhookRoute;
  private readonly url: URL;
  private readonly options: CallOptions;
  private readonly receive: Receive;
  private isOver = false;

  constructor(route: WebhookRoute, url: URL, options: CallOptions, receive: Receive) {
    super();
    this.route = route;
    this.url = url;
    this.options = options;
    this.receive = receive;
  }

  end(body?: string): void {
    const { scheduler, cluster } = this.route;
    const operator = this.route.operator();
    const server = operator?.servers.get(Number(this.url.port));
    this.options.signal?.addEventListener("abort", () => this.fail("ABORT_ERR"), { once: true });
    if (!operator || operator.hasEnded || !server) {
      scheduler.immediately(() => this.fail("ECONNREFUSED"));
      return;
    }
    void operator.ended.then(() => this.fail("ECONNRESET"));
    const { pathname, search } = this.url;
    const { method = "GET", headers = {} } = this.options;
    scheduler.immediately(() => {
      void sendTo(server, { method, path: pathname + search, headers, body }).then((answer) => {
        scheduler.immediately(() => this.answered(answer), cluster);
      });
    }, operator.owner);
  }

  private answered({ status, headers, text }: SimulatedAnswer): void {
    if (this.isOver) return;
    this.isOver = true;
    const body = Object.assign(Readable.from([Buffer.from(text)]), { statusCode: status, headers });
    this.receive(body as unknown as IncomingMessage);
  }

  private fail(code: string): void {
    if (this.isOver) return;
    this.isOver = true;
    this.emit("error", Object.assign(new Error(code), { code }));
  }
}
