import { spawn, type ChildProcess } from "node:child_process";
import { generateKeyPairSync, randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { ClientConfig } from "../client/config.ts";
import { TsopError } from "../errors/tsop-error.ts";
import { freePorts } from "../sandbox/free-ports.ts";

export interface ControlPlaneOptions {
  /** The folder of etcd and kube-apiserver. */
  readonly assets: string;
  readonly startTimeoutMs: number;
  readonly stopTimeoutMs: number;
  /** Shows what the programs print. */
  readonly attachOutput: boolean;
  /** More flags for kube-apiserver. */
  readonly apiServerArguments?: readonly string[];
}

/** A real etcd and kube-apiserver, as envtest runs them: no controllers, no nodes. */
export interface ControlPlane {
  readonly config: ClientConfig;
  stop(): Promise<void>;
}

/** Starts both on free loopback ports with data in a temporary folder, and waits until they are healthy. */
export async function startControlPlane(options: ControlPlaneOptions): Promise<ControlPlane> {
  const programs = { etcd: find(options.assets, "etcd"), apiServer: find(options.assets, "kube-apiserver") };
  const folder = await mkdtemp(join(tmpdir(), "tsop-envtest-"));
  const running: Program[] = [];
  const stop = async (): Promise<void> => {
    // Last started first: the API server needs etcd to end well.
    for (const program of running.toReversed()) await program.stop(options.stopTimeoutMs);
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    const [etcdPort, peerPort, port] = await freePorts(3);
    const etcd = run("etcd", programs.etcd, etcdArguments(folder, etcdPort!, peerPort!), options);
    running.push(etcd);
    await etcd.untilHealthy(`http://127.0.0.1:${etcdPort}/health`, options.startTimeoutMs);
    const token = randomBytes(16).toString("hex");
    const args = await apiServerArguments(folder, { etcdPort: etcdPort!, port: port!, token });
    args.push(...(options.apiServerArguments ?? []));
    const apiServer = run("kube-apiserver", programs.apiServer, args, options);
    running.push(apiServer);
    await apiServer.untilHealthy(`https://127.0.0.1:${port}/readyz`, options.startTimeoutMs, token);
    const ca = await readFile(join(folder, "apiserver.crt"), "utf8");
    const server = `https://127.0.0.1:${port}`;
    return { config: { server, namespace: "default", source: "the test control plane", ca, token }, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function find(folder: string, program: string): string {
  const path = join(folder, program);
  if (!existsSync(path)) throw new TsopError("TSOP_ASSETS_MISSING", { program, folder });
  return path;
}

function etcdArguments(folder: string, clientPort: number, peerPort: number): string[] {
  const [client, peer] = [clientPort, peerPort].map((port) => `http://127.0.0.1:${port}`);
  return [
    `--data-dir=${join(folder, "etcd")}`,
    "--unsafe-no-fsync",
    `--listen-client-urls=${client}`,
    `--advertise-client-urls=${client}`,
    `--listen-peer-urls=${peer}`,
    `--initial-advertise-peer-urls=${peer}`,
    `--initial-cluster=default=${peer}`,
  ];
}

async function apiServerArguments(
  folder: string,
  { etcdPort, port, token }: { etcdPort: number; port: number; token: string },
): Promise<string[]> {
  const [tokens, key, publicKey] = ["tokens.csv", "sa.key", "sa.pub"].map((name) => join(folder, name));
  const pair = generateKeyPairSync("ec", {
    namedCurve: "P-256",
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "sec1", format: "pem" },
  });
  await writeFile(tokens!, `${token},admin,admin,system:masters\n`, { mode: 0o600 });
  await writeFile(key!, pair.privateKey, { mode: 0o600 });
  await writeFile(publicKey!, pair.publicKey);
  return [
    `--etcd-servers=http://127.0.0.1:${etcdPort}`,
    "--bind-address=127.0.0.1",
    "--advertise-address=127.0.0.1",
    `--secure-port=${port}`,
    `--cert-dir=${folder}`,
    `--token-auth-file=${tokens}`,
    "--authorization-mode=RBAC",
    "--disable-admission-plugins=ServiceAccount",
    "--service-cluster-ip-range=10.0.0.0/24",
    "--allow-privileged=true",
    "--endpoint-reconciler-type=none",
    `--service-account-issuer=https://127.0.0.1:${port}/`,
    `--service-account-key-file=${publicKey}`,
    `--service-account-signing-key-file=${key}`,
  ];
}

interface Program {
  untilHealthy(url: string, timeoutMs: number, token?: string): Promise<void>;
  stop(timeoutMs: number): Promise<void>;
}

function run(name: string, path: string, args: readonly string[], { attachOutput }: ControlPlaneOptions): Program {
  const child = spawn(path, args, { stdio: ["ignore", "pipe", "pipe"] });
  const ended = new Promise<void>((resolve) => child.once("error", () => resolve()).once("close", () => resolve()));
  const tail = keepTail(child, attachOutput);
  // A test process that ends without stop() must not leave servers behind.
  const killAtExit = () => child.kill("SIGKILL");
  process.once("exit", killAtExit);
  const isOver = () => child.exitCode !== null || child.signalCode !== null || child.pid === undefined;
  return {
    async untilHealthy(url, timeoutMs, token) {
      const deadline = Date.now() + timeoutMs;
      while (!(await isHealthy(url, token))) {
        const reason = isOver() ? tail() : Date.now() > deadline ? `not healthy after ${timeoutMs} ms` : undefined;
        if (reason !== undefined) throw new TsopError("TSOP_CONTROL_PLANE_FAILED", { program: name, reason });
        await wait(50);
      }
    },
    async stop(timeoutMs) {
      child.kill("SIGTERM");
      const timer = setTimeout(() => child.kill("SIGKILL"), timeoutMs);
      await ended;
      clearTimeout(timer);
      process.off("exit", killAtExit);
    },
  };
}

/** The last lines that a program printed, for the message when it fails. */
function keepTail(child: ChildProcess, show: boolean): () => string {
  let lines: string[] = [];
  const take = (chunk: Buffer) => {
    if (show) process.stderr.write(chunk);
    lines = [...lines, ...chunk.toString("utf8").split("\n")].filter((line) => line !== "").slice(-5);
  };
  child.stdout?.on("data", take);
  child.stderr?.on("data", take);
  return () => lines.join("\n");
}

function isHealthy(url: string, token?: string): Promise<boolean> {
  const headers = token ? { authorization: `Bearer ${token}` } : {};
  return new Promise((resolve) => {
    const done = (response: IncomingMessage) => {
      response.resume();
      resolve(response.statusCode === 200);
    };
    const request = url.startsWith("https:")
      ? httpsRequest(url, { headers, rejectUnauthorized: false, agent: false }, done)
      : httpRequest(url, { headers, agent: false }, done);
    request
      .setTimeout(2_000, () => request.destroy())
      .once("error", () => resolve(false))
      .end();
  });
}
