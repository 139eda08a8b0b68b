import { sealText } from "../../../files/edited.ts";
import type { Disk } from "../../../files/disk.ts";
import { planSealed } from "../../../files/plan-sealed.ts";
import type { Plan } from "../../../files/plan.ts";
import type { LoadedProject } from "../../load-project.ts";
import { recordProject } from "../../parse-project.ts";
import { withPlugin, type Project } from "../../project.ts";
import { nodeVersion } from "../init/node-image.ts";
import { findPackageManager, packageManagerWords } from "../init/package-manager.ts";
import { renderTemplates } from "../templates/render-templates.ts";

const folder = ".github/workflows";

/** The workflows that can be added to a project, with their keys in PROJECT. */
const keys = {
  autoupdate: "autoupdate.tsop.dev/v1",
  "pull-request": "pull-request.tsop.dev/v1",
  release: "release.tsop.dev/v1",
  "test-chart": "test-chart.tsop.dev/v1",
} as const;

/** A workflow of GitHub that `tsop edit --plugins` adds. */
export type Workflow = keyof typeof keys;

/** Reports whether an addition is a workflow. */
export function isWorkflow(addition: string): addition is Workflow {
  return addition in keys;
}

export interface WorkflowOptions {
  readonly names: readonly Workflow[];
  /** True to remove the workflows. */
  readonly remove: boolean;
  /** Overwrite or remove files that were edited by hand. */
  readonly force: boolean;
}

/** Plans workflows of a project together with those that it has, or their removal. `kept` are files edited by hand. */
export async function planWorkflows(
  { root, project, text }: LoadedProject,
  { names, remove, force }: WorkflowOptions,
  disk: Pick<Disk, "read" | "list">,
): Promise<{ readonly plan: Plan; readonly kept: readonly string[] }> {
  const changed = names.reduce((each, name) => withPlugin(each, keys[name], !remove), project);
  const packageManager = await findPackageManager(root, disk);
  const { projectName } = project;
  const context = { projectName, packageManager, nodeVersion, ...packageManagerWords[packageManager] };
  const rendered = await renderTemplates(disk, "edit-workflows", recordedIn(changed), context);
  const files = rendered.map((file) => ({ ...file, text: sealText(file.text, (content) => `# ${content}`) }));
  const { changes, kept } = await planSealed(files, { root, folder, force }, disk);
  return { plan: { root, changes: [...changes, ...recordProject(changed, text)] }, kept };
}

function recordedIn({ plugins = {} }: Project): Workflow[] {
  return Object.keys(keys).filter((name): name is Workflow => isWorkflow(name) && keys[name] in plugins);
}
