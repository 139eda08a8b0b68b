import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import type { Plan, PlannedStep } from "../../src/check/plans/plan.ts";
import { checkOperator } from "../../src/testing/check-operator.ts";
import { repository, run } from "../e2e/shell.ts";

const folder = fileURLToPath(new URL("operators", import.meta.url));
const tsop = join(repository, "bin/tsop.js");
const node = JSON.stringify(process.execPath);
const correct = {
  folder,
  exec: `${node} main.js`,
  apply: ["manifests/crd.yaml", "manifests/before.yaml"],
  samples: ["manifests/sample.yaml"],
};
const buggy = { ...correct, exec: `${node} main.js --bug password-renewed-at-start` };

it("reports a bug, and repeats its run until it is fixed", { timeout: 300_000 }, async () => {
  const temporary = await mkdtemp(join(tmpdir(), "tsop-replay-"));
  onTestFinished(() => rm(temporary, { recursive: true, force: true }));
  const scenario = join(temporary, "scenario.yaml");
  await writeFile(scenario, `steps: [{ name: create, apply: ${join(folder, "manifests/sample.yaml")} }]`);
  const found = await checkOperator({ ...buggy, scenario, only: ["restart"] });
  expect(found.report).toMatch(/^1\. restart: /);

  const { plan } = found.findings[0]!;
  const replay = join(temporary, "1-restart.json");
  const write = (kept: Plan) =>
    writeFile(replay, JSON.stringify({ title: "restart", plan: kept, scenario: { steps: kept.steps } }));
  await write(plan);
  expect((await checkOperator({ ...buggy, replay })).report).toMatch(/^1\. restart: /);
  expect(await checkOperator({ ...correct, replay })).toEqual({ findings: [], report: "", runs: 1 });

  const subject = ["--exec", correct.exec, "--apply", correct.apply[0]!, "--apply", correct.apply[1]!];
  const args = [tsop, "check", ...subject, "--sample", correct.samples[0]!, "--replay", replay];
  await write({ ...plan, steps: plan.steps.map(withWaitingPod) });
  const { stdout, stderr } = await run(process.execPath, [...args, "--output", "json"], { cwd: folder });
  const pod = 'pod default/client: container "main": secret "elsewhere" not found';
  expect(JSON.parse(stdout)).toMatchObject({ findings: [], waiting: [pod] });
  expect(stderr).toContain(`not ready: ${pod}; if it is not the operator that makes it, pass it with --apply\n`);

  await write({ ...plan, faults: [{ type: "restart", step: "a step that is not taken" }] });
  await expect(checkOperator({ ...correct, replay })).rejects.toMatchObject({ code: "TSOP_CHECK_NOTHING_JUDGED" });
  const late = checkOperator({ ...correct, scenario, budgetMs: 1 });
  await expect(late).rejects.toThrow("no run could be judged: the budget ended before that");

  const { description, steps } = plan;
  await write({ id: "reference", faultClass: "reference", description, steps });
  expect(await checkOperator({ ...correct, replay })).toEqual({ findings: [], report: "", runs: 1 });
});

it("reports an operator that writes nothing", { timeout: 120_000 }, async () => {
  const temporary = await mkdtemp(join(tmpdir(), "tsop-idle-"));
  onTestFinished(() => rm(temporary, { recursive: true, force: true }));
  const main = join(temporary, "main.mjs");
  const library = pathToFileURL(join(repository, "dist/index.js")).href;
  const kinds = pathToFileURL(join(folder, "kinds.js")).href;
  await writeFile(
    main,
    `import { controllerManagedBy, createManager, loadConfig, setupSignalHandler } from "${library}";
import { Cache } from "${kinds}";
const mgr = await createManager(await loadConfig());
await controllerManagedBy(mgr).for(Cache).complete({ reconcile: async () => {} });
await mgr.start(setupSignalHandler());
`,
  );
  const subject = ["--exec", `${node} ${main}`, "--apply", correct.apply[0]!, "--sample", correct.samples[0]!];
  const { code, stderr } = await run(process.execPath, [tsop, "check", ...subject, "--only", "restart"], {
    cwd: folder,
  });
  expect(code).toBe(0);
  expect(stderr).toContain("nothing written: the operator changes nothing for these samples");
});

/** Applies, with the objects of a step, a pod that needs a Secret of another owner. */
function withWaitingPod(step: PlannedStep): PlannedStep {
  if (step.action.type !== "apply") return step;
  const main = { name: "main", image: "client", envFrom: [{ secretRef: { name: "elsewhere" } }] };
  const metadata = { name: "client", namespace: "default" };
  const pod = { apiVersion: "v1", kind: "Pod", metadata, spec: { containers: [main] } };
  return { ...step, action: { ...step.action, objects: [...step.action.objects, pod] } };
}
