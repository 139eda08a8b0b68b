import { isAbsolute, resolve } from "node:path";
import { UsageError } from "../../errors/tsop-error.ts";
import { findApiChanges, formatApiChanges } from "../../codegen/external/api-changes.ts";
import { isEdited } from "../../files/edited.ts";
import { planTypes, type SourcedCrds } from "../../codegen/external/plan-types.ts";
import { readClusterCrds, readFileCrds, readTextCrds, readUrlCrds } from "../../codegen/external/read-source.ts";
import { nameOf, recordedSources, type Source } from "../../codegen/external/source.ts";
import type { Plan } from "../../files/plan.ts";
import { withPlan } from "../../files/with-plan.ts";
import { relativePath } from "../../files/slashes.ts";
import { qualifiedGroup } from "../../project/project.ts";
import { apiFlags, type ApiFlags } from "../../project/scaffold/api/api-flags.ts";
import { loadProject, findProjectRoot, type LoadedProject } from "../../project/load-project.ts";
import type { Io } from "../io.ts";
import { readStdin } from "../terminal/read-stdin.ts";
import { applyAndReport, changeFolder, type WriteFlags } from "./apply-plan.ts";
import { generateAfter } from "./generate.ts";

/** Flags of the commands that read foreign definitions. */
export type SourceFlags = WriteFlags &
  Partial<Pick<ApiFlags, "fromCrd" | "fromCluster" | "output" | "kubeconfig" | "context" | "make">>;

/** Reads the definitions that the flags name, before the project is locked. */
export async function readFlaggedSource(io: Io, root: string, flags: SourceFlags): Promise<SourcedCrds> {
  const { fromCrd, fromCluster } = flags;
  if (fromCrd !== undefined && fromCluster !== undefined)
    throw new UsageError("--from-crd and --from-cluster exclude each other");
  const output = flags.output === undefined ? undefined : relativePath(root, resolve(io.cwd, flags.output));
  if (fromCrd === "-") {
    if (io.isTTY) throw new UsageError("--from-crd - reads standard input: kubectl get crd <name> -o yaml | tsop …");
    return { source: undefined, output, crds: readTextCrds(await readStdin(io)) };
  }
  const source: Source = {
    ...sourceOf(io, root, flags),
    ...(output === undefined ? {} : { output }),
  };
  return { source, output, crds: await readCrds(io, root, source, flags) };
}

function sourceOf({ cwd }: Pick<Io, "cwd">, root: string, { fromCrd = "", fromCluster }: SourceFlags): Source {
  if (fromCluster !== undefined) return { cluster: fromCluster };
  if (/^https?:\/\//.test(fromCrd)) return { url: fromCrd };
  return { file: isAbsolute(fromCrd) ? fromCrd : relativePath(root, resolve(cwd, fromCrd)) || "." };
}

async function readCrds(
  io: Io,
  root: string,
  source: Source,
  { kubeconfig, context }: Pick<SourceFlags, "kubeconfig" | "context">,
): Promise<SourcedCrds["crds"]> {
  if (source.file !== undefined) return readFileCrds(resolve(root, source.file), source.file, io.disk);
  if (source.url !== undefined) return readUrlCrds(source.url, { signal: io.signal });
  const { loadConfig } = await import("../../client/config/load-config.ts");
  const { createClient } = await import("../../client/create-client.ts");
  const client = createClient({ config: await loadConfig({ kubeconfig, context, env: io.env }) });
  return readClusterCrds(source.cluster ?? "", client);
}

/** Reads all recorded sources again, for the kinds that PROJECT has: a kind that was deleted does not come back. */
export async function readRecordedSources(io: Io, loaded: LoadedProject, flags: SourceFlags): Promise<SourcedCrds[]> {
  const sourced: SourcedCrds[] = [];
  for (const source of recordedSources(loaded.project))
    sourced.push({ source, output: source.output, crds: await readRecordedCrds(io, loaded, source, flags) });
  return sourced;
}

async function readRecordedCrds(
  io: Io,
  { root, project }: LoadedProject,
  source: Source,
  flags: SourceFlags,
): Promise<SourcedCrds["crds"]> {
  const crds = await readCrds(io, root, source, flags);
  return crds.filter(({ spec: { group, names } }) =>
    project.resources?.some((resource) => resource.kind === names.kind && qualifiedGroup(resource) === group),
  );
}

/** Writes types with the code of their kinds, and tells the changes of the API. */
export async function writeTypes(
  io: Io,
  { root, command, sourced }: { root: string; command: string; sourced: readonly SourcedCrds[] },
  flags: SourceFlags,
): Promise<boolean> {
  const applied = await changeFolder(io, { root, command, flags }, async () => {
    const plan = await planTypes(await loadProject(root, io.disk), sourced, io.disk);
    const whole = flags.make === false ? plan : await generateAfter(io, plan);
    await reportChanges(io, plan);
    return applyAndReport(io, whole, flags);
  });
  return applied !== undefined;
}

/**
 * Plans the types of the recorded files again, for `generate code`. URLs and clusters are left to `generate types`. A
 * file that is gone, or types that were edited by hand, stay as they are, with a warning.
 */
export async function planRecordedFiles(io: Io, loaded: LoadedProject): Promise<Plan> {
  const sourced: SourcedCrds[] = [];
  for (const source of recordedSources(loaded.project)) {
    if (source.file === undefined) continue;
    const path = resolve(loaded.root, source.file);
    const exists = (await io.disk.read(path)) !== undefined || (await io.disk.list(path)).length > 0;
    if (!exists) io.stderr.write(`warning: ${nameOf(source)} is gone: the types from it stay as they are\n`);
    else sourced.push({ source, output: source.output, crds: await readRecordedCrds(io, loaded, source, {}) });
  }
  const plan = await planTypes(loaded, sourced, io.disk);
  const changes = [];
  for (const change of plan.changes) {
    const current = change.type === "create" ? await io.disk.read(resolve(plan.root, change.path)) : undefined;
    if (current === undefined || !isEdited(current)) changes.push(change);
    else
      io.stderr.write(
        `warning: ${change.path} was edited by hand and stays; to overwrite it: tsop generate types --force\n`,
      );
  }
  const kept = { ...plan, changes };
  await reportChanges(io, kept);
  return kept;
}

async function reportChanges(io: Pick<Io, "disk" | "stderr">, plan: Plan): Promise<void> {
  if (!plan.changes.some(({ type, path }) => type !== "create" && path !== "PROJECT")) return;
  const found = await findApiChanges({ root: plan.root, before: io.disk, after: withPlan(io.disk, plan) });
  for (const line of formatApiChanges(found)) io.stderr.write(`${line}\n`);
}

const excluded = [
  "group",
  "kind",
  "plural",
  "image",
  "ssa",
  "externalApiPath",
  "externalApiDomain",
  "controllerName",
] as const;

/** Creates the types of foreign kinds: `tsop create api --from-crd` and `--from-cluster`. */
export async function createExternalApi(io: Io, flags: ApiFlags & WriteFlags): Promise<void> {
  const other = excluded.find((name) => flags[name] !== undefined);
  if (other) {
    const [flag] = apiFlags[other].flag.split(" ");
    throw new UsageError(`${flag} can't be used with --from-crd and --from-cluster: the definitions name their kinds`);
  }
  const root = await findProjectRoot(io.cwd, io.disk);
  const sourced = await readFlaggedSource(io, root, flags);
  if (!(await writeTypes(io, { root, command: "tsop create api", sourced: [sourced] }, flags))) return;
  const [{ spec }] = sourced.crds as [(typeof sourced.crds)[number]];
  const stored = spec.versions.find(({ storage }) => storage) ?? spec.versions[0];
  const names = `--group ${spec.group.split(".")[0]} --version ${stored?.name} --kind ${spec.names.kind}`;
  if (!sourced.source)
    io.stderr.write("\nStandard input can't be read again: `tsop generate types` skips these types.\n");
  io.stderr.write(
    `\nNext: watch the kinds in your controllers, or add a controller of one:\n  tsop create api ${names} --resource=false\n`,
  );
}
