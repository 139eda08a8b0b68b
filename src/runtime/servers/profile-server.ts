import type { IncomingMessage, ServerResponse } from "node:http";
import type { Profiler } from "node:inspector";
import { isIP } from "node:net";
import { pipeline } from "node:stream/promises";
import type { Clock } from "../../apimachinery/clock.ts";
import { linkAbort } from "../linked-abort.ts";
import { wait } from "../monotonic-clock.ts";
import { startHttpServer, pageNotFound, plainText, requestUrl, type RunningServer } from "./http-server.ts";
import type { Logger } from "../log/logger.ts";
import { untilAborted } from "../../client/transport/abortable.ts";
import type { Runnable } from "../runnable.ts";

const defaultSeconds = 30;
const index = `/debug/pprof/
heap                 a .heapsnapshot for the Memory tab of Chrome's developer tools; stops the process while it is taken
profile?seconds=30   a .cpuprofile for their Performance tab
`;

/** Serves heap and CPU profiles at the paths of Go's pprof. */
export class ProfileServer implements Runnable {
  readonly needLeaderElection = false;
  private readonly address: string;
  private readonly parts: { readonly log: Logger; readonly clock: Clock };
  private readonly stopping = new AbortController();
  private running: RunningServer | undefined;
  private profiling = false;

  constructor(address: string, parts: { readonly log: Logger; readonly clock: Clock }) {
    this.address = address;
    this.parts = parts;
  }

  /** Starts to listen; rejects on failure. */
  async listen(): Promise<RunningServer> {
    this.running ??= await startHttpServer({
      what: "profile",
      flag: "--pprof-bind-address",
      address: this.address,
      handler: (request, response) => void this.answer(request, response),
    });
    return this.running;
  }

  async start(signal: AbortSignal): Promise<void> {
    const running = await this.listen();
    await untilAborted(signal);
    this.stopping.abort();
    await running.close();
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = requestUrl(request);
    if (!url) return pageNotFound(response);
    if (isOfPage(request)) return plainText(response, 403, "requests of web pages are refused\n");
    try {
      switch (url.pathname) {
        case "/debug/pprof/":
          return plainText(response, 200, index);
        case "/debug/pprof/heap":
          return await sendHeap(response);
        case "/debug/pprof/profile":
          return await this.sendProfile(response, url.searchParams.get("seconds"));
        default:
          return pageNotFound(response);
      }
    } catch (error) {
      this.parts.log.error(error, "Failed to answer", { path: url.pathname });
      if (response.headersSent) response.destroy();
      else plainText(response, 500, "internal server error\n");
    }
  }

  private async sendProfile(response: ServerResponse, text: string | null): Promise<void> {
    const seconds = text ? Number(text) : defaultSeconds;
    if (!(seconds > 0)) return plainText(response, 400, `seconds must be a number above 0, not "${text}"\n`);
    if (this.profiling) return plainText(response, 500, "a profile is being taken already\n");
    this.profiling = true;
    try {
      const ended = linkAbort(this.stopping.signal);
      response.once("close", () => ended.abort());
      const profile = await profileWhile(() => wait(this.parts.clock, seconds * 1000, ended.signal));
      attachment(response, "application/json", "cpu.cpuprofile").end(JSON.stringify(profile));
    } finally {
      this.profiling = false;
    }
  }
}

/**
 * Reports whether a page of another site sent the request, also one whose host name was made to resolve to this address:
 * it could take a profile, and read the secrets in it.
 */
function isOfPage({ headers }: IncomingMessage): boolean {
  const { host = "", "sec-fetch-site": site = "none" } = headers;
  const name = host.replace(/:\d+$/, "").replace(/^\[|\]$/g, "");
  return (site !== "none" && site !== "same-origin") || (name !== "localhost" && isIP(name) === 0);
}

async function sendHeap(response: ServerResponse): Promise<void> {
  const { getHeapSnapshot } = await import("node:v8");
  await pipeline(getHeapSnapshot(), attachment(response, "application/json", "heap.heapsnapshot"));
}

/** Loads the inspector on demand: few programs are profiled. */
async function profileWhile(work: () => Promise<void>): Promise<Profiler.Profile> {
  const { Session } = await import("node:inspector/promises");
  const session = new Session();
  session.connect();
  try {
    await session.post("Profiler.enable");
    await session.post("Profiler.start");
    await work();
    return (await session.post("Profiler.stop")).profile;
  } finally {
    session.disconnect();
  }
}

function attachment(response: ServerResponse, type: string, name: string): ServerResponse {
  return response.writeHead(200, { "content-type": type, "content-disposition": `attachment; filename="${name}"` });
}
