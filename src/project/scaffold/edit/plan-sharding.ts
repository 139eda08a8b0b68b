import { sealText } from "../../../files/edited.ts";
import type { Disk } from "../../../files/disk.ts";
import { planSealed, type SealedFile } from "../../../files/plan-sealed.ts";
import type { Plan } from "../../../files/plan.ts";
import type { LoadedProject } from "../../load-project.ts";
import { formatProject } from "../../parse-project.ts";
import { withPlugin, type Project } from "../../project.ts";
import { TsopError } from "../../../errors/tsop-error.ts";
import { Draft } from "../draft/draft.ts";
import { renderTemplates } from "../templates/render-templates.ts";
import { ringResources, type GroupResource, type RingResource } from "./ring-resources.ts";

const folder = "config/sharding";
const base = "config/default/kustomization.yaml";
const entry = "- ../sharding\n";
const component = `\n# [SHARDING] Replicas share the objects.\ncomponents:\n${entry}`;
const pluginKey = "sharding.tsop.dev/v1";

export interface ShardingOptions {
  /** True to remove the files and lines that were added. */
  readonly remove: boolean;
  /** Overwrite or remove files that were edited by hand. */
  readonly force: boolean;
}

/** Plans the ring of a project, or its removal. `kept` are the files that were edited by hand. */
export async function planSharding(
  { root, project, text }: LoadedProject,
  { remove, force }: ShardingOptions,
  disk: Disk,
): Promise<{ readonly plan: Plan; readonly kept: readonly string[] }> {
  const draft = new Draft(root, disk);
  const files = remove ? [] : await ringFiles(project, await ringResources({ draft, disk, root }, project), disk);
  const { changes, kept } = await planSealed(files, { root, folder, force }, disk);
  await draft.change(base, (before) => (remove ? excludeComponent(before) : includeComponent(before)));
  await draft.change("PROJECT", () => formatProject(withPlugin(project, pluginKey, !remove), text));
  return { plan: { root, changes: [...changes, ...draft.plan().changes] }, kept };
}

function includeComponent(text: string): string {
  if (text.includes(entry)) return text;
  const others = /^components:\n/m;
  return others.test(text) ? text.replace(others, `$&${entry}`) : text + component;
}

function excludeComponent(text: string): string {
  return text.includes(component) ? text.replace(component, "") : text.replace(entry, "");
}

async function ringFiles(
  { projectName }: Project,
  resources: readonly RingResource[],
  disk: Disk,
): Promise<SealedFile[]> {
  if (resources.length === 0) throw new TsopError("TSOP_SHARDING_EMPTY", {});
  const context = {
    projectName,
    ringResources: resources.map(formatResource).join("\n"),
    sharderRules: formatRules(resources.flatMap((resource) => [resource, ...resource.controlled])),
  };
  const files = await renderTemplates(disk, "edit-sharding", [], context);
  return files.map(({ path, text }) => ({ path, text: sealText(text, (content) => `# ${content}`) }));
}

function formatResource({ controlled, ...resource }: RingResource): string {
  const lines = [`  - ${formatGroupResource(resource, "    ")}`];
  if (controlled.length > 0) {
    lines.push("    controlledResources:", ...controlled.map((each) => `    - ${formatGroupResource(each, "      ")}`));
  }
  return lines.join("\n");
}

function formatGroupResource({ group, resource }: GroupResource, indent: string): string {
  return `group: ${group || '""'}\n${indent}resource: ${resource}`;
}

/** Formats a rule for each API group. */
function formatRules(resources: readonly GroupResource[]): string {
  const groups = new Map<string, Set<string>>();
  for (const { group, resource } of resources) groups.set(group, (groups.get(group) ?? new Set()).add(resource));
  const rules = [...groups].map(([group, names]) =>
    [
      "- apiGroups:",
      `  - ${group || '""'}`,
      "  resources:",
      ...[...names].map((name) => `  - ${name}`),
      "  verbs:",
      "  - list",
      "  - patch",
    ].join("\n"),
  );
  return rules.join("\n");
}
