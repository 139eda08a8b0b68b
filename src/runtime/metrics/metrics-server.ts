import type { IncomingMessage, ServerResponse } from "node:http";
import { TsopError } from "../../errors/tsop-error.ts";
import { startHttpServer, type RunningServer } from "../http-server.ts";
import { untilAborted, type Runnable } from "../runnable.ts";
import type { Metrics } from "./metrics.ts";

export interface MetricsOptions {
  /** `:8080`, `:8443`; `0` switches the server off. */
  readonly bindAddress?: string | undefined;
  /** Paths of your own beside `/metrics`. */
  readonly extraHandlers?: Readonly<Record<string, (request: IncomingMessage, response: ServerResponse) => void>>;
}

/** Serves `/metrics` and what a program adds to it. */
export class MetricsServer implements Runnable {
  readonly needLeaderElection = false;
  private readonly options: MetricsOptions & { readonly bindAddress: string };
  private readonly metrics: Metrics;
  private running: RunningServer | undefined;

  constructor(options: MetricsOptions & { readonly bindAddress: string }, metrics: Metrics) {
    if (options.extraHandlers && "/metrics" in options.extraHandlers) {
      throw new TsopError("TSOP_METRICS_PATH_TAKEN", { path: "/metrics" });
    }
    this.options = options;
    this.metrics = metrics;
  }

  /** Begins to listen; rejects if that fails. */
  async listen(): Promise<RunningServer> {
    this.running ??= await startHttpServer({
      what: "metrics",
      flag: "--metrics-bind-address",
      address: this.options.bindAddress,
      handler: (request, response) => void this.answer(request, response),
    });
    return this.running;
  }

  async start(signal: AbortSignal): Promise<void> {
    const running = await this.listen();
    await untilAborted(signal);
    await running.close();
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (request.url ?? "/").split("?")[0]!;
    const extra = this.options.extraHandlers?.[path];
    if (extra) return extra(request, response);
    if (path !== "/metrics") {
      response.writeHead(404, { "content-type": "text/plain; charset=utf-8" }).end("404 page not found\n");
      return;
    }
    try {
      const text = await this.metrics.registry.metrics();
      response.writeHead(200, { "content-type": this.metrics.registry.contentType }).end(text);
    } catch (error) {
      response.writeHead(500, { "content-type": "text/plain; charset=utf-8" }).end(`${String(error)}\n`);
    }
  }
}
