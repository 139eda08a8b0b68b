import { resolve } from "node:path";
import { openClusterReader } from "../../plan/copy/cluster-reader.ts";
import { planRole } from "../../plan/copy/plan-role.ts";
import { takeCopy } from "../../plan/copy/take-copy.ts";
import { formatMarkdown } from "../../plan/report/format-markdown.ts";
import { formatText } from "../../plan/report/format-text.ts";
import { openCluster } from "./open-cluster.ts";
import type { ClusterCopy, SecretHandling } from "../../plan/copy/cluster-copy.ts";
import { readCopy, saveCopy, loadCopy } from "../../plan/copy/copy-file.ts";
import { parseResource } from "../../plan/copy/wanted-resources.ts";
import { rehearse, type Rehearsal } from "../../plan/rehearsal/rehearse.ts";
import { isUnchanged, makeReport, type PlanReport } from "../../plan/report/make-report.ts";
import { emitYamlDocuments } from "../../apimachinery/yaml/emit.ts";
import { TsopError, UsageError } from "../../errors/tsop-error.ts";
import { readGiven } from "../../local/apply-changed.ts";
import { accountIn, openPlannedOperator, type PlannedOperator } from "../../local/planned-operator.ts";
import { permissionHint } from "../../local/target/permission-hint.ts";
import type { Io } from "../io.ts";

/** The flags of `tsop plan`. */
export interface PlanFlags {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly namespace?: string;
  readonly exec?: string;
  readonly apply?: readonly string[];
  readonly oldExec?: string;
  readonly oldRevision?: string;
  readonly also?: readonly string[];
  readonly secrets: SecretHandling;
  readonly save?: string;
  readonly from?: string;
  readonly role?: true;
  readonly simulate?: true;
  readonly timeout: number;
  readonly output: "text" | "json" | "markdown";
  readonly verbose?: boolean;
  readonly ui?: true;
}

/** Plans a new version for a cluster, and reports. Throws if it changes something. */
export async function planChanges(io: Io, flags: PlanFlags, args: readonly string[]): Promise<void> {
  refuseFlags(flags, args);
  const operator = await openNew(io, flags, args);
  const objects = operator.manifests.map(({ object }) => object);
  if (flags.role) return io.stdout.write(emitYamlDocuments([planRole(objects, flags.also?.map(parseResource))]));
  const { from } = flags;
  const copy = from === undefined ? await copyCluster(io, flags, operator) : await readCopy(resolve(io.cwd, from));
  if (flags.save !== undefined) {
    await saveCopy(resolve(io.cwd, flags.save), copy);
    return io.stderr.write(`${copy.objects.length} objects are copied: tsop plan --from ${flags.save}\n`);
  }
  const { subject, manifests } = operator;
  const { uncalled, snapshot } = loadCopy(copy, objects);
  const options = { snapshot, simulate: flags.simulate ?? false, limitMs: flags.timeout, signal: io.signal };
  const old = await rehearseOld(io, flags, operator, (oldSubject) =>
    rehearse({ ...options, manifests: [], subject: { ...oldSubject, account: subject.account } }),
  );
  const window = flags.ui
    ? (await import("./observe-sandbox.ts")).observeSandbox({}, (line) => io.stderr.write(`${line}\n`))
    : undefined;
  let report: PlanReport | undefined;
  await rehearse(
    { ...options, subject, manifests, forbiddenHint: permissionHint, ...(window && { observer: window }) },
    async (rehearsal, sandbox) => {
      report = makeReport({ copy, uncalled, manifests: objects, rehearsal, old });
      io.stdout.write(textOf(report, flags, io));
      await window?.onServing(sandbox, io.signal);
      if (window && !io.signal.aborted) await new Promise((done) => io.signal.addEventListener("abort", done));
    },
  );
  if (!isUnchanged(report!)) throw new TsopError("TSOP_PLAN_CHANGES", {});
}

function refuseFlags(flags: PlanFlags, args: readonly string[]): void {
  const { exec, oldExec, oldRevision, from, save, context, kubeconfig } = flags;
  if (exec !== undefined && args.length > 0)
    throw new UsageError("arguments of the program belong in --exec: --exec 'PROGRAM ARGUMENTS'");
  if (oldExec !== undefined && exec === undefined)
    throw new UsageError("--old-exec needs --exec; for a tsop project, give a revision: --old-revision");
  if (oldRevision !== undefined && exec !== undefined)
    throw new UsageError("--old-revision is for a tsop project; with --exec, give the older program: --old-exec");
  if (from !== undefined && (save ?? context ?? kubeconfig) !== undefined)
    throw new UsageError("--from takes the copy in the file: leave --save, --context and --kubeconfig out");
}

/** Opens the new version. To copy or to print a role, manifests that are given are enough. */
async function openNew(io: Io, flags: PlanFlags, args: readonly string[]): Promise<PlannedOperator> {
  const { exec, apply } = flags;
  if (apply && exec === undefined && (flags.save !== undefined || flags.role)) {
    const manifests = await readGiven(io.cwd, apply);
    const command = { file: "", args: [], cwd: io.cwd, env: {} };
    return { root: io.cwd, manifests, subject: { command, crds: [], before: [], account: accountIn(manifests) } };
  }
  if (exec === undefined) await (await import("./generate.ts")).generateBefore(io, "tsop plan");
  return openPlannedOperator(io, { exec, apply, args });
}

async function copyCluster(io: Io, flags: PlanFlags, { manifests, subject }: PlannedOperator): Promise<ClusterCopy> {
  const { namespace, secrets, also } = flags;
  const { config, transport } = await openCluster(io, flags);
  const show = (text: string): void => void (io.stderr.isTTY && io.stderr.write(`\r\u001b[K${text}`));
  try {
    return await takeCopy({
      cluster: `${config.server}, ${config.source}`,
      takenAt: io.now().toISOString(),
      reader: openClusterReader(transport, io.signal),
      manifests: manifests.map(({ object }) => object),
      account: subject.account,
      namespace,
      secrets,
      also: also?.map(parseResource) ?? [],
      onProgress: (copied) => show(`${copied} objects copied`),
    });
  } finally {
    show("");
    transport.close();
  }
}

/** Runs the version that is deployed now, if a flag names it. */
async function rehearseOld(
  io: Io,
  { exec, oldExec, oldRevision, apply }: PlanFlags,
  { root }: PlannedOperator,
  run: (subject: PlannedOperator["subject"]) => Promise<Rehearsal>,
): Promise<Rehearsal | undefined> {
  if (oldExec === undefined && oldRevision === undefined) return undefined;
  const { openOlderVersion } = await import("../../local/older-version.ts");
  const onInstall = (): void => io.stderr.write(`npm ci: ${oldRevision} has other dependencies\n`);
  const { cwd, env, disk, signal } = io;
  const older = { revision: oldRevision, exec: oldExec };
  const opened = await openOlderVersion({ cwd, env, disk, signal, onInstall, root }, older, {
    exec,
    apply,
    objects: [],
  });
  try {
    return await run(opened.subject);
  } finally {
    await opened.close();
  }
}

function textOf(report: PlanReport, { output, verbose = false }: PlanFlags, { stdout, env }: Io): string {
  if (output === "markdown") return formatMarkdown(report, verbose);
  if (output === "text") return formatText(report, { verbose, colored: stdout.isTTY && !env["NO_COLOR"] });
  const groups = report.groups.map(({ differences: _shown, ...group }) => group);
  return `${JSON.stringify({ ...report, groups }, undefined, 2)}\n`;
}
