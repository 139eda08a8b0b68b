import { request as httpsRequest } from "node:https";
import { discardLogger, type Logger } from "../../../../src/runtime/log/logger.ts";
import type { Manager } from "../../../../src/runtime/manager/manager.ts";
import type { Metrics } from "../../../../src/runtime/metrics/metrics.ts";
import { WebhookServer, type WebhookOptions } from "../../../../src/runtime/webhook/webhook-server.ts";
import { manualClock, type ManualClock } from "../../../../src/testing/manual-clock.ts";
import { runInTest } from "../run.ts";

export interface ServedWebhooks {
  readonly server: WebhookServer;
  readonly clock: ManualClock;
  /** Ends the server before the test has finished. */
  readonly end: () => Promise<void>;
}

/** Starts a server of webhooks on a free port. */
export async function serveWebhooks(
  setUp: (server: WebhookServer, manager: Manager) => void,
  options: WebhookOptions = {},
  parts: { log?: Logger; clock?: ManualClock; metrics?: Metrics } = {},
): Promise<ServedWebhooks> {
  const { log = discardLogger, clock = manualClock(new Date(0)), metrics } = parts;
  const server = new WebhookServer({ port: 0, host: "127.0.0.1", ...options }, { log, clock, metrics });
  // The builder uses only the webhook server of a manager.
  setUp(server, { webhookServer: server } as Manager);
  await server.listen();
  const { stop, done } = runInTest((signal) => server.start(signal));
  const end = (): Promise<void> => {
    stop.abort();
    return done;
  };
  return { server, clock, end };
}

export function post(
  { port }: WebhookServer,
  path: string,
  body: string,
  contentType = "application/json",
): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const to = { port, host: "127.0.0.1", path, method: "POST", rejectUnauthorized: false, agent: false };
    const request = httpsRequest({ ...to, headers: { "content-type": contentType } }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (part: string) => (text += part));
      response.once("end", () => resolve({ status: response.statusCode!, body: text }));
    });
    request.once("error", reject).end(body);
  });
}
