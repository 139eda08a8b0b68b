import { resolve } from "node:path";
import type { FaultClass } from "../check/plans/plan.ts";
import type { Finding } from "../check/report/finding.ts";
import type { CheckResult } from "../check/run-check.ts";
import { TsopError } from "../errors/tsop-error.ts";
import { realDisk } from "../files/real-disk.ts";
import type { CheckedSource } from "../local/checked-operator.ts";
import type { OlderSource } from "../local/older-version.ts";

/** Options of `checkOperator`. Without `exec`, it checks the operator of a project. */
export interface CheckOperatorOptions extends CheckedSource {
  /** The folder of the project, to which paths are relative; the working folder by default. */
  readonly folder?: string;
  /** The version from which users upgrade; without it, no upgrade is checked. */
  readonly upgradeFrom?: OlderSource;
  /** A file that `tsop check` has written for a finding: only its run is repeated, with its own objects. */
  readonly replay?: string;
  /** A file with the steps; by default they are derived from the samples. */
  readonly scenario?: string;
  /** The classes of faults to try; all by default. */
  readonly only?: readonly FaultClass[];
  /** The number of runs with two faults and other delays, after those with one; 100 by default. */
  readonly schedules?: number;
  /** Milliseconds after which no further run is started; five minutes by default. */
  readonly budgetMs?: number;
  /** The number of runs at the same time; by default one more than there are processors, five at most. */
  readonly jobs?: number;
  /**
   * How the operator runs: in a simulation, which takes seconds, or as processes; by default, in a simulation if the
   * operator allows it.
   */
  readonly engine?: "auto" | "simulation" | "processes";
  /** The order of the runs, and all that chance decides in a simulation. */
  readonly seed?: number;
  readonly signal?: AbortSignal;
}

/** The result of `checkOperator` and `checkConversion`. */
export interface CheckedResult {
  readonly findings: readonly Finding[];
  /** The findings as `tsop check` prints them; empty without one. */
  readonly report: string;
  /** The number of runs with faults, or of objects that were converted. */
  readonly runs: number;
}

/**
 * Runs an operator against fresh servers with faults, as `tsop check` does. Throws if no run says anything about the
 * operator, so that a test that has lost its occasion does not pass.
 *
 * @example
 *   const { report } = await checkOperator({ replay: "test/findings/1-crash.json" });
 *   if (report !== "") throw new Error(report);
 */
export async function checkOperator(options: CheckOperatorOptions = {}): Promise<CheckedResult> {
  const {
    folder = process.cwd(),
    only,
    jobs,
    schedules,
    budgetMs = 300_000,
    seed = 1,
    signal = neverAborted(),
  } = options;
  const {
    openCheckedOperator,
    openEngine,
    openOlderVersion,
    formatFinding,
    objectsOf,
    parseReplay,
    refuseNothingJudged,
    runCheck,
    parseScenario,
  } = await loadCheck();
  const disk = realDisk();
  const read = async (file: string): Promise<string> => {
    const text = await disk.read(resolve(folder, file));
    if (text !== undefined) return text;
    throw new TsopError("TSOP_CHECK_FILE_INVALID", { file, reason: "it does not exist", fix: "check the path" });
  };
  const replay = options.replay === undefined ? undefined : parseReplay(await read(options.replay), options.replay);
  const own =
    options.scenario === undefined
      ? undefined
      : await parseScenario(await read(options.scenario), resolve(folder, options.scenario));
  const source = { ...options, objects: replay && objectsOf(replay) };
  const opened = await openCheckedOperator({ cwd: folder, env: process.env, disk }, source);
  const { root, subject, samples } = opened;
  const older =
    options.upgradeFrom &&
    (await openOlderVersion({ cwd: folder, env: process.env, disk, root, signal }, options.upgradeFrom, source));
  const scenario = replay?.scenario ?? own;
  const plans = replay && [replay.plan];
  const { engine: wanted = "auto" } = options;
  const operators = [opened, ...opened.neighbours, ...(older ? [older] : [])];
  const { engine, isForced } = await openEngine(wanted, operators, replay?.chance ?? { seed, epoch: Date.now() });
  const check = {
    subject,
    samples,
    older,
    isProject: options.exec === undefined,
    engine,
    isForced,
    scenario,
    plans,
    only,
    budgetMs,
    jobs,
    seed,
    schedules,
    signal,
  };
  let result: CheckResult;
  try {
    result = await runCheck(check);
  } finally {
    await engine?.close();
    await older?.close();
  }
  signal.throwIfAborted();
  const { findings, done } = result;
  refuseNothingJudged(result);
  const report = findings.map((finding, index) => formatFinding(finding, index + 1, undefined)).join("\n");
  return { findings, report, runs: done };
}

/** Loads the check when it is used: most tests start a TestEnvironment only. */
async function loadCheck() {
  const [opening, simulating, openingOlder, formatting, replaying, refusing, running, scenario] = await Promise.all([
    import("../local/checked-operator.ts"),
    import("../local/open-simulation.ts"),
    import("../local/older-version.ts"),
    import("../check/report/format-text.ts"),
    import("../check/report/replay.ts"),
    import("../check/report/nothing-judged.ts"),
    import("../check/run-check.ts"),
    import("../check/scenario/load-scenario.ts"),
  ]);
  return {
    ...opening,
    ...simulating,
    ...openingOlder,
    ...formatting,
    ...replaying,
    ...refusing,
    ...running,
    ...scenario,
  };
}

function neverAborted(): AbortSignal {
  return new AbortController().signal;
}
