import type { UnstructuredObject } from "../apimachinery/meta.ts";
import { TsopError } from "../errors/tsop-error.ts";
import { apiBreak, apiBreaks } from "./oracles/judge-api.ts";
import type { Violation } from "./oracles/violation.ts";
import { referencePlan } from "./plans/make-plans.ts";
import type { Plan } from "./plans/plan.ts";
import type { Engine } from "./plans/engine.ts";
import type { RunOptions } from "./plans/run-plan.ts";
import { upgradePlans } from "./plans/upgrade-plans.ts";
import { prepareScenario } from "./prepare-scenario.ts";
import { samplesOf } from "./scenario/derive-scenario.ts";
import type { Scenario, Step } from "./scenario/scenario.ts";
import type { RunRecord } from "./world/run-record.ts";
import type { Subject } from "./world/subject.ts";

/** The version of an operator that its users have now. */
export interface OlderVersion {
  readonly subject: Subject;
  readonly samples: readonly UnstructuredObject[];
}

export interface UpgradeSource extends Omit<RunOptions, "older" | "expectation"> {
  readonly older: OlderVersion;
  readonly engine: Pick<Engine, "run">;
  /** The steps of the user; derived from the samples of the older version by default. */
  readonly scenario: Scenario | undefined;
}

/** The plans of an upgrade. */
export interface PreparedUpgrade {
  readonly plans: readonly Plan[];
  /** What the newer version makes of the objects that the older one leaves, in a cluster without the older one. */
  readonly run: RunRecord | undefined;
  /** What is wrong before anything runs. */
  readonly violations: readonly Violation[];
}

/**
 * Runs the older version's first step, and the newer version with the custom resources that it leaves: defaults and
 * unknown fields are as the older CRDs have settled them.
 */
export async function prepareUpgrade(source: UpgradeSource): Promise<PreparedUpgrade> {
  const { subject, older, engine, scenario: given, signal, patience } = source;
  const first = given?.steps[0] ?? { name: "create", action: { type: "apply", objects: older.samples } };
  const left = await runOlder(first, source);
  const stored = asStored(first, left, older.subject);
  const violations = apiBreaks(older.subject.crds, subject.crds);
  try {
    const scenario = given
      ? { steps: [stored, ...given.steps.slice(1)] }
      : (await prepareScenario({ subject, samples: objectsOf(stored), scenario: undefined, signal })).scenario;
    const run = await engine.run(referencePlan(scenario), { subject, patience, signal });
    // A program that does not serve the newer version's webhooks would keep everybody from writing.
    const canReturn = !subject.webhooks || older.subject.webhooks !== undefined;
    // The API server calls the webhooks of one version.
    const canOverlap = !subject.webhooks && !older.subject.webhooks;
    const plans = upgradePlans(scenario, first).filter(({ id, faultClass }) =>
      faultClass === "upgrade" ? canOverlap || id === "upgrade" : canReturn,
    );
    return { plans, run, violations };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const reason = error.message.replace(/^scenario: /, "");
    const refused = apiBreak("samples of the older version", `The newer version refuses what users have: ${reason}.`);
    return {
      plans: upgradePlans({ steps: [first] }, first).slice(0, 1),
      run: undefined,
      violations: [...violations, refused],
    };
  }
}

/** Runs the first step with the older version. */
async function runOlder(first: Step, { older, engine, signal, patience }: UpgradeSource): Promise<RunRecord> {
  const refuse = (reason: string): never => {
    throw new TsopError("TSOP_CHECK_OLDER_VERSION", { reason });
  };
  const { subject } = older;
  const plan = referencePlan({ steps: [first] });
  const run = await engine.run(plan, { subject, signal, patience }).catch((error: unknown) => {
    if (error instanceof TsopError && !signal.aborted) return refuse(error.message);
    throw error;
  });
  const [breakdown] = run.breakdowns;
  if (breakdown) refuse([`the operator ${breakdown.how}`, ...breakdown.lines].join("\n"));
  if (!run.steps.every(({ quiet }) => quiet)) refuse(`the operator does not come to rest in the step “${first.name}”`);
  return run;
}

/** Replaces the custom resources that a step applies by those that the server has stored, without their status. */
function asStored(step: Step, { requests }: RunRecord, { crds }: Subject): Step {
  const changes = requests.flatMap((request) => request.changes);
  const custom = new Set(samplesOf(objectsOf(step), crds).map(({ object }) => object));
  const objects = objectsOf(step).map((object) => {
    if (!custom.has(object)) return object;
    const isOf = ({ kind, metadata }: UnstructuredObject): boolean =>
      kind === object.kind && metadata.name === object.metadata.name;
    const last = changes.findLast(({ after }) => after !== undefined && isOf(after))?.after;
    if (!last) return object;
    const { status: _, ...stored } = last;
    return { ...stored, metadata: object.metadata };
  });
  return step.action.type === "apply" ? { ...step, action: { ...step.action, objects } } : step;
}

function objectsOf({ action }: Step): readonly UnstructuredObject[] {
  return action.type === "apply" ? action.objects : [];
}

function isRefusal(error: unknown): error is TsopError {
  const refusals = ["TSOP_MANIFEST_REFUSED", "TSOP_KIND_NOT_SERVED"];
  return error instanceof TsopError && refusals.includes(error.code);
}
