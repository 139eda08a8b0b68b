import { readFile } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { generate } from "../codegen/index.ts";
import { TsopError } from "../errors/tsop-error.ts";
import { applyPlan } from "../files/apply.ts";
import type { Disk } from "../files/disk.ts";
import { findProjectRoot } from "../project/load-project.ts";
import { applyManifests } from "../sandbox/apply-manifests.ts";
import { readManifests } from "../sandbox/read-manifests.ts";
import { buildOperator } from "./build-operator.ts";
import { chooseTarget, type Target } from "./choose-target.ts";
import type { LocalEvent } from "./local-event.ts";
import { managerEnvironment } from "./manager-environment.ts";
import { operatorArguments } from "./operator-arguments.ts";
import { startOperator, type OperatorEnd } from "./operator-process.ts";
import { prepareServer } from "./prepare-server.ts";
import { makeRunFolder, type RunFolder } from "./run-folder.ts";

export interface RunLocalOptions {
  /** Of this tool, for what it generates. */
  readonly version: string;
  readonly kubeconfig?: string | undefined;
  readonly context?: string | undefined;
  /** Puts the CRDs on a cluster; the embedded server gets them anyway. */
  readonly install?: boolean | undefined;
  /** The embedded server's port. */
  readonly port?: number | undefined;
  /** Files or folders to apply once the operator runs. */
  readonly apply?: readonly string[] | undefined;
  /** For the operator. */
  readonly args: readonly string[];
}

/** What a local run needs of the world. */
export interface LocalHost {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly disk: Disk;
  readonly signal: AbortSignal;
  readonly emit: (event: LocalEvent) => void;
}

/** How long the operator may take to stop. */
const graceMs = 1_500;

/** Generates, starts a server, builds and runs the project's operator until the signal; then nothing of it is left. */
export async function runLocal(options: RunLocalOptions, host: LocalHost): Promise<void> {
  const root = await findProjectRoot(host.cwd, host.disk);
  const cleanups: (() => Promise<void>)[] = [];
  try {
    await run({ root, options, host, atEnd: (cleanup) => void cleanups.push(cleanup) });
  } catch (error) {
    // What an interruption breaks off is no failure.
    if (!host.signal.aborted) throw error;
  } finally {
    for (const cleanup of cleanups.toReversed()) await cleanup();
    host.emit({ type: "stopped" });
  }
}

interface Run {
  readonly root: string;
  readonly options: RunLocalOptions;
  readonly host: LocalHost;
  /** Cleanups run last first, however the run ends. */
  readonly atEnd: (cleanup: () => Promise<void>) => void;
}

async function run(run: Run): Promise<void> {
  const { root, options, host } = run;
  const { signal } = host;
  const onError = (error: unknown) => host.emit({ type: "problem", error });
  const sandbox = { onError, ...(options.port !== undefined && { port: options.port }) };
  // The server outlives the operator, which has things to say to it while it stops.
  const serving = new AbortController();
  run.atEnd(async () => serving.abort());
  const target = await chooseTarget({ ...options, env: host.env, sandbox }, serving.signal);
  run.atEnd(() => {
    serving.abort();
    return target.done;
  });
  const { embedded, config } = target;
  host.emit({ type: "target", embedded, server: config.server, source: config.source });
  await generateAll(root, options.version, host);
  const folder = await makeRunFolder(root, target.kubeconfig);
  run.atEnd(() => folder.remove());
  const building = build(folder.bundle, run);
  const [names] = await Promise.all([
    prepareServer(target, { root, install: options.install ?? false, signal }),
    building,
  ]);
  host.emit({ type: "crds", names });
  host.emit({ type: "kubeconfig", path: relative(host.cwd, folder.sharedKubeconfig) });
  await operate(run, target, folder);
}

async function generateAll(root: string, version: string, { disk, emit }: LocalHost): Promise<void> {
  const { plan, warnings } = await generate({ root, disk, version, outputs: ["crd", "rbac", "webhook", "kinds"] });
  const { created, updated, removed } = await applyPlan(plan, disk, { force: true });
  emit({ type: "generated", changed: [...created, ...updated, ...removed], warnings });
}

async function build(bundle: string, { root, host }: Run): Promise<void> {
  const begin = performance.now();
  await buildOperator(root, bundle);
  host.emit({ type: "built", milliseconds: Math.round(performance.now() - begin) });
}

async function operate({ root, options, host, atEnd }: Run, target: Target, folder: RunFolder): Promise<void> {
  host.signal.throwIfAborted();
  const operator = await startOperator({
    file: folder.bundle,
    cwd: root,
    args: operatorArguments(await readFile(join(root, "main.ts"), "utf8"), options.args),
    env: { ...(await managerEnvironment(root)), ...host.env, KUBECONFIG: folder.kubeconfig },
    onLine: (stream, line) => host.emit({ type: "output", stream, line }),
  });
  atEnd(() => operator.stop(graceMs));
  host.emit({ type: "started", pid: operator.pid });
  await applyAll(target, host, options.apply ?? []);
  const end = await Promise.race([operator.ended, aborted(host.signal)]);
  if (end) throw new TsopError("TSOP_OPERATOR_ENDED", { reason: reasonOf(end) });
}

async function applyAll(target: Target, host: LocalHost, paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    const manifests = await readManifests(resolve(host.cwd, path));
    const { client, transport, config } = target;
    const objects = await applyManifests({ client, transport, namespace: config.namespace }, manifests);
    host.emit({ type: "applied", objects });
  }
}

function aborted(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(undefined);
    else signal.addEventListener("abort", () => resolve(undefined), { once: true });
  });
}

function reasonOf(end: OperatorEnd): string {
  return "code" in end ? `exit code ${end.code}` : `signal ${end.signal}`;
}
