import { EventEmitter } from "node:events";
import type { IncomingMessage } from "node:http";
import { createRequire, syncBuiltinESMExports } from "node:module";
import { Readable } from "node:stream";
import type { Owner, Scheduler } from "./realm/scheduler.ts";
import type { SimulatedOperator } from "./simulated-operator.ts";
import { sendTo } from "./realm/simulated-servers.ts";

export interface WebhookRoute {
  readonly scheduler: Scheduler;
  /** The owner of the server's tasks. */
  readonly cluster: Owner;
  /** Returns the instance that serves. */
  readonly serving: () => SimulatedOperator | undefined;
}

interface CallOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** Makes the HTTPS requests of this thread, which are those of the API server to webhooks, go to the simulated operator. */
export function routeWebhooks(route: () => WebhookRoute): void {
  const https = createRequire(import.meta.url)("node:https") as object;
  Object.assign(https, { request: requestTo(route) });
  syncBuiltinESMExports();
}

type Receive = (response: IncomingMessage) => void;

/** Returns the function that makes a request to a webhook, which looks like one of Node's client of HTTPS. */
function requestTo(route: () => WebhookRoute) {
  return (url: URL, options: CallOptions, receive: Receive): object => {
    const { scheduler, cluster, serving } = route();
    const { port, pathname, search } = url;
    const { method = "GET", headers = {}, signal } = options;
    const events = new EventEmitter();
    let isOver = false;
    const finish = (happen: () => void): void => {
      if (isOver) return;
      isOver = true;
      happen();
    };
    const fail = (code: string): void =>
      finish(() => void events.emit("error", Object.assign(new Error(code), { code })));
    const end = (body?: string): void => {
      const operator = serving();
      const server = operator?.servers.get(Number(port));
      signal?.addEventListener("abort", () => fail("ABORT_ERR"), { once: true });
      if (!operator || operator.hasEnded || !server) return void scheduler.immediately(() => fail("ECONNREFUSED"));
      void operator.ended.then(() => fail("ECONNRESET"));
      scheduler.immediately(() => {
        void sendTo(server, { method, path: pathname + search, headers, body }).then((answer) => {
          const text = Readable.from([Buffer.from(answer.text)]);
          const response = Object.assign(text, { statusCode: answer.status, headers: answer.headers });
          scheduler.immediately(() => finish(() => receive(response as unknown as IncomingMessage)), cluster);
        });
      }, operator.owner);
    };
    return Object.assign(events, { end });
  };
}
