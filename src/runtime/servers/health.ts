import type { IncomingMessage, ServerResponse } from "node:http";
import { messageOf } from "../../errors/message-of.ts";
import { TsopError } from "../../errors/tsop-error.ts";
import type { Cache } from "../cache/cache.ts";
import type { Logger } from "../log/logger.ts";
import { pageNotFound, plainText, requestUrl } from "./http-server.ts";
import { Server } from "./server.ts";

/** Throws or rejects if the program is not healthy. */
export type HealthCheck = (request: IncomingMessage) => void | Promise<void>;

/**
 * Always healthy: the process responds.
 *
 * @example
 * mgr.addHealthzCheck("healthz", ping);
 */
export const ping: HealthCheck = () => undefined;

/**
 * Not ready until the cache has started and every watched kind has its initial state. A replica that waits for the
 * lease watches nothing yet, and is ready.
 *
 * @example
 * mgr.addReadyzCheck("informers-synced", informersSynced(mgr.cache));
 */
export function informersSynced(cache: Pick<Cache, "hasStarted" | "unsynced">): HealthCheck {
  return () => {
    if (!cache.hasStarted) throw new Error("the cache has not started");
    if (cache.unsynced.length > 0) throw new Error(`not in sync yet: ${cache.unsynced.join(", ")}`);
  };
}

/** The checks behind `/healthz` or `/readyz`, with responses worded as in Kubernetes' own components. */
export class HealthChecks {
  private readonly path: string;
  private readonly log: Logger;
  private readonly checks = new Map<string, HealthCheck>();

  /** Serves `/<name>` unless another path is given. */
  constructor(name: "healthz" | "readyz", log: Logger, path: string = `/${name}`) {
    this.path = path.startsWith("/") ? path : `/${path}`;
    this.log = log;
  }

  get isEmpty(): boolean {
    return this.checks.size === 0;
  }

  add(name: string, check: HealthCheck): void {
    if (this.checks.has(name)) throw new TsopError("TSOP_CHECK_EXISTS", { name });
    this.checks.set(name, check);
  }

  /** Responds to its path (all checks) or a check below it. Returns false for other paths. */
  async answer(request: IncomingMessage, response: ServerResponse): Promise<boolean> {
    const url = requestUrl(request);
    const { isEmpty } = this;
    const path = this.path;
    if (!url || isEmpty || (url.pathname !== path && !url.pathname.startsWith(`${path}/`))) return false;
    const check = url.pathname.slice(path.length + 1);
    if (check.includes("/")) return false;
    if (check) await this.answerOne(check, request, response);
    else await this.answerAll(url.searchParams, request, response);
    return true;
  }

  private async answerOne(name: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const check = this.checks.get(name);
    if (!check) return pageNotFound(response);
    try {
      await check(request);
      response.writeHead(200, { "content-type": "text/plain; charset=utf-8" }).end("ok");
    } catch (error) {
      plainText(response, 500, `internal server error: ${messageOf(error)}\n`);
    }
  }

  private async answerAll(query: URLSearchParams, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const excluded = new Set(query.getAll("exclude"));
    const lines: string[] = [];
    let healthy = true;
    for (const name of [...this.checks.keys()].toSorted()) {
      if (excluded.delete(name)) lines.push(`[+]${name} excluded: ok`);
      else if (await this.passes(name, request)) lines.push(`[+]${name} ok`);
      else {
        healthy = false;
        lines.push(`[-]${name} failed: reason withheld`);
      }
    }
    if (!healthy) this.log.info("healthz check failed", { statuses: [...lines] });
    if (excluded.size > 0) {
      const names = [...excluded].map((name) => `"${name}"`).join(",");
      for (const checker of excluded) this.log.debug("cannot exclude health check, no matches for it", { checker });
      lines.push(`warn: some health checks cannot be excluded: no matches for ${names}`);
    }
    // Go's handler says healthz for readyz, too.
    lines.push(`healthz check ${healthy ? "passed" : "failed"}`);
    const verbose = !healthy || query.has("verbose");
    plainText(response, healthy ? 200 : 500, verbose ? `${lines.join("\n")}\n` : "ok");
  }

  private async passes(name: string, request: IncomingMessage): Promise<boolean> {
    try {
      await this.checks.get(name)?.(request);
      return true;
    } catch (error) {
      // Like Kubernetes, the response withholds the reason.
      this.log.debug("healthz check failed", { checker: name, error: messageOf(error) });
      return false;
    }
  }
}

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
