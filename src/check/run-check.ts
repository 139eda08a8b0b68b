import { availableParallelism } from "node:os";
import type { UseRecord } from "../apiserver/audit/use-log.ts";
import { TsopError } from "../errors/tsop-error.ts";
import { hasStruck, missesDeletion } from "./oracles/has-struck.ts";
import { hasFailed, isAdopted, isOfGroups, stateAfterChange, unadopted } from "./oracles/judge-adoption.ts";
import { judgeRun } from "./oracles/judge-run.ts";
import { outdatedCopies } from "./oracles/judge-status.ts";
import { restartsOfPods } from "./oracles/judge-upgrade.ts";
import { whyUnjudged } from "./oracles/why-unjudged.ts";
import { causeOf, type Violation } from "./oracles/violation.ts";
import { adoptionPatience, fullPatience, patienceFor, planPatience, schedulePatience } from "./patience.ts";
import { clockPlans, type ClockPlans } from "./plans/clock-plans.ts";
import { explorationPlans } from "./plans/exploration-plans.ts";
import { interleave } from "./plans/interleave.ts";
import { makePlans, referencePlan } from "./plans/make-plans.ts";
import { isUserStep, type FaultClass, type Plan } from "./plans/plan.ts";
import { checkWebhooks, isAboutConversions, notConverted, type Report } from "./check-webhooks.ts";
import { prepareScenario, type PreparedScenario } from "./prepare-scenario.ts";
import type { CheckOptions } from "./check-options.ts";
import { processEngine, type Engine } from "./plans/engine.ts";
import { References } from "./references.ts";
import { Findings, type Finding } from "./report/finding.ts";
import type { Scenario } from "./scenario/scenario.ts";
import { ScheduleSearch } from "./schedule-search.ts";
import type { ObjectState } from "./world/object-state.ts";
import type { RunRecord } from "./world/run-record.ts";
import type { Patience } from "./world/rest.ts";

/** The number of plans that a check draws. */
export const defaultSchedules = 100;

export interface CheckResult {
  readonly findings: readonly Finding[];
  readonly done: number;
  readonly planned: number;
  /** Plans whose fault had no occasion; they are not among those that are done. */
  readonly idle: readonly Plan[];
  /** The objects that were converted by the operator's webhooks. */
  readonly converted: number;
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
  /** What the operator asked for, for its role. */
  readonly used: UseRecord;
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
/** The part of the budget after which no more objects are converted, if there are runs with faults. */
const conversionShare = 0.2;
/** The runs of a plan after which its fault is believed to have no occasion: each has other delays, and other writes. */
const mostRunsToFault = 10;
/** The findings of schedules after which no more are drawn: further ones may have the same cause. */
const enoughFound = 3;

/** Runs the operator without and with faults, and reports the rules that it breaks. */
export async function runCheck(options: CheckOptions): Promise<CheckResult> {
  const isConversion = isAboutConversions(options) === "alone";
  const prepared = isConversion ? nothingPrepared : unlessInterrupted(options, prepareScenario(options));
  const check = new Check(options, await prepared);
  try {
    await check.runConversions();
    if (isConversion) return check.result;
    await check.references.make();
    await check.runPlans(check.choosePlans());
    await check.runSchedules();
  } catch (error) {
    // The findings so far are reported.
    if (!options.signal.aborted) throw error;
  }
  return check.result;
}

/** A check of conversions alone has no steps. */
const nothingPrepared: PreparedScenario = { scenario: { steps: [] }, explored: [] };

/** Returns the plans that a check would run. */
export async function listPlans(options: CheckOptions): Promise<readonly Plan[]> {
  if (isAboutConversions(options) === "alone") return [];
  const check = new Check(options, await unlessInterrupted(options, prepareScenario(options)));
  await unlessInterrupted(options, check.references.make());
  return check.choosePlans();
}

/** Waits for a step without which there is nothing to report. */
async function unlessInterrupted<T>({ signal }: Pick<CheckOptions, "signal">, work: Promise<T>): Promise<T> {
  return work.catch((cause: unknown) => {
    throw signal.aborted ? new TsopError("TSOP_CHECK_INTERRUPTED", {}, { cause }) : cause;
  });
}

class Check {
  readonly references: References;
  private readonly options: CheckOptions;
  private readonly scenario: Scenario;
  private readonly explored: PreparedScenario["explored"];
  private readonly findings = new Findings();
  private readonly notes: Note[] = [];
  private readonly known = new Set<string>();
  private readonly judged = new Set<Plan["faultClass"]>();
  private readonly started = performance.now();
  private readonly jobs: number;
  private restarts: readonly string[] = [];
  private done = 0;
  private planned = 0;
  private readonly idle: Plan[] = [];
  private converted = 0;

  constructor(options: CheckOptions, { scenario, explored }: PreparedScenario) {
    const { jobs = defaultJobs } = options;
    this.options = options;
    this.scenario = scenario;
    this.explored = explored;
    this.jobs = jobs;
    const report = (plan: Plan, violation: Violation): void => {
      if (plan.faultClass === "reference" && !this.learn(violation)) return;
      this.findings.add(plan, violation);
    };
    this.references = new References(options, { scenario, jobs, report });
  }

  get result(): CheckResult {
    const { done, planned, idle, scenario, notes, restarts, references } = this;
    const usualRun = references.usual?.run;
    // Conversions need no engine: the operator that serves them is a process.
    const { name, why } = usualRun ? references.engine : { name: processEngine.name, why: undefined };
    return {
      findings: this.findings.all,
      done,
      planned,
      idle,
      converted: this.converted,
      milliseconds: Math.round(performance.now() - this.started),
      scenario,
      notes,
      restarts,
      interrupted: this.options.signal.aborted,
      engine: { name, ...(why !== undefined && { why }) },
      judged: [...this.judged],
      isIdle: usualRun?.requests.every(({ by, changes }) => by !== "operator" || changes.length === 0) ?? false,
      unsupported: usualRun?.unsupported ?? [],
      waiting: usualRun?.waiting ?? [],
      used: references.used,
    };
  }

  /** Returns the plans in the order in which they are run; none if the operator does not even end its usual work. */
  choosePlans(): readonly Plan[] {
    const { only, plans, seed } = this.options;
    if (this.isRestless) return [];
    const explored = explorationPlans(this.scenario, this.explored);
    const { usual, upgrade } = this.references;
    const all = plans ?? [...makePlans(this.scenario, usual.run, explored), ...(upgrade?.plans ?? [])];
    const wanted = all.filter(({ faultClass }) => !only || only.includes(faultClass as FaultClass));
    return interleave(wanted, seed);
  }

  /** True if the operator does not come to rest without a fault, or does so by chance: all plans would show the same. */
  private get isRestless(): boolean {
    const isFound = this.findings.all.some(({ violation }) => violation.oracle === "restless");
    return isFound || this.references.usual.run.steps.some(({ quiet }) => !quiet);
  }

  /** Runs the plans, as many at a time as there are jobs, until the budget is used up. */
  async runPlans(plans: readonly Plan[]): Promise<void> {
    this.planned = plans.length;
    const queue = [...plans];
    await this.work(async () => {
      const plan = queue.shift();
      if (plan) await this.tryPlan(plan);
      return plan !== undefined;
    });
  }

  /** Converts objects by the webhooks of the operator. */
  async runConversions(): Promise<void> {
    const { only, plans } = this.options;
    if (!isAboutConversions(this.options)) return;
    const report: Report = (...found) => this.findings.add(...found);
    const share = isAboutConversions(this.options) === "alone" ? 1 : conversionShare;
    this.converted = await checkWebhooks(this.options, () => this.isOver(share), report);
    if (this.converted > 0) this.judged.add("conversion");
    else if (only ?? plans) this.notes.push(notConverted);
  }

  /** Draws plans until there are as many as wanted, enough is found or the budget is used up. */
  async runSchedules(): Promise<void> {
    const { schedules = defaultSchedules, plans, only, seed } = this.options;
    const { engine, usual } = this.references;
    const isWanted = !plans && (!only || only.includes("schedule"));
    if (!isWanted || schedules === 0 || engine.name !== "simulation" || this.isRestless) return;
    const search = new ScheduleSearch({
      seed,
      scenario: this.scenario,
      reference: usual.run,
      singles: makePlans(this.scenario, usual.run, []),
      violationsOf: (plan) => this.violationsOf(plan),
    });
    this.planned += schedules;
    for (const plans of clockPlans(this.scenario, seed)) await this.changeClocks(plans);
    let [number, found] = [0, 0];
    await this.work(async () => {
      if (number === schedules || found === enoughFound) return false;
      const plan = search.draw(++number);
      const [violation] = await this.violationsOf(plan);
      const shown = violation && (await search.shrink({ plan, violation }));
      // Another plan with the same cause may have been shrunk meanwhile.
      if (shown && this.learn(shown.violation)) {
        this.findings.add(shown.plan, shown.violation);
        found++;
      }
      this.judged.add("schedule");
      this.countPlan();
      return true;
    });
  }

  /** Judges a run in which clocks are changed, if the state does not depend on the date. */
  private async changeClocks({ plan, ordinary }: ClockPlans): Promise<void> {
    if (this.isOver() || (await this.violationsOf(ordinary)).length > 0) return;
    for (const violation of await this.violationsOf(plan)) this.findings.add(plan, violation);
  }

  /** Repeats some work, as often at the same time as there are jobs, until it returns false or the budget is used up. */
  private async work(next: () => Promise<boolean>): Promise<void> {
    const job = async (): Promise<void> => {
      while (!this.isOver() && (await next()));
    };
    await Promise.all(Array.from({ length: this.jobs }, job));
  }

  /** Reports whether a share of the budget is used up. */
  private isOver(share = 1): boolean {
    const { budgetMs, signal } = this.options;
    return performance.now() > this.started + budgetMs * share || signal.aborted;
  }

  private countPlan(): void {
    this.done++;
    this.options.onProgress?.({ done: this.done, planned: this.planned, findings: this.findings.all.length });
  }

  private async tryPlan(plan: Plan): Promise<void> {
    try {
      const { expectation } = await this.references.basisOf(plan);
      const record = await this.runToFault(plan, planPatience);
      if (plan.faultClass === "upgrade") this.restarts = restartsOfPods(record);
      const isStruck = hasStruck(plan, record);
      if (isStruck && (await this.judge(plan, record))) {
        await this.judgeAdoption(plan, record);
        await this.judgeCopies(plan, record);
      }
      const why = whyUnjudged(plan, record, expectation);
      if (why !== undefined) this.notes.push({ plan, why });
      else if (isStruck) this.judged.add(plan.faultClass);
      else this.idle.push(plan);
    } catch (error) {
      // A step that the server refuses, or a machine that is too busy, must not end the other plans.
      if (this.options.signal.aborted) throw error;
      this.notes.push({ plan, why: (error as Error).message });
    }
    this.countPlan();
  }

  /** Runs a plan; in a simulation, with other delays if its fault had no occasion. */
  private async runToFault(plan: Plan, patience: Patience): Promise<RunRecord> {
    const { references } = this;
    const { expectation } = await references.basisOf(plan);
    const run = (): Promise<RunRecord> => references.run(plan, patienceFor(plan, patience), expectation);
    let record = await run();
    const isLeftToChance = references.engine.name === "simulation" && !plan.schedule;
    const mostRuns = isLeftToChance ? mostRunsToFault : 1;
    for (let runs = 1; runs < mostRuns && !hasStruck(plan, record); runs++) record = await run();
    return record;
  }

  /**
   * Judges a run, and returns true if it is right. A violation counts if it happens again in a second run, or is known
   * from another one of the class.
   */
  private async judge(plan: Plan, record: RunRecord): Promise<boolean> {
    const found = await this.violationsIn(plan, record);
    if (found.length === 0) return true;
    const confirmed = new Set(
      this.findings.all
        .filter((finding) => [finding.class, ...finding.also].includes(plan.faultClass))
        .map(({ violation }) => causeOf(violation)),
    );
    if (!found.every((violation) => confirmed.has(causeOf(violation)))) {
      const again = await this.runToFault(plan, fullPatience);
      // Without the fault, nothing leads to the state that is expected.
      if (hasStruck(plan, again))
        for (const violation of await this.violationsIn(plan, again)) confirmed.add(causeOf(violation));
    }
    for (const violation of found) if (confirmed.has(causeOf(violation))) this.findings.add(plan, violation);
    return false;
  }

  /** Compares the state after a change with the state of an object that is created with the change. */
  private async judgeAdoption(plan: Plan, record: RunRecord): Promise<void> {
    const { born, steps } = plan;
    const { states, mask } = this.references.usual.expectation;
    const usual = states.get(steps[0]?.reaches ?? "");
    const changed = stateAfterChange(record);
    if (!born || !usual || !changed || record.unreached.size > 0) return;
    const isCustom = isOfGroups(this.options.subject.crds);
    if (isAdopted({ plan, usual, changed, isCustom }, mask) && !plan.turnsOff) return;
    const other: Plan = { ...referencePlan({ steps: [born] }), id: `${plan.id}:born` };
    const creation = await this.references.run(other, adoptionPatience);
    // With a value that the operator cannot use, it creates less.
    if (hasFailed(creation, this.references.usual.run)) return;
    const [state] = creation.steps;
    const judgeWith = (after: ObjectState): Violation[] =>
      state?.quiet ? unadopted({ plan, usual, changed: after, isCustom }, state.state, mask) : [];
    if (judgeWith(changed).length === 0) return;
    const again = stateAfterChange(await this.references.run(plan, adoptionPatience));
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
    for (const violation of judgeWith(await this.references.run(plan, adoptionPatience)))
      this.findings.add(plan, violation);
  }

  /** Runs a plan that chance has decided, and judges it; the same plan leads to the same run. */
  private async violationsOf(plan: Plan): Promise<Violation[]> {
    const { expectation } = await this.references.basisOf(plan);
    const record = await this.references.run(plan, schedulePatience, expectation);
    return missesDeletion(plan, record) ? [] : this.violationsIn(plan, record);
  }

  private async violationsIn(plan: Plan, record: RunRecord): Promise<Violation[]> {
    const { run, expectation } = await this.references.basisOf(plan);
    const all = judgeRun({ plan, record }, run, expectation);
    // Plans that are drawn look for what the others have not found.
    const found = plan.schedule ? this.findings.all.map(({ violation }) => causeOf(violation)) : [];
    return all.filter((violation) => !this.known.has(causeOf(violation)) && !found.includes(causeOf(violation)));
  }

  /** Notes a cause that further runs need not report. Returns false if it is known. */
  private learn(violation: Violation): boolean {
    const cause = causeOf(violation);
    const isNew = !this.known.has(cause);
    this.known.add(cause);
    return isNew;
  }
}
