import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect } from "vitest";
import { loadKubeconfig } from "../../src/client/config/kubeconfig-file.ts";
import { realTarget, target, type Target } from "../conformance/apiserver/target.ts";

/** The processor time that the server may take before it answers another request: work beside the tests costs none. */
const longestSilenceMs = 1000;
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

const assets = process.env["KUBEBUILDER_ASSETS"];
/** The real server only tells what is right: its merge of 5,000 items takes half a minute on a slow machine. */
const limitsOf = { embedded: {}, real: { timeout: 120_000 } };
const starts = { embedded: startProcess, real: () => realTarget(assets ?? "") };

/**
 * Runs a suite against the embedded server, in a process of its own, and against the real one if KUBEBUILDER_ASSETS
 * names it. Each test fails during which the embedded server does not answer /livez in time.
 */
export function describeServers(title: string, define: (server: Server) => void): void {
  const names: Target["name"][] = assets ? ["embedded", "real"] : ["embedded"];
  for (const name of names)
    describe(`${title} (${name})`, limitsOf[name], () => {
      let running: Running | undefined;
      beforeAll(async () => {
        running = await starts[name]();
      });
      afterAll(() => running?.stop());
      if (name === "embedded") watchSilence(() => running!);
      define({ name, ask: (method, path, body, type) => ask(running!, { method, path, body, type }) });
    });
}

export const mergePatch = "application/merge-patch+json";
export const jsonPatch = "application/json-patch+json";
export const strategicPatch = "application/strategic-merge-patch+json";
export const applyPatch = "application/apply-patch+yaml";

interface Question {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
  readonly type: string | undefined;
}

async function ask(server: Target, { method, path, body, type = "application/json" }: Question): Promise<Reply> {
  const text = body === undefined || typeof body === "string" ? body : JSON.stringify(body);
  const options = text === undefined ? {} : { body: text, headers: { "content-type": type } };
  const reply = await server.send(method, path, options);
  let answer = "";
  for await (const chunk of reply.setEncoding("utf8")) answer += chunk;
  const isJson = String(reply.headers["content-type"]).startsWith("application/json");
  const { statusCode: status = 0, headers, rawHeaders } = reply;
  return { status, headers, rawHeaders, body: isJson ? JSON.parse(answer) : answer };
}

interface Running extends Target {
  /** Returns the processor time of the server's event loop so far, if the system tells it. */
  readonly cpuMs?: () => number;
}

/** Starts `tsop sandbox` from dist/: a server that hangs must not stop the tests that wait for it. */
async function startProcess(): Promise<Running> {
  const folder = await mkdtemp(join(tmpdir(), "tsop-hostile-"));
  const kubeconfig = join(folder, "kubeconfig");
  const program = fileURLToPath(new URL("../../bin/tsop.js", import.meta.url));
  const args = ["sandbox", "--simulate", "off", "--kubeconfig", kubeconfig];
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
  const schedule = `/proc/${server.pid}/task/${server.pid}/schedstat`;
  if (!existsSync(schedule)) return started;
  return { ...started, cpuMs: () => Number(readFileSync(schedule, "latin1").split(" ")[0]) / 1e6 };
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
    const { status } = await Promise.race([ask(server, livez), given(hangMs)]);
    longest = Math.max(longest, now() - start);
    if (status !== 200) return Infinity;
    await given(20);
  } while (!signal.aborted);
  return longest;
}

const livez: Question = { method: "GET", path: "/livez", body: undefined, type: undefined };

function given(ms: number): Promise<{ status: number }> {
  return new Promise((resolve) => setTimeout(resolve, ms, { status: 0 }));
}
