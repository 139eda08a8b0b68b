import type { RunRecord } from "../world/run-record.ts";
import type { Plan } from "./plan.ts";
import { runPlan, type RunOptions } from "./run-plan.ts";

/** Runs plans. */
export interface Engine {
  readonly name: "processes" | "simulation";
  /** Throws an Obstacle if the engine cannot run the operator as it is. */
  run(plan: Plan, options: RunOptions): Promise<RunRecord>;
  close(): Promise<void>;
}

/** What decides all that happens in a simulation. */
export interface Chance {
  readonly seed: number;
  /** The time of day at which a run begins, in milliseconds since 1970. */
  readonly epoch: number;
}

/** The reason why an engine cannot run an operator. */
export class Obstacle extends Error {}

/** Runs each plan with processes of the operator, in real time. */
export const processEngine: Engine = {
  name: "processes",
  run: (plan, options) => runPlan(plan, options),
  close: async () => {},
};

/**
 * Returns why a run by processes, which was to reach the states of a simulation, contradicts it; `undefined` if the two
 * agree.
 */
export function contradiction(simulated: RunRecord, real: RunRecord): string | undefined {
  const unreached = simulated.steps.find(({ name }) => !real.steps.some((step) => step.name === name && step.quiet));
  if (unreached) return `as a process, it ends the step “${unreached.name}” with another state`;
  const [breakdown] = real.breakdowns;
  if (breakdown && simulated.breakdowns.length === 0) return `as a process, it ${breakdown.how}`;
  const [written, shown] = [verbsIn(real), verbsIn(simulated)];
  const missing = [...shown].find((verb) => !written.has(verb));
  if (missing !== undefined) return `as a process, it never sends “${missing}”`;
  const further = [...written].find((verb) => !shown.has(verb));
  return further === undefined ? undefined : `only as a process, it sends “${further}”`;
}

/** Returns the verbs and the kinds of the operator's writes. */
function verbsIn({ requests }: RunRecord): Set<string> {
  const writes = requests.filter(({ by, changes }) => by === "operator" && changes.length > 0);
  return new Set(writes.flatMap(({ verb, changes }) => changes.map(({ id }) => `${verb} ${id.split(" ")[0]}`)));
}
