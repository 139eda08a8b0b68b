import { formatDiagnostic } from "../../errors/diagnostic.ts";
import type { Plan } from "../../files/plan.ts";
import { joinPlans, withPlan } from "../../files/with-plan.ts";
import { generateWithSchemas } from "../../local/schema-kinds.ts";
import { expectedKinds, loadProject, findProjectRoot } from "../../project/load-project.ts";
import type { Io } from "../io.ts";
import { loadOwnPackage } from "../package/tsop-spec.ts";
import { changeAndReport } from "./apply-plan.ts";

/** Brings the generated files up to date before a command reads them, as `tsop run --local` does. */
export async function generateBefore(io: Io, command: string): Promise<void> {
  const root = await findProjectRoot(io.cwd, io.disk);
  const flags = { force: true };
  await changeAndReport(io, { root, command, flags }, () => generateAfter(io, { root, changes: [] }));
}

/** Adds the generators' output for the planned project to a plan, so that both are written or rejected as one. */
export async function generateAfter(io: Pick<Io, "disk" | "stderr">, plan: Plan): Promise<Plan> {
  const disk = withPlan(io.disk, plan);
  const { version } = await loadOwnPackage(io.disk);
  const kinds = expectedKinds(await loadProject(plan.root, disk));
  const outputs = ["crd", "rbac", "webhook", "kinds"] as const;
  const generated = await generateWithSchemas({ root: plan.root, disk, version, outputs, kinds });
  for (const warning of generated.warnings) io.stderr.write(`${formatDiagnostic(warning)}\n`);
  return joinPlans(plan, generated.plan);
}
