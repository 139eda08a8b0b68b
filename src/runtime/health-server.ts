import type { HealthChecks } from "./health.ts";
import { startHttpServer, type RunningServer } from "./http-server.ts";
import { untilAborted, type Runnable } from "./runnable.ts";

/** Serves the health checks. */
export class HealthServer implements Runnable {
  readonly needLeaderElection = false;
  private readonly address: string;
  private readonly checks: readonly HealthChecks[];
  private running: RunningServer | undefined;

  constructor(address: string, ...checks: HealthChecks[]) {
    this.address = address;
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
          response.writeHead(404, { "content-type": "text/plain; charset=utf-8" }).end("404 page not found\n");
        })();
      },
    });
    return this.running;
  }

  async start(signal: AbortSignal): Promise<void> {
    const running = await this.listen();
    await untilAborted(signal);
    await running.close();
  }
}
