import { basename, posix } from "node:path";
import { isObject } from "../../apimachinery/is-object.ts";
import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import { TsopError } from "../../errors/tsop-error.ts";
import { quoteWord } from "../../sandbox/disk/write-kubeconfig.ts";
import type { Chance } from "../plans/engine.ts";
import type { Plan } from "../plans/plan.ts";
import { needsOlderVersion } from "../plans/upgrade-plans.ts";
import type { Scenario } from "../scenario/scenario.ts";
import { formatCall, type RunChoice } from "./run-choice.ts";

/** The content of a file that repeats the run of a finding. */
export interface Replay {
  /** The finding in one sentence. */
  readonly title: string;
  readonly scenario: Scenario;
  readonly plan: Plan;
  /** What decides the same run again, if it was simulated. */
  readonly chance?: Chance;
}

/** Parses a file of a finding. */
export function parseReplay(text: string, file: string): Replay {
  const replay = parse(text);
  if (isReplay(replay)) return replay;
  const fix = "give a file that tsop check has written under .tsop/check";
  throw new TsopError("TSOP_CHECK_FILE_INVALID", { file, reason: "it holds no finding", fix });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Text that is not JSON holds no finding either.
    return undefined;
  }
}

/** Reports whether a value has the steps of a finding; the file may be somebody else's. */
function isReplay(value: unknown): value is Replay {
  const { title, scenario, plan } = (isObject(value) ? value : {}) as Partial<Record<string, unknown>>;
  if (typeof title !== "string" || !isObject(scenario) || !isObject(plan)) return false;
  const { id, faultClass, description } = plan as Partial<Plan>;
  const words = [title, id, faultClass, description];
  return words.every((word) => typeof word === "string") && areSteps(scenario["steps"]) && areSteps(plan["steps"]);
}

function areSteps(steps: unknown): boolean {
  return (
    Array.isArray(steps) &&
    steps.every((step) => isObject(step) && typeof step["name"] === "string" && isAction(step["action"]))
  );
}

function isAction(action: unknown): boolean {
  if (!isObject(action)) return false;
  const { type, objects } = action;
  return (
    typeof type === "string" && (type !== "apply" || (Array.isArray(objects) && objects.every(isKubernetesObject)))
  );
}

function isKubernetesObject(object: unknown): boolean {
  const { apiVersion, kind, metadata } = (isObject(object) ? object : {}) as Partial<UnstructuredObject>;
  return typeof apiVersion === "string" && typeof kind === "string" && isObject(metadata);
}

/** Returns the objects with which the run of a file begins: it needs no samples. */
export function objectsOf({ scenario }: Replay): readonly UnstructuredObject[] {
  return scenario.steps.flatMap(({ action }) => (action.type === "apply" ? action.objects : []));
}

/** Returns what is chosen for one plan: only an upgrade and a rollback need the older version. */
export function choiceFor({ faultClass }: Plan, { upgradeFrom, ...choice }: RunChoice): RunChoice {
  return needsOlderVersion(faultClass) ? { ...choice, upgradeFrom } : choice;
}

/** A file of a finding, and where its copy is kept. */
export interface KeptFile {
  readonly file: string;
  /** The folder of the project, from the working folder. */
  readonly root: string;
}

/** Returns the lines that keep a finding as a test of the project. */
export function testOf({ file, root }: KeptFile, { title, plan }: Replay, choice: RunChoice): string {
  const folder = "test/findings";
  const kept = `${folder}/${basename(file)}`;
  const [target, copy] = [folder, kept].map((path) => quoteWord(posix.join(root, path)));
  return `To keep this run as a test:

  mkdir -p ${target} && cp ${quoteWord(file)} ${copy}

  import { expect, it } from "vitest";
  import { checkOperator } from "tsop/testing";

  it(${JSON.stringify(title)}, { timeout: 120_000 }, async () => {
    const { report } = await ${formatCall(kept, choiceFor(plan, choice))};
    expect(report).toBe("");
  });
`;
}
