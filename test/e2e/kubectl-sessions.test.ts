import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findKubernetesVersion, kubernetesRelease, releaseOf } from "../../src/apimachinery/kubernetes-version.ts";
import type { ClientConfig } from "../../src/client/config/config.ts";
import { formatKubeconfig } from "../../src/sandbox/disk/write-kubeconfig.ts";
import { startSandbox } from "../../src/sandbox/start-sandbox.ts";
import { startControlPlane } from "../../src/testing/start-control-plane.ts";
import { findProgram, mustRun, run, temporaryFolder } from "./shell.ts";
import { startTimeoutMs } from "../patience.ts";

// Commands with the output that kubectl printed against a real API server. TSOP_RECORD=1 and KUBEBUILDER_ASSETS renew
// the output. Neither server has controllers here, so nothing changes by itself.
const assets = process.env["KUBEBUILDER_ASSETS"] || undefined;
const record = process.env["TSOP_RECORD"] === "1" ? assets : undefined;
const program = findProgram("kubectl");
/** The output of kubectl differs between minor versions, so the server has the version of the program. */
const [, client = ""] = /^Client Version: v(\d+\.\d+)\./m.exec(readClientVersion(program)) ?? [];
const version = findKubernetesVersion(client);
const release = version === undefined ? kubernetesRelease : releaseOf(version);

const here = fileURLToPath(new URL("kubectl/", import.meta.url));
const sessions = readdirSync(join(here, "sessions")).flatMap((file) => (/^(.+)\.txt$/.exec(file) ?? []).slice(1));

/** The sessions of the default release; another one has those that differ. */
const fileOf = (name: string, release: string): string =>
  join(here, "sessions", release === kubernetesRelease ? "" : release, `${name}.txt`);

interface Server {
  readonly config: ClientConfig;
  stop(): Promise<void>;
}

describe.skipIf(!version)(`kubectl ${client} prints the same output as against a real server`, () => {
  const folder = temporaryFolder("kubectl-sessions");
  let server: Server;
  beforeAll(start);
  afterAll(async () => {
    await server?.stop();
    folder.remove();
  });

  async function start(): Promise<void> {
    server = record ? await startReal(record) : await startEmbedded(version!);
    await shell("default").mustRun(
      "kubectl apply -f crd.yaml && kubectl wait --for=condition=Established -f crd.yaml --timeout=90s",
    );
  }

  function shell(namespace: string) {
    const home = join(folder.path, namespace);
    mkdirSync(home, { recursive: true });
    const KUBECONFIG = join(home, "config");
    writeFileSync(KUBECONFIG, formatKubeconfig({ ...server.config, namespace }));
    const PATH = [dirname(program!), process.env["PATH"]].join(delimiter);
    const env = { KUBECONFIG, PATH, HOME: home, TMPDIR: home, SEEN: join(home, "seen") };
    const options = { cwd: join(here, "files"), env };
    const args = (command: string) => ["-c", `exec 2>&1; ${command}`];
    return {
      mustRun: (command: string) => mustRun("bash", args(command), options),
      run: (command: string) => run("bash", args(command), options),
    };
  }

  it.each(sessions)("%s", async (name) => {
    const recorded = readSession(name, release);
    try {
      const printed = await printedOf(recorded, name);
      if (record) writeSession(name, release, printed);
      expect(printed).toBe(record ? printed : recorded);
    } catch (failure) {
      // The objects of this attempt would fail the next one.
      await server.stop();
      await start();
      throw failure;
    }
  });

  /** Returns what the commands of a session print in a new namespace. */
  async function printedOf(session: string, namespace: string): Promise<string> {
    const { mustRun, run } = shell(namespace);
    await mustRun(`kubectl create namespace ${namespace}`);
    let printed = "";
    for (const command of commandsOf(session)) {
      const { stdout, code } = await run(command);
      printed += `$ ${command}\n${normalizeOutput(stdout)}${code ? `[exit code ${code}]\n` : ""}`;
    }
    return printed;
  }
});

function readClientVersion(program: string | undefined): string {
  return program ? spawnSync(program, ["version", "--client"], { encoding: "utf8" }).stdout : "";
}

function readSession(name: string, release: string): string {
  const file = fileOf(name, release);
  return readFileSync(existsSync(file) ? file : fileOf(name, kubernetesRelease), "utf8");
}

function writeSession(name: string, release: string, printed: string): void {
  const file = fileOf(name, release);
  const isShared = release !== kubernetesRelease && readSession(name, kubernetesRelease) === printed;
  if (isShared) return rmSync(file, { force: true });
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, printed);
}

async function startReal(folder: string): Promise<Server> {
  const timeouts = { startTimeoutMs, stopTimeoutMs: 60_000 };
  const args = ["--service-cluster-ip-range=10.96.0.0/16"];
  return startControlPlane({ assets: folder, ...timeouts, attachOutput: false, apiServerArguments: args });
}

async function startEmbedded(kubernetesVersion: string): Promise<Server> {
  const stopping = new AbortController();
  const sandbox = await startSandbox({ simulate: false, rbac: true, kubernetesVersion }, stopping.signal);
  const stop = async () => {
    stopping.abort();
    await sandbox.done;
  };
  return { config: sandbox.config, stop };
}

function commandsOf(text: string): string[] {
  return [...text.matchAll(/^\$ (.*)$/gm)].map(([, command]) => command!);
}

/**
 * Replaces the values that differ between runs: identifiers, times, addresses, the widths of the columns that hold
 * them.
 */
function normalizeOutput(text: string): string {
  const replaced = text
    .replace(/[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/g, "UID")
    .replace(/\b20\d\d-\d\d-\d\dT[\d:.]+Z/g, "TIME")
    .replace(/[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} 20\d\d [\d:]{8} \+0000/g, "DATE")
    .replace(/\b20\d\d-\d\d-\d\d [\d:.]+ \+0000( UTC)?/g, "DATE")
    .replace(/(resourceVersion"?: ?|Resource Version: +)"?\d+"?/g, "$1N")
    .replace(/\b(?:\d+[ds]|[2-9]m)(?= |\)|$)|\b\d+m\d+s\b|\b\d+d\d+h\b/gm, "AGE")
    .replace(/127\.0\.0\.1:\d+/g, "HOST")
    .replace(/\b10\.96\.\d+\.\d+\b/g, "IP")
    .replace(/"[^"]*\/(kubectl-edit-)\d+/g, '"$1N')
    .replaceAll(/(?<=\S) {2,}/g, "  ")
    .replaceAll(/ +$/gm, "");
  return replaced === "" || replaced.endsWith("\n") ? replaced : `${replaced}\n`;
}
