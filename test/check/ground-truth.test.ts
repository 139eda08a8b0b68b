import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { UnstructuredObject } from "../../src/apimachinery/meta.ts";
import { faultClasses, type FaultClass, type Plan } from "../../src/check/plans/plan.ts";
import { needsOlderVersion } from "../../src/check/plans/upgrade-plans.ts";
import { runCheck, type CheckResult } from "../../src/check/run-check.ts";
import { causeOf } from "../../src/check/oracles/violation.ts";
import { refOf, type Scenario } from "../../src/check/scenario/scenario.ts";
import type { Subject } from "../../src/check/world/subject.ts";
import { readManifests, type Manifest } from "../../src/client/manifests/read-manifests.ts";
import { isRelease } from "../is-release.ts";
import { bugRows, nearMissRows, scheduleRows, type BugRow } from "./bug-rows.ts";
import { describeFindings } from "./describe-findings.ts";
import { endsWhen } from "./ends-when.ts";
import { openTestSimulation, testOperator, type TestSimulation } from "./test-simulation.ts";

const folder = fileURLToPath(new URL("operators", import.meta.url));
/**
 * A simulation runs the first bug of each class with the plans of that class; for a release, every bug, and the correct
 * operator with all plans. Processes try the bugs that depend most on real time; `TSOP_CHECK=classes` makes them run each
 * bug with the plans of its class, too, and a plan of schedules (25 minutes), `TSOP_CHECK=all` with all plans (an hour).
 */
const depth = process.env["TSOP_CHECK"];
const isComplete = depth === "all";
const isThorough = isRelease || depth !== undefined;
const quick = new Set(["leader-never-steps-down", "owner-reference-missing"]);
const timed = new Set([
  ...quick,
  "password-renewed-at-start",
  "orphans-deleted-at-start",
  "successor-deleted",
  "status-counts-reconciles",
]);
const isFirst = ({ finds }: BugRow, index: number) => bugRows.findIndex((row) => row.finds === finds) === index;
const rows = {
  simulation: bugRows.filter((row, index) => isThorough || isFirst(row, index)),
  processes: bugRows.filter(({ bug }) => depth !== undefined || (isThorough ? timed : quick).has(bug)),
};
const pairRows = scheduleRows.filter((_, index) => isThorough || index < 1);
/** The plans of the correct operator, whose classes take turns: several of each in a simulation, one by processes. */
const some = { simulation: 2 * faultClasses.length, processes: isThorough ? 24 : faultClasses.length };
type EngineName = keyof typeof rows;
const engines = Object.keys(rows) as EngineName[];

let simulation: TestSimulation;
let crds: UnstructuredObject[];
let samples: UnstructuredObject[];
let input: UnstructuredObject[];
let before: Manifest[];

beforeAll(async () => {
  if (!existsSync(new URL("../../dist/index.js", import.meta.url))) throw new Error("run `npm run build` first");
  const objectsOf = async (file: string): Promise<UnstructuredObject[]> =>
    (await readManifests(`${folder}/manifests/${file}`)).map(({ object }) => object);
  [crds, samples, input] = [await objectsOf("crd.yaml"), await objectsOf("sample.yaml"), await objectsOf("input.yaml")];
  before = await readManifests(`${folder}/manifests/before.yaml`);
  simulation = await openTestSimulation();
});
afterAll(() => simulation.close());

interface Options {
  readonly engine: EngineName;
  readonly bug?: string;
  readonly only?: readonly FaultClass[] | undefined;
  readonly seed?: number;
  readonly schedules?: number;
  /** Absent if all plans are run. */
  readonly plans?: number | undefined;
  /** True to end with the first finding. */
  readonly endsAtFinding?: boolean;
  /** The verb that the operator's role lacks for config maps; its role is enforced only then. */
  readonly withoutVerb?: string | undefined;
  readonly withInput?: boolean | undefined;
  /** True if users upgrade from the correct operator. */
  readonly isUpgrade?: boolean;
  readonly scenario?: Scenario;
  /** Plans to run instead of those that follow from the scenario. */
  readonly given?: readonly Plan[];
}

function check({
  engine,
  bug,
  only,
  seed = 1,
  schedules,
  plans = Infinity,
  endsAtFinding = false,
  withoutVerb,
  withInput,
  isUpgrade,
  scenario,
  given,
}: Options): Promise<CheckResult> {
  const args = [testOperator, ...(bug === undefined ? [] : ["--bug", bug])];
  const account = withoutVerb === undefined ? undefined : { namespace: "cache-system", name: "cache-operator" };
  const subject: Subject = {
    command: { file: process.execPath, args, cwd: folder, env: process.env },
    crds,
    before: before.map((manifest) => withoutVerbOf(manifest, withoutVerb)),
    account,
  };
  const correct = { ...subject, command: { ...subject.command, args: args.slice(0, 1) } };
  return runCheck({
    subject,
    older: isUpgrade ? { subject: correct, samples } : undefined,
    samples: withInput ? [...input, ...samples] : samples,
    scenario,
    plans: given,
    only,
    seed,
    schedules,
    ...(engine === "simulation" && { engine: simulation.engine, isForced: true }),
    ...endsWhen(({ done, findings }) => done >= plans || (endsAtFinding && findings > 0)),
  });
}

/** Takes a verb for the core group from a role. */
function withoutVerbOf({ file, object }: Manifest, verb: string | undefined): Manifest {
  const copy = structuredClone(object) as UnstructuredObject & { rules?: { apiGroups: string[]; verbs: string[] }[] };
  for (const rule of copy.rules ?? [])
    if (rule.apiGroups[0] === "") rule.verbs = rule.verbs.filter((each) => each !== verb);
  return { file, object: copy };
}

describe.each(engines)("with the engine “%s”, the correct operator", (engine) => {
  const seeds = isComplete ? [1, 2, 3, 4, 5] : [1];
  it.each(seeds)("has no finding with seed %i", { timeout: 900_000 }, async (seed) => {
    const isWhole = isComplete || (isThorough && engine === "simulation");
    const result = await check({ engine, seed, isUpgrade: true, plans: isWhole ? undefined : some[engine] });
    expect(describeFindings(result)).toEqual([]);
    expect(result.notes).toEqual([]);
    expect(result.done).toBeGreaterThanOrEqual(some[engine]);
    expect(result.engine).toEqual({ name: engine, why: undefined });
  });
});

describe("a correct variant", () => {
  it.each(nearMissRows)("$variant has no finding", async ({ variant, change }) => {
    const [sample] = samples;
    const setTo = (spec: unknown) => ({ type: "patch", target: refOf(sample!), patch: { spec } }) as const;
    const scenario: Scenario = {
      steps: [
        { name: "create", action: { type: "apply", objects: samples } },
        { name: "change", action: setTo(change) },
        { name: "change back", action: setTo(sample!["spec"]) },
      ],
    };
    const result = await check({ engine: "simulation", bug: variant, only: [], scenario });
    expect(describeFindings(result)).toEqual([]);
  });
});

describe.each(engines)("with the engine “%s”, the bug", (engine) => {
  it.each(rows[engine])("$bug is found: $finds", { timeout: 900_000 }, async (row) => {
    const result = await check({
      engine,
      bug: row.bug,
      withoutVerb: row.withoutVerb,
      withInput: row.withInput,
      isUpgrade: row.fault === "upgrade" || row.fault === "rollback",
      // A rule that needs no fault is seen in the reference run, before the first plan.
      // A finding of the run without faults is not the one that is looked for.
      endsAtFinding: depth === undefined && !row.also?.includes("not-reverted"),
      only: isComplete ? undefined : [row.fault].filter((fault) => fault !== undefined),
    });
    const classes = new Set(result.findings.flatMap(({ class: name, also }) => [name, ...also]));
    expect(classes, describeFindings(result).join("\n")).toContain(row.finds);
    const unrelated = [...classes].filter((name) => name !== row.finds && !row.also?.includes(name));
    expect(unrelated, describeFindings(result).join("\n")).toEqual([]);
  });
});

describe("a bug that plans with one fault do not show", () => {
  it.each(pairRows)("$bug is found with $needs faults", { timeout: 900_000 }, async (row) => {
    const { bug, needs, byProcesses } = row;
    const others = faultClasses.filter((name) => name !== "schedule" && !needsOlderVersion(name));
    if (isComplete) expect((await check({ engine: "simulation", bug, only: others })).findings).toEqual([]);
    const result = await check({ engine: "simulation", bug, only: ["schedule"], schedules: 500, endsAtFinding: true });
    const [found] = result.findings;
    expect(needs, describeFindings(result).join("\n")).toContain(found && (found.plan.faults?.length ?? 0));
    if (depth === undefined || !byProcesses) return;
    const repeated = await check({ engine: "processes", bug, given: [found!.plan] });
    expect(repeated.findings.map(({ violation }) => causeOf(violation))).toContain(causeOf(found!.violation));
  });
});
