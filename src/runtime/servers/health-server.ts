import type { HealthChecks } from "./health.ts";
import { startHttpServer, type RunningServer } from "./http-server.ts";
import type { Logger } from "../log/logger.ts";
import { pageNotFound } from "./plain-text.ts";
import { untilAborted, type Runnable } from "../runnable.ts";

/** Serves the health checks. */
export class HealthServer implements Runnable {
  readonly needLeaderElection = false;
  private readonly address: string;
  private readonly log: Logger;
  private readonly checks: readonly HealthChecks[];
  private running: RunningServer | undefined;

  constructor(address: string, log: Logger, checks: readonly HealthChecks[]) {
    this.address = address;
    this.log = log.withValues({ name: "health probe" });
    this.checks = checks;
  }

  /** Begins to listen; rejects if that fails. */
  async listen(): Promise<RunningServer> {
    this.running ??= await startHttpServer({
      what: "health probe",
      flag: "--health-probe-bind-address",
      address: this.address,
      handler: (request, response) => {
        void (async () => {
          for (const checks of this.checks) if (await checks.answer(request, response)) return;
          pageNotFound(response);
        })();
      },
    });
    return this.running;
  }

  async start(signal: AbortSignal): Promise<void> {
    const running = await this.listen();
    const addr = this.address;
    this.log.info("starting server", { addr });
    await untilAborted(signal);
    this.log.info("shutting down server", { addr });
    await running.close();
  }
}
