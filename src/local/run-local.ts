import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { AuditEvent } from "../apiserver/audit/audit-event.ts";
import { UseLog } from "../apiserver/audit/use-log.ts";
import { serviceAccountUser } from "../apimachinery/service-account.ts";
import { TsopError, UsageError } from "../errors/tsop-error.ts";
import type { Disk } from "../files/disk.ts";
import { relativePath } from "../files/slashes.ts";
import { loadProject } from "../project/load-project.ts";
import { changedManifestsApplier, openManifests } from "./apply-changed.ts";
import type { Manifest } from "../client/manifests/read-manifests.ts";
import { appendUses, usesFile } from "../sandbox/use-file.ts";
import { formatKubeconfig } from "../sandbox/disk/write-kubeconfig.ts";
import { libraryOf, loadEsbuild, operatorBuilder, type OperatorBuilder } from "./operator/build-operator.ts";
import { checkTypes } from "./operator/check-project-types.ts";
import { chooseTarget, type Target } from "./target/choose-target.ts";
import { ignoredKubeconfig, namesCluster } from "./target/named-cluster.ts";
import type { LocalEvent } from "./local-event.ts";
import type { LocalWindow, UiOptions } from "./local-window.ts";
import { managerEnvironment } from "./operator/manager-environment.ts";
import { permissionHint } from "./target/permission-hint.ts";
import { operatorAccount, type OperatorAccount } from "./target/operator-roles.ts";
import { operatorArguments, readsManagerFlags, type ReplicaOptions } from "./operator/operator-arguments.ts";
import { freePorts, untilListening } from "../sandbox/webhooks/webhook-endpoint.ts";
import { startReplicas, OperatorStarter } from "./operator/operator-starter.ts";
import { readProjectRing, untilShards } from "./target/project-ring.ts";
import { startOperator, type OperatorOptions } from "./operator/operator-process.ts";
import { Preparation } from "./preparation.ts";
import { makeRunFolder, type RunFolder } from "./run-folder.ts";
import { reasonOf, runOnce, runWatched } from "./operator/supervise.ts";
import { watchSources } from "./watch-sources.ts";

export interface RunLocalOptions {
  /** Version of this tool, for generated files. */
  readonly version: string;
  readonly kubeconfig?: string | undefined;
  readonly context?: string | undefined;
  /** Installs the CRDs on a cluster; the embedded server always has them. */
  readonly install?: boolean | undefined;
  /** The version of Kubernetes that the embedded server serves. */
  readonly kubernetesVersion?: string | undefined;
  /** Port of the embedded server. */
  readonly port?: number | undefined;
  /** Files or folders to apply once the operator runs; with `watch`, again after they have changed. */
  readonly apply?: readonly string[] | undefined;
  /** Makes the embedded server enforce the project's roles on the operator. */
  readonly rbac?: boolean | undefined;
  /** Runs the commands of containers on this machine, if it has their programs. */
  readonly runCommands?: boolean | undefined;
  /** Folder that keeps the embedded server's objects, its authority and its tokens. */
  readonly persist?: string | undefined;
  /** Makes each change survive a power failure. */
  /** Rebuilds and restarts the operator when sources change; the server and its objects stay. */
  readonly watch?: boolean | undefined;
  /** Serves the window. */
  readonly ui?: UiOptions | undefined;
  /** The port of the operator's inspector, for a debugger. */
  readonly debug?: number | undefined;
  /** The number of replicas: a ring of shards if the project has one, else with an elected leader. */
  readonly replicas?: number | undefined;
  /** Arguments of the operator. */
  readonly args: readonly string[];
}

/** The environment of a local run. */
export interface LocalHost {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly disk: Disk;
  readonly signal: AbortSignal;
  readonly emit: (event: LocalEvent) => void;
}

/** Generates, starts a server, builds and runs the project's operator until the signal; then cleans up. */
export async function runLocal(options: RunLocalOptions, host: LocalHost): Promise<void> {
  const { root, project } = await loadProject(host.cwd, host.disk);
  const { projectName } = project;
  const cleanups: (() => Promise<void>)[] = [];
  try {
    await run({
      root,
      projectName,
      namespaced: project.namespaced ?? false,
      account: operatorAccount(projectName),
      options,
      host,
      atEnd: (cleanup) => void cleanups.push(cleanup),
    });
  } catch (error) {
    // An interruption is not a failure.
    if (!host.signal.aborted) throw error;
  } finally {
    for (const cleanup of cleanups.toReversed()) await cleanup();
  }
}

interface Run {
  readonly root: string;
  readonly projectName: string;
  /** True if the deployed operator watches only its own namespace. */
  readonly namespaced: boolean;
  readonly account: OperatorAccount;
  readonly options: RunLocalOptions;
  readonly host: LocalHost;
  /** Registers a cleanup. They run in reverse order, however the run ends. */
  readonly atEnd: (cleanup: () => Promise<void>) => void;
}

/** The time that an operator has to define a kind of the objects to apply, such as one that another object describes. */
const operatorsKindsMs = 10_000;

async function run(run: Run): Promise<void> {
  const { options, host } = run;
  const paths = (options.apply ?? []).map((path) => resolve(host.cwd, path));
  // Fail before a server is started if there is nothing to apply, or if the project lacks esbuild.
  const toApply = await openManifests(paths, options.watch ?? false);
  const esbuild = await loadEsbuild(run.root);
  const wantsHelp = options.args.some((argument) => /^--?h(elp)?$/.test(argument));
  let hasServer = false;
  run.atEnd(async () => {
    if (hasServer) host.emit({ type: "stopped" });
  });
  const folder = await makeRunFolder(run.root);
  run.atEnd(() => folder.remove());
  const builder = await operatorBuilder(esbuild, { root: run.root, outfile: folder.bundle });
  run.atEnd(() => builder.close());
  if (wantsHelp) return showHelp(run, folder, builder);
  const ring = options.replicas === undefined ? undefined : await readProjectRing(run.root, run.account);
  const preparation = new Preparation({ ...run, ...options, ...host, ...folder, builder, ring });
  // With --watch, an error of the sources waits for its fix, and so does the server.
  if (!options.watch && !namesCluster(options)) await preparation.prepareSources();
  host.signal.throwIfAborted();
  const window = await loadWindow(run);
  const target = await openTarget(run, window, ring !== undefined);
  hasServer = true;
  const user = options.rbac ? target.addUser?.(serviceAccountUser(run.account.namespace, run.account.name)) : undefined;
  // Its roles allow an operator of one namespace nothing elsewhere.
  const namespace = user && run.namespaced ? run.account.namespace : target.config.namespace;
  await folder.write({
    people: formatKubeconfig({ ...target.config, namespace }),
    operator: user ? formatKubeconfig({ ...user, namespace: run.account.namespace }) : target.kubeconfig,
  });
  host.emit({ type: "kubeconfig", path: relativePath(host.cwd, folder.userKubeconfig) });
  const server = { target, roles: user && run.account };
  const replicas = replicaNames(run).map((name) => ({ name, ring: ring?.name, starter: new OperatorStarter() }));
  run.atEnd(async () => void (await Promise.all(replicas.map(({ starter }) => starter.stop()))));
  const patience = ({ file, object: { kind = "" } }: Manifest): AbortSignal => {
    host.emit({ type: "awaitsKind", kind, file: relativePath(host.cwd, file) });
    return AbortSignal.any([host.signal, AbortSignal.timeout(operatorsKindsMs)]);
  };
  const applyChanged = changedManifestsApplier({ client: target.client, namespace, patience }, toApply);
  const supervision = {
    prepare: () => preparation.run(server),
    start: () => {
      const startable = replicas.map((replica) => ({
        name: replica.name,
        async start() {
          const operator = { ...(await operatorOptions(run, folder, preparation, replica)), ...reporting(run, window) };
          return options.watch ? replica.starter.start(operator) : startOperator(operator);
        },
      }));
      return startReplicas(startable, (replica, end, left) =>
        host.emit({ type: "replicaEnded", replica, reason: reasonOf(end), left }),
      );
    },
    replicas: options.replicas === undefined ? undefined : replicaNames(run),
    check: (signal: AbortSignal) => checkTypes(run.root, signal),
    afterStart: async () => {
      if (paths.length === 0) return;
      if (preparation.webhooks) await untilListening(preparation.webhooks, host.signal);
      if (ring && target.embedded) await untilShards(target.client, ring.name, replicas.length, host.signal);
      const objects = await applyChanged();
      if (objects.length > 0) host.emit({ type: "applied", objects });
    },
    signal: host.signal,
    emit: host.emit,
  };
  if (options.watch) await runWatched(supervision, await watchSources(run.root, host.signal, paths));
  else await runOnce(supervision);
}

/** Names the replicas like the pods of a StatefulSet; the one of an ordinary run needs no name. */
function replicaNames({ projectName, options: { replicas } }: Run): string[] {
  if (replicas === undefined) return [""];
  return Array.from({ length: replicas }, (_, index) => `${projectName}-${index}`);
}

/** Lets the operator print its help. It gets no server: its kubeconfig is not written, and so it ends in any case. */
async function showHelp({ root, options, host }: Run, { bundle, kubeconfig }: RunFolder, builder: OperatorBuilder) {
  await builder.build();
  const operator = await startOperator({
    file: bundle,
    cwd: root,
    args: options.args,
    env: { ...host.env, KUBECONFIG: kubeconfig },
    onLine: (stream, line) => host.emit({ type: "output", stream, line }),
  });
  const stop = (): void => void operator.stop(0);
  host.signal.addEventListener("abort", stop, { once: true });
  const end = await operator.ended;
  host.signal.removeEventListener("abort", stop);
  if (!("code" in end) || end.code !== 0) throw new TsopError("TSOP_OPERATOR_ENDED", { reason: reasonOf(end) });
}

/** Its code is loaded only if the page is wanted. */
async function loadWindow({ options: { ui }, host }: Run): Promise<LocalWindow | undefined> {
  if (!ui) return undefined;
  const { prepareWindow } = await import("./local-window.ts");
  return prepareWindow(ui, (error) => host.emit({ type: "problem", error }));
}

async function openTarget(
  { root, account, options, host, atEnd }: Run,
  window: LocalWindow | undefined,
  sharding: boolean,
): Promise<Target> {
  const onError = (error: unknown) => host.emit({ type: "problem", error });
  const { username } = serviceAccountUser(account.namespace, account.name);
  const uses = new UseLog();
  // Other cleanups follow, whatever happens to the record.
  atEnd(async () => {
    if (uses.all.length > 0) await appendUses(join(root, usesFile), { runs: 1, uses: uses.all }).catch(onError);
  });
  const onAudit = (event: AuditEvent): void => {
    if (event.user.username === username) uses.note(event, account.namespace);
    window?.sandbox.onAudit?.(event);
  };
  const sandbox = {
    onError,
    onUnsupported: ({ method, path, message }: { method: string; path: string; message: string }) =>
      onError(new Error(`unsupported: ${method} ${path}: ${message}`)),
    rbac: options.rbac ?? false,
    sharding,
    runCommands: options.runCommands ?? false,
    forbiddenHint: permissionHint,
    kubernetesVersion: options.kubernetesVersion,
    ...(options.port !== undefined && { port: options.port }),
    ...(options.persist !== undefined && { persist: resolve(host.cwd, options.persist) }),
    ...window?.sandbox,
    ...(options.rbac && { onAudit }),
  };
  // The server outlives the operator, which still uses it while it stops.
  const serving = new AbortController();
  atEnd(async () => serving.abort());
  const target = await chooseTarget({ ...options, env: host.env, sandbox }, serving.signal);
  if (!target.embedded) refuseEmbeddedOptions(options);
  atEnd(() => {
    serving.abort();
    return target.done;
  });
  const { embedded, config } = target;
  const ignored = embedded ? ignoredKubeconfig({ root, cwd: host.cwd }, host.env) : undefined;
  host.emit({ type: "target", embedded, server: config.server, source: config.source, ignored });
  if (window) {
    const { url, done } = await window.open(target, serving.signal);
    atEnd(async () => {
      serving.abort();
      await done;
    });
    host.emit({ type: "window", url });
  }
  return target;
}

function refuseEmbeddedOptions(options: RunLocalOptions): void {
  const flags = {
    rbac: "--rbac",
    runCommands: "--run-commands",
    persist: "--persist",
    port: "--port",
    kubernetesVersion: "--kubernetes-version",
  } as const;
  const given = Object.entries(flags).filter(([name]) => options[name as keyof typeof flags] !== undefined);
  if (given.length === 0) return;
  throw new UsageError(`${given.map(([, flag]) => flag).join(", ")} can't be used with a cluster`);
}

async function operatorOptions(
  local: Run,
  folder: RunFolder,
  { webhooks, webhooksLeftOut }: Preparation,
  replica: ReplicaOptions,
): Promise<OperatorOptions> {
  const { root, account, options, host } = local;
  const main = await readFile(join(root, "main.ts"), "utf8");
  const isFirst = replica.name === replicaNames(local)[0];
  if (replica.name && !readsManagerFlags(main))
    throw new UsageError("--replicas needs a main.ts with parseManagerFlags()");
  const place = {
    // The server calls the webhooks of the first replica; the others serve them, too.
    webhooks: webhooks && (isFirst ? webhooks : { ...webhooks, port: (await freePorts(1))[0]! }),
    replica: replica.name ? replica : undefined,
  };
  return {
    file: folder.bundle,
    cwd: root,
    args: operatorArguments(main, options.args, place),
    env: {
      // The library freezes shared objects in development.
      NODE_ENV: "development",
      ...(await managerEnvironment(root, options.rbac ? account.namespace : undefined)),
      ...(webhooksLeftOut && { ENABLE_WEBHOOKS: "false" }),
      ...host.env,
      KUBECONFIG: folder.kubeconfig,
    },
    ...(options.debug !== undefined && { inspect: options.debug }),
    preload: libraryOf(root),
    onLine: (stream, line) => host.emit({ type: "output", stream, line, replica: replica.name || undefined }),
  };
}

/** Returns the parts of the operator that the page needs. */
function reporting(
  { host }: Run,
  window: LocalWindow | undefined,
): Pick<OperatorOptions, "onReport" | "onLine"> | undefined {
  if (!window) return undefined;
  return {
    onReport: window.onReport,
    onLine(stream, line) {
      window.onLine(line);
      host.emit({ type: "output", stream, line });
    },
  };
}
