import { fileURLToPath } from "node:url";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { faultClasses, type FaultClass } from "../../src/check/plans/plan.ts";
import { runCheck, type CheckResult } from "../../src/check/run-check.ts";
import type { CheckOptions } from "../../src/check/check-options.ts";
import { readManifests } from "../../src/client/manifests/read-manifests.ts";
import { findProgram, mustRun, run, temporaryFolder } from "../e2e/shell.ts";
import { describeFindings } from "./describe-findings.ts";
import { endsWhen, type End } from "./ends-when.ts";

const source = fileURLToPath(new URL("go-operator/", import.meta.url));
const manifests = fileURLToPath(new URL("operators/manifests/", import.meta.url));
const env = { GOPROXY: "off", GOFLAGS: "-mod=readonly" };
const go = findProgram("go");
// Nothing is downloaded: `go mod download` in go-operator installs missing modules.
const modules = go ? await run(go, ["list", "-deps", "."], { cwd: source, env }) : undefined;
const missing = go ? modules?.code !== 0 && "its modules are not on this machine" : "there is no Go on the PATH";

/** `TSOP_CHECK=classes` tries the correct operator with five seeds, and all bugs. */
const isComplete = process.env["TSOP_CHECK"] !== undefined;
const seeds = isComplete ? [1, 2, 3, 4, 5] : [1];
/** How many plans the correct operator is tried with. */
const plans = isComplete ? 40 : 12;
/**
 * The operator converts nothing. A leader of controller-runtime that was frozen still writes when it wakes up, until
 * the deadline for the renewal of its lease has passed: docs/check.md describes what a trace shows.
 */
const classes = faultClasses.filter((name) => name !== "handover" && name !== "conversion");
const quick = new Set(["password-renewed-at-start", "nil-monitoring", "created-but-never-updated"]);

interface Row {
  readonly bug: string;
  /** The class of the finding. */
  readonly finds: string;
  /** The faults to run; absent if none is needed. */
  readonly fault?: FaultClass;
  /** The order of the plans, if the one that shows the bug would come late in the usual order. */
  readonly seed?: number;
}

const rows = [
  { bug: "password-renewed-at-start", finds: "restart", fault: "restart" },
  { bug: "orphans-deleted-at-start", finds: "stale", fault: "stale" },
  { bug: "owned-kind-not-watched", finds: "drift", fault: "drift" },
  { bug: "create-without-get", finds: "lost-answer", fault: "lost-answer" },
  { bug: "nil-monitoring", finds: "exploration", fault: "exploration", seed: 20 },
  { bug: "created-but-never-updated", finds: "wrong-state" },
].filter(({ bug }) => isComplete || quick.has(bug)) as readonly Row[];

describe.skipIf(missing)(`an operator in Go${missing ? ` (skipped: ${missing})` : ""}`, () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let program: string;

  beforeAll(async () => {
    folder = temporaryFolder("go-operator");
    program = join(folder.path, "operator");
    await mustRun(go ?? "", ["build", "-o", program, "."], { cwd: source, env });
  });
  afterAll(() => folder?.remove());

  async function check(bug: string, options: Pick<CheckOptions, "only" | "seed"> & End): Promise<CheckResult> {
    const objectsOf = async (file: string) => (await readManifests(`${manifests}${file}`)).map(({ object }) => object);
    const subject = {
      command: { file: program, args: ["--bug", bug], cwd: folder.path, env: process.env },
      crds: await objectsOf("crd.yaml"),
      before: await readManifests(`${manifests}before.yaml`),
    };
    const samples = await objectsOf("sample.yaml");
    return runCheck({
      subject,
      // An upgrade that changes nothing.
      older: { subject, samples },
      samples,
      jobs: 2,
      ...options,
    });
  }

  it.each(seeds)("has no finding with seed %i", async (seed) => {
    const result = await check("none", { only: classes, seed, ...endsWhen(({ done }) => done >= plans) });
    expect(describeFindings(result)).toEqual([]);
    expect(result.notes).toEqual([]);
    expect(result.done).toBeGreaterThanOrEqual(plans);
  });

  it.each(rows)("has the bug $bug, which the check finds: $finds", async ({ bug, finds, fault, seed = 1 }) => {
    const only = fault ? [fault] : [];
    const result = await check(bug, { only, seed, ...endsWhen(({ findings }) => findings > 0) });
    const classes = result.findings.map(({ class: name }) => name);
    expect(classes, describeFindings(result).join("\n")).toContain(finds);
  });
});
