import { join, resolve } from "node:path";
import type { CheckResult } from "../../check/run-check.ts";
import type { RunChoice } from "../../check/report/run-choice.ts";
import { loadCalls } from "../../codegen/run-generators.ts";
import { listTypeScript, readSources } from "../../codegen/source/project-sources.ts";
import { messageOf } from "../../errors/message-of.ts";
import { TsopError, UsageError } from "../../errors/tsop-error.ts";
import { diffPlan } from "../../files/diff.ts";
import { relativePath } from "../../files/slashes.ts";
import { readGiven } from "../../local/apply-changed.ts";
import { accountIn } from "../../local/planned-operator.ts";
import { operatorAccount, readRoles } from "../../local/target/operator-roles.ts";
import { loadProject } from "../../project/load-project.ts";
import { fixMarkers } from "../../release/roles/fix-markers.ts";
import { countFindings, formatCounts, formatRoles, formatRolesJson } from "../../release/roles/format-report.ts";
import { rulesOfManifests, rulesOfMarkers, type Account, type GrantedRule } from "../../release/roles/granted-rules.ts";
import { judgeRoles } from "../../release/roles/judge-roles.ts";
import type { Knowledge, RoleReport } from "../../release/roles/role-report.ts";
import { appendUses, readUses, usesFile } from "../../sandbox/use-file.ts";
import type { Io } from "../io.ts";
import { applyAndReport, changeFolder } from "./apply-plan.ts";
import { generateAfter } from "./generate.ts";

export interface RolesFlags {
  readonly from?: readonly string[];
  readonly apply?: readonly string[];
  readonly account?: string;
  readonly fix?: true;
  readonly output: "text" | "json";
}

/** Prints how the roles of an operator fit what was recorded, and changes its markers. Throws if they do not fit. */
export async function reportRoles(io: Io, flags: RolesFlags): Promise<void> {
  const { apply, fix, output } = flags;
  if (fix && apply) throw new UsageError("--fix changes the markers of a tsop project: leave --apply out");
  const opened = await openRoles(io, flags);
  const files = flags.from?.map((file) => resolve(io.cwd, file)) ?? [join(opened.root, usesFile)];
  const report = judgeRoles(opened.granted, await readUses(files), opened.knowledge);
  if (!fix || output === "json") io.stdout.write(output === "json" ? formatRolesJson(report) : formatRoles(report));
  const shown = output === "json" ? io.stderr : io.stdout;
  const isLeft = fix ? await fixRoles(io, opened.root, { report, shown }) : formatCounts(countFindings(report)) !== "";
  if (isLeft) throw new TsopError("TSOP_ROLES_DIFFER", {});
}

/** Saves what a check has recorded, and prints a line if the operator's role does not fit. */
export async function noteUses(
  io: Io,
  { root, exec, apply }: Pick<RunChoice, "exec" | "apply"> & { readonly root: string },
  used: CheckResult["used"],
): Promise<void> {
  const file = join(root, usesFile);
  if (used.uses.length === 0) return;
  const recorded = await appendUses(file, used)
    .then(() => readUses([file]))
    .catch((error: unknown) => {
      // A check has a verdict without its record, as in a folder that can't be written to.
      io.stderr.write(`role: not recorded: ${messageOf(error)}\n`);
    });
  if (!recorded) return;
  const manifests = exec === undefined ? undefined : await readGiven(io.cwd, apply ?? []);
  if (manifests && !findAccount(manifests)) return;
  const opened = await openRoles(io, { apply: manifests && apply });
  const counts = formatCounts(countFindings(judgeRoles(opened.granted, recorded, opened.knowledge)));
  const shown = ["tsop roles", ...(manifests ? (apply ?? []).map((path) => `--apply ${path}`) : [])].join(" ");
  const isKnown = exec === undefined || opened.granted.length > 0;
  if (isKnown && counts !== "") io.stderr.write(`role: ${counts}; ${shown} shows them\n`);
}

interface OpenedRoles {
  readonly root: string;
  readonly granted: readonly GrantedRule[];
  readonly knowledge: Knowledge;
}

async function openRoles(
  { cwd, disk }: Pick<Io, "cwd" | "disk">,
  { apply, account: named }: { readonly apply?: readonly string[] | undefined; readonly account?: string },
): Promise<OpenedRoles> {
  if (!apply) return openProjectRoles(cwd, disk);
  const manifests = await readGiven(cwd, apply);
  const [namespace = "", name] = named?.split("/") ?? [];
  const account = name === undefined ? findAccount(manifests) : { namespace, name };
  if (!account) throw new TsopError("TSOP_ROLES_NO_ACCOUNT", {});
  const granted = rulesOfManifests(
    manifests.map((each) => ({ ...each, file: relativePath(cwd, each.file) })),
    account,
  );
  return { root: cwd, granted, knowledge: { account, calls: [], texts: [] } };
}

async function openProjectRoles(cwd: string, disk: Io["disk"]): Promise<OpenedRoles> {
  const { root, project } = await loadProject(cwd, disk);
  const account = operatorAccount(project.projectName);
  const { packageMarkers, calls } = await loadCalls({ root, disk, forCrds: false });
  const sources = await readSources(root, await listTypeScript(root, disk), disk);
  const manifests = (await readRoles(root, account)).map((each) => ({ ...each, file: relativePath(root, each.file) }));
  const isGenerated = ({ file }: { file: string }): boolean => file === "config/rbac/role.yaml";
  const roleName = manifests.find(isGenerated)?.object.metadata.name ?? "manager-role";
  const granted = [
    ...rulesOfMarkers(packageMarkers, manifests, { account, roleName }),
    ...rulesOfManifests(manifests, account).filter(({ place }) => !place.startsWith("config/rbac/role.yaml,")),
  ];
  return { root, granted, knowledge: { account, calls, texts: [...sources.values()] } };
}

/** Returns the account of the only Deployment, or the only one that bindings name. */
function findAccount(manifests: Awaited<ReturnType<typeof readGiven>>): Account | undefined {
  const bound = manifests.flatMap(({ object: { metadata, subjects } }) =>
    ((subjects ?? []) as { kind: string; name: string; namespace?: string }[])
      .filter(({ kind }) => kind === "ServiceAccount")
      .map(({ name, namespace = metadata.namespace ?? "default" }) => `${namespace}/${name}`),
  );
  const [only, ...others] = new Set(bound);
  const [namespace = "", name = ""] = only?.split("/") ?? [];
  return accountIn(manifests) ?? (only !== undefined && others.length === 0 ? { namespace, name } : undefined);
}

/** Changes the markers, and the files that are generated from them. Returns true if something is left to do by hand. */
async function fixRoles(
  io: Io,
  root: string,
  { report, shown }: { readonly report: RoleReport; readonly shown: Io["stderr"] },
): Promise<boolean> {
  const { changes, left } = fixMarkers(report);
  await changeFolder(io, { root, command: "tsop roles --fix", flags: {} }, async () => {
    const plan = await generateAfter(io, { root, changes });
    shown.write(await diffPlan({ root, changes }, io.disk));
    await applyAndReport(io, plan, {});
  });
  for (const line of left) io.stderr.write(`left: ${line}\n`);
  return left.length > 0;
}
