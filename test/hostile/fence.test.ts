import { spawn, type ChildProcess } from "node:child_process";
import { once, setMaxListeners } from "node:events";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { Interceptor } from "../../src/apiserver/http/start-http.ts";
import type { ClientConfig } from "../../src/client/config/config.ts";
import { patience } from "../patience.ts";
import { startObservedServer, type Observed, type ObservedServer } from "./fence/observed-server.ts";
import { startRelay, type Relay } from "./fence/relay.ts";

/** The times at which each fault happens; `TSOP_FENCE_ROUNDS=50` tries harder. */
const rounds = Number(process.env["TSOP_FENCE_ROUNDS"] ?? 2);
const writers = 4;
/** The time between the last write of a leader and the first one of another is that for a busy machine. */
const times = { leaseDuration: 3_000, renewDeadline: 1_200, retryPeriod: 200 };
const program = fileURLToPath(new URL("fence/leader.mjs", import.meta.url));

const stopping = new AbortController();
setMaxListeners(0, stopping.signal);
const running = new Set<ChildProcess>();
let server: ObservedServer;

/** Writes in this namespace take a while, so that they are on their way when a process ends. */
const slowNamespace = "fence-shutdown";
const slowly: Interceptor = async (request, next) => {
  if (request.method === "PATCH" && request.url.includes(slowNamespace))
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 400));
  return next(request);
};

beforeAll(async () => {
  server = await startObservedServer(stopping.signal, times.leaseDuration, slowly);
});
afterAll(() => {
  stopping.abort();
  for (const child of running) child.kill("SIGKILL");
});

/** What is hard about the operators of a test, and the fault of its leader. */
interface Case {
  readonly config?: Partial<ClientConfig>;
  readonly clockJumps?: boolean;
  readonly releaseOnCancel?: boolean;
  /** The bytes of each write: long ones leave in parts, between which the process may be frozen. */
  readonly bodyBytes?: number;
  /** The connections of writes. */
  readonly relay?: Parameters<typeof startRelay>[2];
  readonly fault?: Fault;
}

interface Operator {
  readonly name: string;
  readonly child: ChildProcess;
  readonly relay: Relay | undefined;
}

type Fault = (leader: ChildProcess, isReplaced: () => Promise<void>, relay: Relay | undefined) => Promise<void>;

const freeze: Fault = async (leader, isReplaced) => {
  leader.kill("SIGSTOP");
  await isReplaced();
  leader.kill("SIGCONT");
};
const kill: Fault = async (leader, isReplaced) => {
  leader.kill("SIGKILL");
  await isReplaced();
};
const partition: Fault = async (_leader, isReplaced, relay) => {
  relay!.cut();
  await isReplaced();
  relay!.heal();
};
const terminate: Fault = async (leader, isReplaced) => {
  leader.kill("SIGTERM");
  await isReplaced();
};

/** A program whose token is always about to expire, so that each request waits for it. */
function slowCredentials(token: string): Pick<ClientConfig, "exec"> {
  const apiVersion = "client.authentication.k8s.io/v1";
  const status = { token, expirationTimestamp: "2020-01-01T00:00:00Z" };
  const output = JSON.stringify({ kind: "ExecCredential", apiVersion, status });
  const args = ["-c", `sleep 0.2; echo '${output}'`];
  return { exec: { apiVersion, command: "sh", args, env: [], interactiveMode: "Never" } };
}

describe.concurrent("no write follows the lease of a leader", { timeout: 30_000 + rounds * 15_000 }, () => {
  it.each<[string, Case]>([
    ["frozen", { fault: freeze }],
    ["frozen with writes that are throttled", { config: { qps: 20, burst: 1 }, fault: freeze }],
    ["frozen with connections that open", { relay: { openMs: 150, lifeMs: 400 }, fault: freeze }],
    ["frozen with long bodies", { bodyBytes: 900_000, fault: freeze }],
    ["frozen while its clock jumps by days", { clockJumps: true, fault: freeze }],
    ["frozen with slow credentials", { fault: freeze }],
    ["killed", { fault: kill }],
    ["behind a partition", { relay: {}, fault: partition }],
    ["shutdown", { releaseOnCancel: true, fault: terminate }],
  ])("%s", async (title, each) => {
    const { config = {}, clockJumps, releaseOnCancel, bodyBytes, relay: relayed, fault = freeze } = each;
    const namespace = `fence-${title.replaceAll(" ", "-").toLowerCase()}`;
    const observed = await server.prepare(namespace, writers);
    const direct = server.config(namespace);
    const { token = "", ...anonymous } = direct;
    const known = title.endsWith("credentials") ? { ...anonymous, ...slowCredentials(token) } : direct;
    const operators: (Operator | undefined)[] = [];
    let started = 0;
    // One that has lost its lease ends, and is started again.
    const start = async (at: number): Promise<void> => {
      const name = `${namespace}.${started++}`;
      const relay = relayed && (await startRelay(server.port, stopping.signal, relayed));
      const way = relay ? { ...known, server: `https://127.0.0.1:${relay.port}` } : known;
      const election = { ...times, id: "fence", releaseOnCancel, config: fault === partition ? way : direct };
      const given = { config: { ...way, ...config }, leaderElection: election, name, writers, clockJumps, bodyBytes };
      const child = spawn(process.execPath, [program, JSON.stringify(given)], {
        stdio: ["ignore", "ignore", "inherit"],
      });
      operators[at] = { name, child, relay };
      running.add(child);
      child.once("exit", () => {
        running.delete(child);
        if (!stopping.signal.aborted) void start(at);
      });
    };
    for (const at of [0, 1]) await start(at);
    for (let round = 0; round < rounds; round++) {
      const leader = await vi.waitUntil(() => operators.find((each) => writesOf(each, observed) >= 10), patience);
      const { name, child, relay } = leader;
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 100));
      const ended = once(child, "exit");
      const isReplaced = async (): Promise<void> => {
        const isOther = (each?: Operator): boolean => each?.name !== name && writesOf(each, observed) >= 3;
        await vi.waitUntil(() => operators.some(isOther), patience);
      };
      await fault(child, isReplaced, relay);
      await ended;
    }
    expect(observed.late).toEqual([]);
  });
});

/** Returns the number of writes of an operator that leads. */
function writesOf(operator: Operator | undefined, { leader, writes }: Observed): number {
  return (operator?.name === leader && leader && writes.get(leader)) || 0;
}
