import type { Engine } from "./plans/engine.ts";
import type { FaultClass } from "./plans/plan.ts";
import type { ScenarioSource } from "./prepare-scenario.ts";
import type { OlderVersion } from "./prepare-upgrade.ts";

export interface CheckOptions extends ScenarioSource {
  /** The version that users have, from which they upgrade; without it, no upgrade is checked. */
  readonly older?: OlderVersion | undefined;
  readonly only?: readonly FaultClass[] | undefined;
  /** Ends the check after this many milliseconds. Plans that are left are not run. */
  readonly budgetMs: number;
  /** The number of plans that run at the same time; by default one more than there are processors, five at most. */
  readonly jobs?: number | undefined;
  /** True if the operator is a project: findings in its conversions are then repeated by tests in TypeScript. */
  readonly isProject?: boolean | undefined;
  /** Runs the plans; processes do by default, and if it cannot. */
  readonly engine?: Engine | undefined;
  /** True to run nothing as a process, neither to confirm what a simulation shows nor if it cannot run the operator. */
  readonly isForced?: boolean | undefined;
  /** Chooses the order of the plans. */
  readonly seed: number;
  /** The number of plans to draw, with up to two faults and other delays, after those with one fault. */
  readonly schedules?: number | undefined;
  readonly onProgress?: (progress: Progress) => void;
}

export interface Progress {
  readonly done: number;
  readonly planned: number;
  readonly findings: number;
}
