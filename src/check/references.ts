import { UseLog, type UseRecord } from "../apiserver/audit/use-log.ts";
import { TsopError } from "../errors/tsop-error.ts";
import { ChosenEngine } from "./chosen-engine.ts";
import { judgeReference, outdatedFields, unreverted } from "./oracles/judge-reference.ts";
import type { Violation } from "./oracles/violation.ts";
import { patienceAfter, referencePatience } from "./patience.ts";
import { staysMs } from "./plans/draw-plan.ts";
import type { Engine } from "./plans/engine.ts";
import { expectationOf, type Basis, type Expectation } from "./plans/expectation.ts";
import { referencePlan } from "./plans/make-plans.ts";
import type { Plan } from "./plans/plan.ts";
import { needsOlderVersion } from "./plans/upgrade-plans.ts";
import { prepareUpgrade, type PreparedUpgrade } from "./prepare-upgrade.ts";
import type { CheckOptions } from "./check-options.ts";
import type { Scenario } from "./scenario/scenario.ts";
import { diffStates, maskOf, type Difference } from "./world/object-state.ts";
import type { RunRecord } from "./world/run-record.ts";
import type { Patience } from "./world/rest.ts";

/** Receives what is wrong without a fault. */
type Report = (plan: Plan, violation: Violation) => void;

/** The runs without a fault, which others are held against, and the engine that makes all runs. */
export class References {
  usual!: Basis & { readonly engine: Engine["name"] };
  upgrade: PreparedUpgrade | undefined;
  readonly engine: ChosenEngine;
  private readonly options: CheckOptions;
  private readonly scenario: Scenario;
  private readonly jobs: number;
  private readonly report: Report;
  private readonly uses = new UseLog();
  private runs = 0;
  private slowestMs = 0;
  /** The run in which each step must keep its state. */
  private stable: Promise<Basis> | undefined;
  /** The runs of the engine that has taken over while plans were run. */
  private renewal: Promise<void> | undefined;

  constructor(options: CheckOptions, { scenario, jobs, report }: { scenario: Scenario; jobs: number; report: Report }) {
    this.options = options;
    this.scenario = scenario;
    this.jobs = jobs;
    this.report = report;
    this.engine = new ChosenEngine(options.engine, options.isForced);
  }

  /** What the operator asked for in the runs without another version. */
  get used(): UseRecord {
    return { runs: this.runs, uses: this.uses.all };
  }

  /** Makes the runs of the usual work, and of an upgrade if there is one. */
  async make(): Promise<void> {
    this.stable = undefined;
    // An upgrade is prepared by the engine that the reference runs have confirmed.
    if (this.jobs === 1 || this.engine.name === "simulation") {
      await this.runUsual();
      return this.prepareUpgrade();
    }
    const [usual, upgrade] = await Promise.allSettled([this.runUsual(), this.prepareUpgrade()]);
    for (const result of [usual, upgrade]) if (result.status === "rejected") throw result.reason;
  }

  /** Returns the run that a plan is held against. */
  async basisOf(plan: Plan): Promise<Basis> {
    if (plan.staysMs !== undefined) return (this.stable ??= this.runStable());
    if (!this.upgrade || !needsOlderVersion(plan.faultClass)) return this.usual;
    const { run } = this.upgrade;
    const { mask } = this.usual.expectation;
    return run
      ? { run, expectation: expectationOf(run, mask) }
      : { run: this.usual.run, expectation: { states: new Map(), mask } };
  }

  /** Runs a plan, and makes sure that it is compared with runs of the same engine. */
  async run(plan: Plan, usual: Patience, expectation?: Expectation): Promise<RunRecord> {
    const record = await this.runOnce(plan, usual, expectation);
    if (this.usual.engine !== this.engine.name) await (this.renewal ??= this.make());
    return record;
  }

  /** Runs a plan, with more patience if runs have been slow. */
  private async runOnce(plan: Plan, usual: Patience, expectation?: Expectation): Promise<RunRecord> {
    const { subject, older, signal } = this.options;
    const patience = patienceAfter(this.slowestMs, usual);
    const record = await this.engine.run(plan, { subject, older: older?.subject, signal, patience, expectation });
    this.slowestMs = Math.max(this.slowestMs, record.slowestMs);
    if (!needsOlderVersion(plan.faultClass)) {
      this.runs++;
      for (const use of record.uses) this.uses.add(use);
    }
    return record;
  }

  private async runTwice(plan: Plan): Promise<readonly [RunRecord, RunRecord]> {
    const run = (): Promise<RunRecord> => this.runOnce(plan, referencePatience);
    return this.jobs > 1 ? Promise.all([run(), run()]) : [await run(), await run()];
  }

  /** Runs the scenario twice without a fault: the differences between the two runs are not compared. */
  private async runUsual(): Promise<void> {
    const plan = referencePlan(this.scenario);
    const { name } = this.engine;
    const [first, second] = await this.runTwice(plan);
    // Reports a status that is outdated without a fault once, rather than with each plan.
    const differences = [...differencesOf(first, second), ...outdatedFields(first)];
    const mask = maskOf(differences);
    // What is left of a change that is taken back is a finding, too; plans that take a change back do not repeat it.
    const traces = unreverted(this.scenario, first, mask).filter(({ path }) => path !== "");
    const maskOfReturn = maskOf([...differences, ...traces]);
    const { subject, signal } = this.options;
    if (this.engine.name !== name || !(await this.engine.confirm(plan, first, mask, { subject, signal })))
      return this.runUsual();
    this.usual = { engine: name, run: first, expectation: { ...expectationOf(first, mask), maskOfReturn } };
    for (const violation of judgeReference(this.scenario, first, mask)) this.report(plan, violation);
  }

  /** Runs the scenario twice without a fault; each step must keep its state. */
  private async runStable(): Promise<Basis> {
    const plan: Plan = { ...referencePlan(this.scenario), id: "reference:stays", staysMs };
    const [first, second] = await this.runTwice(plan);
    const mask = maskOf([...this.usual.expectation.mask.differences, ...differencesOf(first, second)]);
    for (const violation of judgeReference(this.scenario, first, mask))
      if (!isOfIntervals(violation)) this.report(plan, violation);
    return { run: first, expectation: expectationOf(first, mask) };
  }

  /** Prepares the upgrade from an older version, if there is one and the check is about it. */
  private async prepareUpgrade(): Promise<void> {
    const { only, plans, older, scenario, subject, signal } = this.options;
    const asked = plans?.map(({ faultClass }) => faultClass) ?? only;
    if (asked && !asked.some(needsOlderVersion)) return;
    if (asked && !older) throw new TsopError("TSOP_CHECK_NO_OLDER_VERSION", {});
    if (!older) return;
    const { engine } = this;
    this.upgrade = await prepareUpgrade({ subject, older, engine, scenario, signal, patience: referencePatience });
    for (const violation of this.upgrade.violations) this.report(this.upgrade.plans[0]!, violation);
  }
}

/** Reports whether a violation counts what may repeat at intervals, and does in a long step. */
function isOfIntervals({ oracle }: Violation): boolean {
  return oracle === "no-op-writes" || oracle === "endless-error";
}

function differencesOf(first: RunRecord, second: RunRecord): Difference[] {
  return first.steps.flatMap(({ name, state }) => {
    const other = second.steps.find((step) => step.name === name);
    return other ? diffStates(state, other.state) : [];
  });
}
