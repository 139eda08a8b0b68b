import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createClient } from "../../src/client/create-client.ts";
import type { Client } from "../../src/index.ts";
import { ConfigMap } from "../../src/k8s/core/v1.ts";
import { formatKubeconfig } from "../../src/sandbox/format-kubeconfig.ts";
import { startSandbox } from "../../src/sandbox/start-sandbox.ts";
import { startControlPlane } from "../../src/testing/start-control-plane.ts";
import { LongRunning, repository, temporaryFolder, until } from "./shell.ts";

/** The settings of candidate.mjs, and extra time for a busy machine. */
const takeoverMs = 8_000 + 200 * 1.2;
const slackMs = 7_000;

interface Server {
  readonly client: Client;
  readonly kubeconfig: string;
  stop(): Promise<void>;
}

async function embeddedServer(): Promise<Server> {
  const end = new AbortController();
  const { client, kubeconfig, done } = await startSandbox({ simulate: false }, end.signal);
  const stop = async (): Promise<void> => {
    end.abort();
    await done;
  };
  return { client, kubeconfig, stop };
}

async function realServer(assets: string): Promise<Server> {
  const plane = await startControlPlane({ assets, startTimeoutMs: 60_000, stopTimeoutMs: 20_000, attachOutput: false });
  const client = createClient({ config: plane.config });
  return { client, kubeconfig: formatKubeconfig(plane.config), stop: () => plane.stop() };
}

const assets = process.env["KUBEBUILDER_ASSETS"];
const servers = [
  { name: "the embedded server", begin: embeddedServer },
  ...(assets ? [{ name: "a real kube-apiserver", begin: () => realServer(assets) }] : []),
];

/** Two processes compete to lead; each writes its name while it leads. */
describe.each(servers)("with two replicas on $name", ({ begin: beginServer }) => {
  let stop: AbortController;
  let folder: ReturnType<typeof temporaryFolder>;
  let server: Server;
  let candidates: LongRunning[];
  /** The writers of the changes that the server has accepted, in order. */
  let writers: string[];
  let watching: Promise<void>;

  beforeEach(async () => {
    stop = new AbortController();
    folder = temporaryFolder("leader-election");
    server = await beginServer();
    writeFileSync(join(folder.path, "kubeconfig"), server.kubeconfig);
    await server.client.create(ConfigMap, { metadata: { namespace: "default", name: "leader" } });
    writers = [];
    watching = watch();
    candidates = [];
  });
  afterEach(async () => {
    for (const candidate of candidates) await candidate.stop("SIGKILL");
    stop.abort();
    await Promise.all([server.stop(), watching.catch(() => undefined)]);
    folder.remove();
  });

  async function watch(): Promise<void> {
    const { signal } = stop;
    for await (const { object } of server.client.watch(ConfigMap, { namespace: "default", signal })) {
      const leader = (object as ConfigMap).data?.["leader"];
      if (leader) writers.push(leader);
    }
  }

  function begin(name: string): LongRunning {
    const program = join(repository, "test/e2e/candidate.mjs");
    const args = [program, join(folder.path, "kubeconfig"), name];
    const candidate = new LongRunning(process.execPath, args, { cwd: folder.path });
    candidates.push(candidate);
    return candidate;
  }

  /** Resolves with the next write: the writer pauses for a moment right after it. */
  async function nextWriteOf(name: string): Promise<void> {
    const seen = writers.length;
    await until(`${name} writes`, () => writers.slice(seen).includes(name) || undefined);
  }

  async function firstAndSecond(): Promise<{ first: LongRunning; second: LongRunning }> {
    const first = begin("first");
    await first.prints(/leads/);
    const second = begin("second");
    await second.prints(/ready/);
    await nextWriteOf("first");
    return { first, second };
  }

  function expectOneHandover(): void {
    const change = writers.indexOf("second");
    expect(new Set(writers.slice(0, change))).toEqual(new Set(["first"]));
    expect(new Set(writers.slice(change))).toEqual(new Set(["second"]));
  }

  it("the other takes over after the leader is killed, within the lease duration and one retry", async () => {
    const { first } = await firstAndSecond();
    const killed = performance.now();
    await first.stop("SIGKILL");
    await nextWriteOf("second");
    expect(performance.now() - killed).toBeLessThan(takeoverMs + slackMs);
    expectOneHandover();
  });

  it("a leader that was frozen for too long stops without another write", async () => {
    const { first } = await firstAndSecond();
    await nextWriteOf("first");
    first.child.kill("SIGSTOP");
    await nextWriteOf("second");
    first.child.kill("SIGCONT");
    expect(await first.ended).toBe(1);
    await nextWriteOf("second");
    expectOneHandover();
  });
});
