import type { Logger } from "../log/logger.ts";
import type { HealthChecks } from "./health.ts";
import { pageNotFound } from "./plain-text.ts";
import { Server } from "./server.ts";

/** Creates the server of the health checks. */
export function healthServer(address: string, logger: Logger, checks: readonly HealthChecks[]): Server {
  return new Server({
    name: "health probe",
    flag: "--health-probe-bind-address",
    address,
    logger,
    handler: (request, response) => {
      void (async () => {
        for (const each of checks) if (await each.answer(request, response)) return;
        pageNotFound(response);
      })();
    },
  });
}
