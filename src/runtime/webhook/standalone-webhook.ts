import type { RequestListener } from "node:http";
import { discardLogger, type Logger } from "../log/logger.ts";
import { panicFields } from "../panic.ts";
import type { AdmissionHandler } from "./admission.ts";
import { BodyRoom } from "./body-room.ts";
import { answerAdmission, type AdmissionWebhookOptions } from "./admission-endpoint.ts";

/**
 * Creates an admission webhook for a server of the program instead of the manager's. That server handles TLS.
 *
 * @example
 * createServer({ cert, key }, standaloneWebhook((request) => admission.allowed(request.name))).listen(8443);
 */
export function standaloneWebhook(
  handler: AdmissionHandler,
  log: Logger = discardLogger,
  options: AdmissionWebhookOptions = {},
): RequestListener {
  const endpoint = { ...options, log, room: new BodyRoom(), onPanic: () => undefined };
  return (request, response) => {
    answerAdmission(request, handler, endpoint).then(
      (review) => response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(review)),
      (error: unknown) => {
        log.error(undefined, "Failed to answer a webhook request", panicFields(error));
        response.writeHead(500).end();
      },
    );
  };
}
