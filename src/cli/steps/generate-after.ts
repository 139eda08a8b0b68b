import { formatDiagnostic } from "../../errors/diagnostic.ts";
import type { Plan } from "../../files/plan.ts";
import { joinPlans, withPlan } from "../../files/with-plan.ts";
import { generateWithSchemas } from "../../local/schema-kinds.ts";
import { expectedKinds } from "../../project/expected-kinds.ts";
import { loadProject } from "../../project/load-project.ts";
import type { Io } from "../io.ts";
import { loadOwnPackage } from "../package/own-package.ts";

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
