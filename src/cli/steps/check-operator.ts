import { mkdir, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { groupBy } from "../../apimachinery/group-by.ts";
import { faultClasses, isUserStep, type FaultClass, type Plan } from "../../check/plans/plan.ts";
import { needsOlderVersion } from "../../check/plans/upgrade-plans.ts";
import { nameOf, parseAccepted, reasonToAccept, type AcceptedFinding } from "../../check/report/accepted-findings.ts";
import { formatJunit } from "../../check/report/format-junit.ts";
import { formatFinding } from "../../check/report/format-text.ts";
import { refuseNothingJudged } from "../../check/report/nothing-judged.ts";
import { choiceFor, objectsOf, parseReplay, testOf, type Replay } from "../../check/report/replay.ts";
import { formatReplay, type RunChoice } from "../../check/report/run-choice.ts";
import { defaultSchedules, listPlans, runCheck, type CheckResult } from "../../check/run-check.ts";
import type { CheckOptions, Progress } from "../../check/check-options.ts";
import { parseScenario } from "../../check/scenario/load-scenario.ts";
import type { Scenario } from "../../check/scenario/scenario.ts";
import { TsopError, UsageError } from "../../errors/tsop-error.ts";
import { relativePath } from "../../files/slashes.ts";
import type { CheckedOperator, OpenedSource } from "../../local/checked-operator.ts";
import type { Chance } from "../../check/plans/engine.ts";
import type { EngineChoice } from "../../local/open-simulation.ts";
import type { OlderOperator, OlderSource } from "../../local/older-version.ts";
import type { Io } from "../io.ts";

/** The flags of `tsop check`. */
export interface CheckFlags {
  readonly exec?: string;
  readonly apply?: readonly string[];
  readonly sample?: readonly string[];
  readonly with?: readonly string[];
  readonly scenario?: string;
  readonly rbac?: true;
  readonly upgradeFrom?: string;
  readonly upgradeFromExec?: string;
  readonly upgradeFromApply?: readonly string[];
  readonly upgradeFromSample?: readonly string[];
  readonly budget?: number;
  readonly schedules?: number;
  readonly jobs?: number;
  readonly engine: EngineChoice;
  readonly seed: number;
  readonly only?: readonly string[];
  readonly list?: true;
  readonly replay?: string;
  readonly accept?: string;
  readonly output: "text" | "json" | "junit";
}

const defaultBudgetMs = 300_000;

/** Checks an operator and reports. Throws if something is found. */
export async function checkOperator(io: Io, flags: CheckFlags, args: readonly string[]): Promise<void> {
  const only = flags.only && readClasses(flags.only);
  const needsSimulation = (flags.schedules ?? 0) > 0 || only?.includes("schedule") === true;
  if (needsSimulation && flags.engine === "processes")
    throw new UsageError("schedules need a simulation: leave --engine processes out");
  if (flags.exec !== undefined && args.length > 0)
    throw new UsageError("arguments of the program belong in --exec: --exec 'PROGRAM ARGUMENTS'");
  const accepted = flags.accept === undefined ? [] : parseAccepted(await readText(io, flags.accept), flags.accept);
  const replay = flags.replay === undefined ? undefined : parseReplay(await readText(io, flags.replay), flags.replay);
  refuseUpgradeFlags(flags, only ?? (replay && [replay.plan.faultClass]));
  const chosen = choiceOf(flags, args);
  const source = { ...chosen, samples: flags.sample, objects: replay && objectsOf(replay) };
  const opened = await openSubject(io, source);
  const { root, subject, samples, env } = opened;
  const older = await openOlder(io, { ...chosen.upgradeFrom, samples: flags.upgradeFromSample }, { root, source });
  const options: CheckOptions = {
    subject,
    samples,
    older,
    isProject: flags.exec === undefined,
    scenario: replay?.scenario ?? (await readScenario(io, flags)),
    plans: replay && [replay.plan],
    only,
    budgetMs: flags.budget ?? defaultBudgetMs,
    schedules: flags.schedules ?? (flags.budget === undefined ? defaultSchedules : Infinity),
    jobs: chosen.jobs,
    seed: flags.seed,
    signal: io.signal,
  };
  const choice: RunChoice = { ...chosen, env };
  const chance = { seed: replay?.chance?.seed ?? flags.seed, epoch: replay?.chance?.epoch ?? io.now().getTime() };
  const { openEngine } = await import("../../local/open-simulation.ts");
  const { engine, isForced, why } = await openEngine(
    flags.engine,
    [opened, ...opened.neighbours, ...(older ? [older] : [])],
    chance,
  );
  try {
    if (why !== undefined && needsSimulation) throw new TsopError("TSOP_CHECK_NOT_SIMULATED", { why });
    const run = { ...options, engine, isForced };
    if (flags.list) {
      for (const { id, description } of await listPlans(run)) io.stdout.write(`${id}\n    ${description}\n`);
      return;
    }
    const result = await runCheck({ ...run, onProgress: showProgress(io) }).finally(() => clearProgress(io));
    showEngine(io, flags, { why, ...result.engine });
    if (replay && flags.output === "text") {
      const kept = { file: flags.replay!, root: relativePath(io.cwd, root) };
      io.stdout.write(`${testOf(kept, replay, seenFrom(root, io.cwd, choice))}\n`);
    }
    await report(io, flags, { result, accepted, root, choice, chance });
  } finally {
    await engine?.close();
    await older?.close();
  }
}

/** Prints which engine has run the plans, and why. */
function showEngine(io: Io, { engine }: CheckFlags, { name, why }: CheckResult["engine"]): void {
  const confirmation = engine === "auto" ? ": a run as a process has confirmed it" : "";
  if (name === "simulation") io.stderr.write(`simulated${confirmation}\n`);
  else if (why !== undefined) io.stderr.write(`run as processes: ${why}\n`);
}

function readClasses(names: readonly string[]): FaultClass[] {
  const unknown = names.filter((name) => !(faultClasses as readonly string[]).includes(name));
  if (unknown.length === 0) return names as FaultClass[];
  throw new UsageError(`--only: unknown class ${unknown.join(", ")}; choose from ${faultClasses.join(", ")}`);
}

function refuseUpgradeFlags(flags: CheckFlags, classes: readonly Plan["faultClass"][] = []): void {
  const { exec, upgradeFrom, upgradeFromExec, upgradeFromApply, upgradeFromSample } = flags;
  if (exec !== undefined && upgradeFrom !== undefined)
    throw new UsageError(
      "--upgrade-from is for a tsop project; with --exec, give the older program: --upgrade-from-exec",
    );
  if (exec === undefined && upgradeFromExec !== undefined)
    throw new UsageError("--upgrade-from-exec needs --exec; for a tsop project, give a revision: --upgrade-from");
  if ((upgradeFromApply ?? upgradeFromSample) && upgradeFromExec === undefined)
    throw new UsageError("--upgrade-from-apply and --upgrade-from-sample need --upgrade-from-exec");
  if (classes.some(needsOlderVersion) && upgradeFrom === undefined && upgradeFromExec === undefined)
    throw new TsopError("TSOP_CHECK_NO_OLDER_VERSION", {});
}

/** Returns what flags choose for the runs of a check. */
function choiceOf(flags: CheckFlags, args: readonly string[]): RunChoice {
  const { exec, apply, with: neighbours, rbac, jobs, upgradeFrom: revision, upgradeFromExec, upgradeFromApply } = flags;
  const engine = flags.engine === "auto" ? undefined : flags.engine;
  return {
    exec,
    apply,
    with: neighbours,
    rbac,
    engine,
    jobs,
    args,
    upgradeFrom: { revision, exec: upgradeFromExec, apply: upgradeFromApply },
  };
}

/** Returns a choice with its paths relative to a project, in whose folder tests run. */
function seenFrom(root: string, cwd: string, { apply, with: neighbours, ...choice }: RunChoice): RunChoice {
  const seen = (path: string): string => relativePath(root, resolve(cwd, path));
  return { ...choice, apply: apply?.map(seen), with: neighbours?.map(seen) };
}

/** Opens the version from which users upgrade, if a flag names one. */
async function openOlder(
  io: Io,
  older: OlderSource,
  { root, source }: { readonly root: string; readonly source: OpenedSource },
): Promise<OlderOperator | undefined> {
  const { revision, exec } = older;
  if (revision === undefined && exec === undefined) return undefined;
  const { openOlderVersion } = await import("../../local/older-version.ts");
  const onInstall = (): void => io.stderr.write(`npm ci: ${revision} has other dependencies\n`);
  const { cwd, env, disk, signal } = io;
  return openOlderVersion({ cwd, env, disk, signal, onInstall, root }, older, source);
}

async function openSubject(io: Io, source: OpenedSource): Promise<CheckedOperator> {
  const { exec, rbac, samples, objects } = source;
  if (exec !== undefined && rbac)
    throw new UsageError("--rbac enforces the roles of a tsop project; it can't be used with --exec");
  if (exec !== undefined && !samples && !objects)
    throw new UsageError("--exec needs --sample with custom resources to check with");
  if (exec === undefined) {
    const { generateBefore } = await import("./generate.ts");
    await generateBefore(io, "tsop check");
  }
  const { openCheckedOperator } = await import("../../local/checked-operator.ts");
  const opened = await openCheckedOperator(io, source);
  if (opened.webhooksLeftOut)
    io.stderr.write(
      exec === undefined
        ? "webhooks of the project are left out: the check runs with ENABLE_WEBHOOKS=false\n"
        : "webhooks are left out: to have them called, let --exec serve them at $TSOP_WEBHOOK_PORT\n",
    );
  return opened;
}

async function readScenario(io: Io, { scenario }: CheckFlags): Promise<Scenario | undefined> {
  return scenario === undefined ? undefined : parseScenario(await readText(io, scenario), resolve(io.cwd, scenario));
}

async function readText(io: Io, file: string): Promise<string> {
  const text = await io.disk.read(resolve(io.cwd, file));
  if (text !== undefined) return text;
  throw new TsopError("TSOP_CHECK_FILE_INVALID", { file, reason: "it does not exist", fix: "check the path" });
}

function showProgress(io: Io): (progress: Progress) => void {
  const started = performance.now();
  if (io.stderr.isTTY) io.stderr.write("the runs without faults come first");
  return ({ done, planned, findings }) => {
    if (!io.stderr.isTTY) return;
    const seconds = (performance.now() - started) / 1000;
    const shown = count(findings, "finding");
    const left = Math.round((seconds / done) * (planned - done));
    const progress = Number.isFinite(planned)
      ? `${done} of ${planned} runs, ${shown}, about ${left} s left`
      : `${count(done, "run")}, ${shown}`;
    io.stderr.write(`\r\u001b[K${progress}`);
  };
}

function clearProgress(io: Io): void {
  if (io.stderr.isTTY) io.stderr.write("\r\u001b[K");
}

interface Reported {
  readonly result: CheckResult;
  readonly accepted: readonly AcceptedFinding[];
  readonly root: string;
  readonly choice: RunChoice;
  readonly chance: Chance;
}

async function report(io: Io, flags: CheckFlags, { result, accepted, root, choice, chance }: Reported): Promise<void> {
  const findings = result.findings.filter((finding) => reasonToAccept(finding, accepted) === undefined);
  // A replay must not remove its own file.
  const files = flags.replay
    ? findings.map(() => flags.replay!)
    : await writeReplays(root, { ...result, findings }, chance);
  const shown = { ...result, findings };
  if (flags.output === "json")
    io.stdout.write(`${JSON.stringify({ ...shown, used: undefined, names: findings.map(nameOf) }, undefined, 2)}\n`);
  else if (flags.output === "junit") io.stdout.write(formatJunit(shown));
  else
    findings.forEach((finding, index) => {
      const file = relativePath(io.cwd, resolve(io.cwd, files[index] ?? ""));
      const replay = formatReplay(file, choiceFor(finding.plan, choice));
      io.stdout.write(formatFinding(finding, index + 1, replay));
      io.stdout.write(`   accept      ${JSON.stringify(nameOf(finding))}\n\n`);
    });
  for (const finding of result.findings) {
    const reason = reasonToAccept(finding, accepted);
    if (reason !== undefined) io.stderr.write(`accepted: ${nameOf(finding)}: ${reason}\n`);
  }
  for (const [why, [first, ...others]] of groupBy(result.notes, (note) => note.why))
    io.stderr.write(`not judged: ${first!.plan.id}${andMore(others)}: ${why}\n`);
  const [unreached, ...others] = result.idle;
  if (unreached) io.stderr.write(`never reached its fault: ${unreached.id}${andMore(others)}\n`);
  for (const message of result.unsupported)
    io.stderr.write(`not simulated: ${message}; its consequences are not faults of the operator\n`);
  for (const pod of result.waiting)
    io.stderr.write(`not ready: ${pod}; if it is not the operator that makes it, pass it with --apply\n`);
  for (const change of result.restarts) io.stderr.write(`restarts pods: the upgrade changes ${change}\n`);
  // Without a run with a fault, the record says little about the role.
  if (result.done > 0) {
    const { noteUses } = await import("./report-roles.ts");
    await noteUses(io, { root, exec: choice.exec, apply: choice.apply }, result.used);
  }
  if (result.isIdle)
    io.stderr.write(
      "nothing written: the operator changes nothing for these samples; if it should, see tsop run --local\n",
    );
  const { done, planned, idle, converted, milliseconds, interrupted } = result;
  const objects = converted > 0 ? `${count(converted, "object")} converted with seed ${flags.seed}, ` : "";
  const left = planned > done && Number.isFinite(planned) ? `, ${planned - done} not run` : "";
  const other = result.findings.length > 0 ? "other " : "";
  const isClean = findings.length === 0 && result.judged.length > 0 && !interrupted;
  const verdict = isClean ? `: no ${other}finding` : "";
  io.stderr.write(
    `${interrupted ? "interrupted: " : ""}${objects}${count(done - idle.length, "run")} with faults${left}, ${(milliseconds / 1000).toFixed(0)} s${verdict}\n`,
  );
  if (findings.length > 0) throw new TsopError("TSOP_CHECK_FINDINGS", { findings: count(findings.length, "finding") });
  if (interrupted) throw new TsopError("TSOP_CHECK_INTERRUPTED", {});
  refuseNothingJudged(result);
}

/** Writes a file for each finding, which repeats it. Those of an earlier check are removed. */
async function writeReplays(
  root: string,
  { findings, scenario, engine }: Pick<CheckResult, "findings" | "scenario" | "engine">,
  chance: Chance,
): Promise<string[]> {
  const folder = join(root, ".tsop", "check", "findings");
  await rm(folder, { recursive: true, force: true });
  if (findings.length === 0) return [];
  await mkdir(folder, { recursive: true });
  return Promise.all(
    findings.map(async ({ plan, class: name, violation }, index) => {
      const file = join(folder, `${index + 1}-${name}.json`);
      const title = name === plan.faultClass ? `${name}: ${plan.description}` : violation.sentence;
      // That of an upgrade begins with the samples of the older version.
      const steps = needsOlderVersion(plan.faultClass) ? plan.steps.filter(isUserStep) : scenario.steps;
      const simulated = engine.name === "simulation" && { chance };
      const replay: Replay = { title, scenario: { steps }, plan, ...simulated };
      await writeFile(file, `${JSON.stringify(replay, undefined, 1)}\n`);
      return file;
    }),
  );
}

function count(number: number, word: string): string {
  return `${number} ${word}${number === 1 ? "" : "s"}`;
}

function andMore({ length }: readonly unknown[]): string {
  return length > 0 ? ` and ${length} more` : "";
}
