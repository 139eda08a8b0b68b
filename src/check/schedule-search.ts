import { causeOf, type Violation } from "./oracles/violation.ts";
import { PlanDrawer, type Drawn } from "./plans/draw-plan.ts";
import { hasFault, isUsual, usualTimes, type Plan, type Schedule } from "./plans/plan.ts";

export interface SearchOptions extends Drawn {
  readonly seed: number;
  /** Runs a plan, and returns what is wrong and not known yet. */
  readonly violationsOf: (plan: Plan) => Promise<readonly Violation[]>;
}

/** A violation, and a plan that shows it. */
export interface Shown {
  readonly plan: Plan;
  readonly violation: Violation;
}

/** Searches plans with two faults, and with other delays than usual, for violations that single faults do not show. */
export class ScheduleSearch {
  private readonly options: SearchOptions;
  private readonly drawer: PlanDrawer;

  constructor(options: SearchOptions) {
    this.options = options;
    this.drawer = new PlanDrawer(options);
  }

  draw(number: number): Plan {
    return this.drawer.draw(number, this.options.seed);
  }

  /**
   * Looks for the fewest faults, the most usual delays and the fewest steps with which a violation still shows. All runs
   * have the seed of the first one.
   */
  async shrink(shown: Shown): Promise<Shown> {
    const fewest = await this.shrinkBy(shown, (plan) => this.withFewerFaults(plan));
    return this.shrinkBy(fewest, withFewerSteps, (plan) => this.isRightWithoutFaults(plan, fewest));
  }

  private async shrinkBy(
    shown: Shown,
    smallerThan: (plan: Plan) => readonly Plan[],
    isFair: (plan: Plan) => Promise<boolean> = async () => true,
  ): Promise<Shown> {
    let smallest = shown;
    for (let candidates = [...smallerThan(shown.plan)]; candidates.length > 0;) {
      const plan = candidates.shift()!;
      const violation = await this.find(plan, shown);
      if (!violation || !(await isFair(plan))) continue;
      smallest = { plan, violation };
      candidates = [...smallerThan(plan)];
    }
    return smallest;
  }

  /** Returns the violation of a plan that has the cause of another one. */
  private async find(plan: Plan, { violation }: Shown): Promise<Violation | undefined> {
    const violations = await this.options.violationsOf(plan);
    return violations.find((each) => causeOf(each) === causeOf(violation));
  }

  /** Without a step, a plan may reach other states than the reference even if nothing goes wrong. */
  private async isRightWithoutFaults(plan: Plan, shown: Shown): Promise<boolean> {
    const calm = { ...plan, faults: undefined, schedule: usual(plan.schedule!) };
    return (await this.find(calm, shown)) === undefined;
  }

  private withFewerFaults(whole: Plan): Plan[] {
    const { id, faults = [], schedule: times, steps } = whole;
    if (!times) return [];
    const plan = (fewer: Plan["faults"], schedule: Schedule): Plan => {
      const made = this.drawer.plan(id, fewer ?? [], schedule);
      // The steps of an early deletion do not fit without it.
      return hasFault(whole, "deletion") ? made : { ...made, steps };
    };
    const without = faults.map((fault) => faults.filter((other) => other !== fault));
    // Nothing is wrong without a fault and without delays.
    if (isUsual(times)) return without.filter(({ length }) => length > 0).map((fewer) => plan(fewer, times));
    const calmer = (["computingMs", "lateMs", "delayMs"] as const).filter((name) => times[name] !== usualTimes[name]);
    return [
      plan(faults, usual(times)),
      ...without.map((fewer) => plan(fewer, times)),
      ...(calmer.length > 1 ? calmer.map((name) => plan(faults, { ...times, [name]: usualTimes[name] })) : []),
    ];
  }
}

function usual({ seed }: Schedule): Schedule {
  return { seed, ...usualTimes };
}

/** Leaves out one step each: the last one, or one between in which no fault acts. */
function withFewerSteps(plan: Plan): Plan[] {
  const { steps, faults = [] } = plan;
  const used = faults.flatMap((fault) => ("at" in fault ? [fault.at.step] : "step" in fault ? [fault.step] : []));
  const isNeeded = (index: number): boolean => index === 0 || used.includes(steps[index]!.name);
  const dropped = steps.map((_, index) => index).filter((index) => !isNeeded(index));
  return dropped.toReversed().map((index) => ({ ...plan, steps: steps.toSpliced(index, 1) }));
}
