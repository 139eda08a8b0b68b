import { TsopError } from "../errors/tsop-error.ts";
import { planPatience } from "./patience.ts";
import { contradiction, Obstacle, processEngine, type Engine } from "./plans/engine.ts";
import { expectationOf } from "./plans/expectation.ts";
import type { Plan } from "./plans/plan.ts";
import type { RunOptions } from "./plans/run-plan.ts";
import type { Mask } from "./world/object-state.ts";
import type { RunRecord } from "./world/run-record.ts";

/** The engine that a check begins with, or processes once that one turns out to be unfit. */
export class ChosenEngine implements Pick<Engine, "name" | "run"> {
  /** Why processes run the plans, although the check began with another engine. */
  why: string | undefined;
  private engine: Engine;
  private readonly isForced: boolean;

  /** With `isForced`, the engine is not replaced: an obstacle is an error. */
  constructor(engine: Engine = processEngine, isForced = false) {
    this.engine = engine;
    this.isForced = isForced;
  }

  get name(): Engine["name"] {
    return this.engine.name;
  }

  async run(plan: Plan, options: RunOptions): Promise<RunRecord> {
    const { engine } = this;
    try {
      const record = await engine.run(plan, options);
      if (engine === this.engine) return record;
      // Another run has met an obstacle meanwhile: records of two engines are not compared.
    } catch (error) {
      if (!(error instanceof Obstacle)) throw error;
      if (this.isForced) throw new TsopError("TSOP_CHECK_NOT_SIMULATED", { why: error.message });
      this.useProcesses(error.message);
    }
    return processEngine.run(plan, options);
  }

  /**
   * Compares a run without faults with one of a process, unless the engine is forced. Returns false if they differ: from
   * now on, processes run.
   */
  async confirm(plan: Plan, simulated: RunRecord, mask: Mask, options: Omit<RunOptions, "patience">): Promise<boolean> {
    if (this.isForced || this.name === "processes") return true;
    const expectation = expectationOf(simulated, mask);
    const expecting = { ...plan, steps: plan.steps.map((step) => ({ ...step, reaches: step.name })) };
    const real = await processEngine.run(expecting, { ...options, patience: planPatience, expectation });
    const why = contradiction(simulated, real);
    if (why !== undefined) this.useProcesses(why);
    return why === undefined;
  }

  private useProcesses(why: string): void {
    this.engine = processEngine;
    this.why ??= why;
  }
}
