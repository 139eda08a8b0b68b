import { availableParallelism } from "node:os";
import type { UnstructuredObject } from "../apimachinery/meta.ts";
import { TsopError } from "../errors/tsop-error.ts";
import { hasFailed, isAdopted, unadopted } from "./oracles/judge-adoption.ts";
import { judgeReference, outdatedFields, unreverted } from "./oracles/judge-reference.ts";
import { judgeRun } from "./oracles/judge-run.ts";
import { outdatedCopies } from "./oracles/judge-status.ts";
import { restartsOfPods } from "./oracles/judge-upgrade.ts";
import { whyUnjudged } from "./oracles/why-unjudged.ts";
import { causeOf, type Violation } from "./oracles/violation.ts";
import { adoptionPatience, fullPatience, patienceAfter, planPatience, referencePatience } from "./patience.ts";
import { expectationOf, type Basis, type Expectation } from "./plans/expectation.ts";
import { explorationPlans } from "./plans/exploration-plans.ts";
import { interleave } from "./plans/interleave.ts";
import { makePlans, referencePlan } from "./plans/make-plans.ts";
import { isUserStep, type FaultClass, type Plan } from "./plans/plan.ts";
import { prepareScenario, type PreparedScenario, type ScenarioSource } from "./prepare-scenario.ts";
import { ChosenEngine } from "./chosen-engine.ts";
import type { Engine } from "./plans/engine.ts";
import { needsOlderVersion } from "./plans/upgrade-plans.ts";
import { prepareUpgrade, type OlderVersion, type PreparedUpgrade } from "./prepare-upgrade.ts";
import { Findings, type Finding } from "./report/finding.ts";
import type { Scenario } from "./scenario/scenario.ts";
import { diffStates, maskOf, type Difference, type ObjectState } from "./world/object-state.ts";
import type { RunRecord } from "./world/run-record.ts";
import type { Patience } from "./world/world.ts";

export interface CheckOptions extends ScenarioSource {
  /** The version that users have, from which they upgrade; without it, no upgrade is checked. */
  readonly older?: OlderVersion | undefined;
  readonly only?: readonly FaultClass[] | undefined;
  /** Ends the check after this many milliseconds. Plans that are left are not run. */
  readonly budgetMs: number;
  /** The number of plans that run at the same time; by default one more than there are processors, five at most. */
  readonly jobs?: number | undefined;
  /** Runs the plans; processes do by default, and if it cannot. */
  readonly engine?: Engine | undefined;
  /** True to run nothing as a process, neither to confirm what a simulation shows nor if it cannot run the operator. */
  readonly isForced?: boolean | undefined;
  /** Chooses the order of the plans. */
  readonly seed: number;
  readonly onProgress?: (progress: Progress) => void;
}

export interface Progress {
  readonly done: number;
  readonly planned: number;
  readonly findings: number;
}

export interface CheckResult {
  readonly findings: readonly Finding[];
  readonly done: number;
  readonly planned: number;
  /** Plans whose fault had no occasion. */
  readonly idle: number;
  readonly milliseconds: number;
  readonly scenario: Scenario;
  /** The classes of the runs that were judged. */
  readonly judged: readonly Plan["faultClass"][];
  /** True if the operator has changed nothing in the run without faults: there is little that could go wrong. */
  readonly isIdle: boolean;
  /** Requests of the operator that the server does not support: findings may follow from that. */
  readonly unsupported: readonly string[];
  /** The pods that wait, without a fault, for an object that does not exist, with its name. */
  readonly waiting: readonly string[];
  /** Plans that say nothing about the operator, with the reason. */
  readonly notes: readonly Note[];
  /** The changes by which the upgrade restarts pods. */
  readonly restarts: readonly string[];
  /** What ran the plans, and why the engine of the options did not, if so. */
  readonly engine: { readonly name: Engine["name"]; readonly why?: string | undefined };
  /** True if the signal ended the check: the findings are those until then. */
  readonly interrupted: boolean;
}

/** A plan without a verdict. */
interface Note {
  readonly plan: Plan;
  readonly why: string;
}

/** A run waits for most of its time, so that one more than there are processors keeps them busy. */
const defaultJobs = Math.min(5, availableParallelism() + 1);
/** Runs the operator without and with faults, and reports the rules that it breaks. */
export async function runCheck(options: CheckOptions): Promise<CheckResult> {
  const check = new Check(options, await unlessInterrupted(options, prepareScenario(options)));
  try {
    await check.prepare();
    await check.runPlans(check.choosePlans());
  } catch (error) {
    // The findings so far are reported.
    if (!options.signal.aborted) throw error;
  }
  return check.result;
}

/** Returns the plans that a check would run. */
export async function listPlans(options: CheckOptions): Promise<readonly Plan[]> {
  const check = new Check(options, await unlessInterrupted(options, prepareScenario(options)));
  await unlessInterrupted(options, check.prepare());
  return check.choosePlans();
}

/** Waits for a step without which there is nothing to report. */
async function unlessInterrupted<T>({ signal }: Pick<CheckOptions, "signal">, work: Promise<T>): Promise<T> {
  return work.catch((cause: unknown) => {
    throw signal.aborted ? new TsopError("TSOP_CHECK_INTERRUPTED", {}, { cause }) : cause;
  });
}

class Check {
  private readonly options: CheckOptions;
  private readonly scenario: Scenario;
  private readonly explored: PreparedScenario["explored"];
  private readonly findings = new Findings();
  private readonly notes: Note[] = [];
  private readonly known = new Set<string>();
  private readonly judged = new Set<Plan["faultClass"]>();
  private readonly started = performance.now();
  private usual!: Basis & { readonly engine: Engine["name"] };
  private upgrade: PreparedUpgrade | undefined;
  private restarts: readonly string[] = [];
  private done = 0;
  private planned = 0;
  private idle = 0;
  private slowestMs = 0;
  private readonly engine: ChosenEngine;
  /** The reference runs of the engine that has taken over while plans were run. */
  private renewal: Promise<void> | undefined;

  constructor(options: CheckOptions, { scenario, explored }: PreparedScenario) {
    this.options = options;
    this.scenario = scenario;
    this.explored = explored;
    this.engine = new ChosenEngine(options.engine, options.isForced);
  }

  get result(): CheckResult {
    const { done, planned, idle, scenario, notes, restarts } = this;
    const usualRun = this.usual?.run;
    const milliseconds = Math.round(performance.now() - this.started);
    const interrupted = this.options.signal.aborted;
    return {
      findings: this.findings.all,
      done,
      planned,
      idle,
      milliseconds,
      scenario,
      notes,
      restarts,
      interrupted,
      engine: { name: this.engine.name, ...(this.engine.why !== undefined && { why: this.engine.why }) },
      judged: [...this.judged],
      isIdle: usualRun?.requests.every(({ by, changes }) => by !== "operator" || changes.length === 0) ?? false,
      unsupported: usualRun?.unsupported ?? [],
      waiting: usualRun?.waiting ?? [],
    };
  }

  /** Makes the runs without a fault. */
  async prepare(): Promise<void> {
    // An upgrade is prepared by the engine that the reference runs have confirmed.
    if (this.jobs === 1 || this.engine.name === "simulation") {
      await this.reference();
      return this.prepareUpgrade();
    }
    const [reference, upgrade] = await Promise.allSettled([this.reference(), this.prepareUpgrade()]);
    for (const result of [reference, upgrade]) if (result.status === "rejected") throw result.reason;
  }

  /** Runs the scenario twice without a fault: the differences between the two runs are not compared. */
  private async reference(): Promise<void> {
    const plan = referencePlan(this.scenario);
    const { name } = this.engine;
    const run = (): Promise<RunRecord> => this.runOnce(plan, referencePatience);
    const [first, second] = this.jobs > 1 ? await Promise.all([run(), run()]) : [await run(), await run()];
    // Reports a status that is outdated without a fault once, rather than with each plan.
    const differences = [...differencesOf(first, second), ...outdatedFields(first)];
    const mask = maskOf(differences);
    // What is left of a change that is taken back is a finding, too; plans that take a change back do not repeat it.
    const traces = unreverted(this.scenario, first, mask).filter(({ path }) => path !== "");
    const maskOfReturn = maskOf([...differences, ...traces]);
    const { subject, signal } = this.options;
    if (this.engine.name !== name || !(await this.engine.confirm(plan, first, mask, { subject, signal })))
      return this.reference();
    this.usual = { engine: name, run: first, expectation: { ...expectationOf(first, mask), maskOfReturn } };
    for (const violation of judgeReference(this.scenario, first, mask)) {
      this.known.add(causeOf(violation));
      this.findings.add(plan, violation);
    }
  }

  /** Makes the runs without a fault again, with the engine that has taken over. */
  private async renew(): Promise<void> {
    await this.reference();
    await this.prepareUpgrade();
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
    for (const violation of this.upgrade.violations) this.findings.add(this.upgrade.plans[0]!, violation);
  }

  /** Returns the plans in the order in which they are run; none if the operator does not even end its usual work. */
  choosePlans(): readonly Plan[] {
    const { only, plans, seed } = this.options;
    // An operator that comes to rest by chance shows the same in each plan.
    const isRestless = this.findings.all.some(({ violation }) => violation.oracle === "restless");
    if (isRestless || this.usual.run.steps.some(({ quiet }) => !quiet)) return [];
    const explored = explorationPlans(this.scenario, this.explored);
    const all = plans ?? [...makePlans(this.scenario, this.usual.run, explored), ...(this.upgrade?.plans ?? [])];
    const wanted = all.filter(({ faultClass }) => !only || only.includes(faultClass as FaultClass));
    return interleave(wanted, seed);
  }

  /** Runs the plans, as many at a time as there are jobs, until the budget is used up. */
  async runPlans(plans: readonly Plan[]): Promise<void> {
    const { budgetMs, signal } = this.options;
    this.planned = plans.length;
    const queue = [...plans];
    const worker = async (): Promise<void> => {
      for (let plan = queue.shift(); plan; plan = queue.shift()) {
        if (performance.now() > this.started + budgetMs || signal.aborted) return;
        await this.tryPlan(plan);
      }
    };
    await Promise.all(Array.from({ length: this.jobs }, worker));
  }

  private async tryPlan(plan: Plan): Promise<void> {
    try {
      const { expectation } = this.basisOf(plan);
      const record = await this.run(plan, planPatience, expectation);
      if (plan.faultClass === "upgrade") this.restarts = restartsOfPods(record);
      const isStruck = !plan.fault || record.struck;
      if (isStruck && (await this.judge(plan, record))) {
        await this.judgeAdoption(plan, record);
        await this.judgeCopies(plan, record);
      }
      const why = whyUnjudged(plan, record, expectation);
      if (why !== undefined) this.notes.push({ plan, why });
      else if (isStruck) this.judged.add(plan.faultClass);
      else this.idle++;
    } catch (error) {
      // A step that the server refuses, or a machine that is too busy, must not end the other plans.
      if (this.options.signal.aborted) throw error;
      this.notes.push({ plan, why: (error as Error).message });
    }
    this.done++;
    this.options.onProgress?.({ done: this.done, planned: this.planned, findings: this.findings.all.length });
  }

  /**
   * Judges a run, and returns true if it is right. A violation counts if it happens again in a second run, or is known
   * from another one of the class.
   */
  private async judge(plan: Plan, record: RunRecord): Promise<boolean> {
    const found = this.violationsOf(plan, record);
    if (found.length === 0) return true;
    const confirmed = new Set(
      this.findings.all
        .filter((finding) => [finding.class, ...finding.also].includes(plan.faultClass))
        .map(({ violation }) => causeOf(violation)),
    );
    if (!found.every((violation) => confirmed.has(causeOf(violation)))) {
      const { expectation } = this.basisOf(plan);
      const again = await this.run(plan, fullPatience, expectation);
      // Without the fault, nothing leads to the state that is expected.
      if (!plan.fault || again.struck)
        for (const violation of this.violationsOf(plan, again)) confirmed.add(causeOf(violation));
    }
    for (const violation of found) if (confirmed.has(causeOf(violation))) this.findings.add(plan, violation);
    return false;
  }

  /** Compares the state after a change with the state of an object that is created with the change. */
  private async judgeAdoption(plan: Plan, record: RunRecord): Promise<void> {
    const { born, steps } = plan;
    const { states, mask } = this.usual.expectation;
    const usual = states.get(steps[0]?.reaches ?? "");
    const changed = stateAfterChange(record);
    if (!born || !usual || !changed || record.unreached.size > 0) return;
    const isCustom = isOfGroups(this.options.subject.crds);
    if (isAdopted({ plan, usual, changed, isCustom }, mask) && !plan.turnsOff) return;
    const other: Plan = { ...referencePlan({ steps: [born] }), id: `${plan.id}:born` };
    const creation = await this.run(other, adoptionPatience);
    // With a value that the operator cannot use, it creates less.
    if (hasFailed(creation, this.usual.run)) return;
    const [state] = creation.steps;
    const judgeWith = (after: ObjectState): Violation[] =>
      state?.quiet ? unadopted({ plan, usual, changed: after, isCustom }, state.state, mask) : [];
    if (judgeWith(changed).length === 0) return;
    const again = stateAfterChange(await this.run(plan, adoptionPatience));
    for (const violation of again ? judgeWith(again) : []) this.findings.add(plan, violation);
  }

  /**
   * Compares a status with the fields that it repeats, again with more patience, as no state shows that it is the last
   * one.
   */
  private async judgeCopies(plan: Plan, record: RunRecord): Promise<void> {
    const judgeWith = (run: RunRecord): Violation[] =>
      outdatedCopies(plan.steps.filter(isUserStep), run).filter((violation) => !this.known.has(causeOf(violation)));
    if (plan.faultClass !== "exploration" || judgeWith(record).length === 0) return;
    for (const violation of judgeWith(await this.run(plan, adoptionPatience))) this.findings.add(plan, violation);
  }

  private violationsOf(plan: Plan, record: RunRecord): Violation[] {
    const { run, expectation } = this.basisOf(plan);
    const all = judgeRun({ plan, record }, run, expectation);
    return all.filter((violation) => !this.known.has(causeOf(violation)));
  }

  /** Returns the run that a plan is held against. */
  private basisOf(plan: Plan): Basis {
    if (!this.upgrade || !needsOlderVersion(plan.faultClass)) return this.usual;
    const { run } = this.upgrade;
    const { mask } = this.usual.expectation;
    return run
      ? { run, expectation: expectationOf(run, mask) }
      : { run: this.usual.run, expectation: { states: new Map(), mask } };
  }

  /** Runs a plan, and makes sure that it is compared with runs of the same engine. */
  private async run(plan: Plan, usual: Patience, expectation?: Expectation): Promise<RunRecord> {
    const record = await this.runOnce(plan, usual, expectation);
    if (this.usual.engine !== this.engine.name) await (this.renewal ??= this.renew());
    return record;
  }

  /** Runs a plan, with more patience if runs have been slow. */
  private async runOnce(plan: Plan, usual: Patience, expectation?: Expectation): Promise<RunRecord> {
    const { subject, older, signal } = this.options;
    const patience = patienceAfter(this.slowestMs, usual);
    const record = await this.engine.run(plan, { subject, older: older?.subject, signal, patience, expectation });
    this.slowestMs = Math.max(this.slowestMs, record.slowestMs);
    return record;
  }

  private get jobs(): number {
    return this.options.jobs ?? defaultJobs;
  }
}

/**
 * Returns the state at the end of the second step, in which a plan of exploration changes a field and no fault occurs.
 */
function stateAfterChange({ steps, breakdowns }: RunRecord): ObjectState | undefined {
  return steps[1]?.quiet && breakdowns.length === 0 ? steps[1].state : undefined;
}

function isOfGroups(crds: readonly UnstructuredObject[]): (id: string) => boolean {
  const groups = crds.map(({ spec }) => (spec as { group: string }).group);
  return (id) => groups.some((group) => id.startsWith(`${group}/`));
}

function differencesOf(first: RunRecord, second: RunRecord): Difference[] {
  return first.steps.flatMap(({ name, state }) => {
    const other = second.steps.find((step) => step.name === name);
    return other ? diffStates(state, other.state) : [];
  });
}
