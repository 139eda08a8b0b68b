import type { RequestListener } from "node:http";
import type { ServerOptions as TlsServerOptions } from "node:https";
import { discardLogger, type Logger } from "../log/logger.ts";
import { untilAborted } from "../../client/transport/abortable.ts";
import type { Runnable } from "../runnable.ts";
import { startHttpServer, type RunningServer } from "./http-server.ts";

/** An HTTP server of the program. */
export interface ServerOptions {
  /** The name in logs and errors. */
  readonly name: string;
  /** `:9090`, `127.0.0.1:9090`, `[::1]:9090`; port 0 takes a free port. */
  readonly address: string;
  readonly handler: RequestListener;
  /** With certificate and key, the server speaks HTTPS. */
  readonly tls?: TlsServerOptions | undefined;
  /** Does not listen while another replica leads; the default is false. */
  readonly onlyServeWhenLeader?: boolean;
  /** The time that running requests have at the end; the default is a minute. */
  readonly shutdownTimeout?: number | undefined;
  readonly logger?: Logger | undefined;
  /** @internal The flag of the address, for the hint of errors. */
  readonly flag?: string;
}

/**
 * Serves HTTP while the manager runs: on every replica, started before the caches, unless it is for the leader only.
 *
 * @example
 * mgr.add(new Server({ name: "greeting", address: ":9090", handler: (_request, response) => void response.end("hello") }));
 */
export class Server implements Runnable {
  readonly needLeaderElection: boolean;
  private readonly options: ServerOptions;
  private running: RunningServer | undefined;

  constructor(options: ServerOptions) {
    this.options = options;
    this.needLeaderElection = options.onlyServeWhenLeader ?? false;
  }

  /** The port, while it listens. */
  get port(): number | undefined {
    return this.running?.port;
  }

  /** Starts to listen before `start` would; rejects on failure. */
  async listen(): Promise<void> {
    const { name, address, handler, tls, shutdownTimeout, flag = "its address" } = this.options;
    this.running ??= await startHttpServer({ what: name, flag, address, handler, tls, drainMs: shutdownTimeout });
  }

  async start(signal: AbortSignal): Promise<void> {
    const { name, address, logger = discardLogger } = this.options;
    await this.listen();
    const addr = address.replace(/:0$/, `:${this.port}`);
    const log = logger.withValues({ name, addr });
    log.info("starting server");
    await untilAborted(signal);
    log.info("shutting down server");
    await this.running?.close();
  }
}
