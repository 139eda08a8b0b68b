import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect } from "vitest";
import type { ClientConfig } from "../../src/client/config/config.ts";
import { loadKubeconfig } from "../../src/client/config/kubeconfig-file.ts";
import { realTarget, target, type Target } from "../conformance/apiserver/target.ts";

/**
 * The processor time that the server may take before it answers another request. The longest rules take 200 to 270 ms on an
 * idle machine, and half as much again if other processes use its caches.
 */
const longestSilenceMs = 500;
/** The time after which a server hangs that takes no processor time. */
const hangMs = 20_000;

export interface Reply {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  readonly rawHeaders: readonly string[];
  readonly body: any;
}

/** The server under test; a new one for each suite. */
export interface Server {
  readonly name: Target["name"];
  ask(method: string, path: string, body?: unknown, type?: string): Promise<Reply>;
}

/** The embedded server, in a process of its own. */
export interface EmbeddedServer extends Server {
  /** How clients reach it. */
  readonly config: ClientConfig;
  /** Returns the memory of its process in bytes, if the system reports it. */
  residentBytes(): number | undefined;
}

const assets = process.env["KUBEBUILDER_ASSETS"];
/** The real server only shows what is right: its merge of 5,000 items takes half a minute on a slow machine. */
const limitsOfReal = { timeout: 120_000 };

/**
 * Runs a suite against the embedded server, in a process of its own, and against the real one if KUBEBUILDER_ASSETS
 * names it. Each test fails during which the embedded server does not answer /livez in time.
 */
export function describeServers(title: string, define: (server: Server) => void): void {
  describeEmbedded(`${title} (embedded)`, ["--simulate", "off"], define);
  if (!assets) return;
  describe(`${title} (real)`, limitsOfReal, () => {
    let running: Target | undefined;
    beforeAll(async () => {
      running = await realTarget(assets);
    });
    afterAll(() => running?.stop());
    define({ name: "real", ask: (...question) => ask(running!, ...question) });
  });
}

/** Runs a suite against `tsop sandbox` with flags. Each test fails during which it does not answer /livez in time. */
export function describeEmbedded(
  title: string,
  flags: readonly string[],
  define: (server: EmbeddedServer) => void,
): void {
  describe(title, () => {
    let running: Running | undefined;
    beforeAll(async () => {
      running = await startProcess(flags);
    });
    afterAll(() => running?.stop());
    watchSilence(() => running!);
    define({
      name: "embedded",
      ask: (...question) => ask(running!, ...question),
      get config() {
        return running!.config;
      },
      residentBytes: () => running!.residentBytes(),
    });
  });
}

export const mergePatch = "application/merge-patch+json";
export const jsonPatch = "application/json-patch+json";
export const strategicPatch = "application/strategic-merge-patch+json";
export const applyPatch = "application/apply-patch+yaml";

async function ask(server: Target, ...question: Parameters<Server["ask"]>): Promise<Reply> {
  const [method, path, body, type = "application/json"] = question;
  const isSent = body === undefined || typeof body === "string" || body instanceof Uint8Array;
  const sent = isSent ? body : JSON.stringify(body);
  const options = sent === undefined ? {} : { body: sent, headers: { "content-type": type } };
  const reply = await server.send(method, path, options);
  let answer = "";
  for await (const chunk of reply.setEncoding("utf8")) answer += chunk;
  const isJson = String(reply.headers["content-type"]).startsWith("application/json");
  const { statusCode: status = 0, headers, rawHeaders } = reply;
  return { status, headers, rawHeaders, body: isJson ? JSON.parse(answer) : answer };
}

interface Running extends Target {
  readonly config: ClientConfig;
  residentBytes(): number | undefined;
  /** Returns the processor time of the server's event loop so far, if the system reports it. */
  readonly cpuMs?: () => number;
}

/** Starts `tsop sandbox` from dist/: a server that hangs must not stop the tests that wait for it. */
async function startProcess(flags: readonly string[]): Promise<Running> {
  const folder = await mkdtemp(join(tmpdir(), "tsop-hostile-"));
  const kubeconfig = join(folder, "kubeconfig");
  const program = fileURLToPath(new URL("../../bin/tsop.js", import.meta.url));
  const args = ["sandbox", ...flags, "--kubeconfig", kubeconfig];
  const server = spawn(process.execPath, [program, ...args], { cwd: folder, stdio: ["ignore", "ignore", "pipe"] });
  let output = "";
  await new Promise<void>((resolve, reject) => {
    server.once("exit", (code) => reject(new Error(`tsop sandbox ended with ${code}: ${output}`)));
    server.stderr.setEncoding("utf8").on("data", (chunk: string) => {
      output += chunk;
      if (output.includes("kubectl: export KUBECONFIG=")) resolve();
    });
  });
  const config = await loadKubeconfig([kubeconfig], { required: true });
  const access = { url: config.server, ca: String(config.ca), token: String(config.token) };
  const started = target("embedded", access, async () => {
    server.kill("SIGKILL");
    await rm(folder, { recursive: true, force: true });
  });
  const ofProcess = `/proc/${server.pid}`;
  const schedule = `${ofProcess}/task/${server.pid}/schedstat`;
  if (!existsSync(schedule)) return { ...started, config, residentBytes: () => undefined };
  return {
    ...started,
    config,
    cpuMs: () => Number(readFileSync(schedule, "latin1").split(" ")[0]) / 1e6,
    residentBytes: () => 1024 * Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`${ofProcess}/status`, "latin1"))?.[1]),
  };
}

function watchSilence(running: () => Running): void {
  let watching: AbortController;
  let longest: Promise<number>;
  beforeEach(() => {
    watching = new AbortController();
    longest = longestSilence(running(), watching.signal);
  });
  afterEach(async () => {
    watching.abort();
    expect(await longest, "milliseconds of processor time before an answer from /livez").toBeLessThan(longestSilenceMs);
  });
}

async function longestSilence(server: Running, signal: AbortSignal): Promise<number> {
  const now = server.cpuMs ?? (() => performance.now());
  let longest = 0;
  do {
    const start = now();
    const { status } = await Promise.race([ask(server, "GET", "/livez"), given(hangMs)]);
    longest = Math.max(longest, now() - start);
    if (status !== 200) return Infinity;
    await given(20);
  } while (!signal.aborted);
  return longest;
}

function given(ms: number): Promise<{ status: number }> {
  return new Promise((resolve) => setTimeout(resolve, ms, { status: 0 }));
}
