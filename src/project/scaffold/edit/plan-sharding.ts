import { sealText } from "../../../files/edited.ts";
import type { Disk } from "../../../files/disk.ts";
import { planSealed, type SealedFile } from "../../../files/plan-sealed.ts";
import type { Plan } from "../../../files/plan.ts";
import type { LoadedProject } from "../../load-project.ts";
import { withPlugin, qualifiedGroup, type Project } from "../../project.ts";
import { TsopError } from "../../../errors/tsop-error.ts";
import { Draft, ownFiles } from "../draft/draft.ts";
import { loadBuiltins } from "../../../apimachinery/builtin/load-builtins.ts";
import { pluralize } from "../../../apimachinery/names.ts";
import { isTestFile, isTypeScript } from "../../../files/typescript-files.ts";

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
  const files = remove ? [] : await ringFiles(draft, project);
  const { changes, kept } = await planSealed(files, { root, folder, force }, disk);
  await draft.change(base, (before) => (remove ? excludeComponent(before) : includeComponent(before)));
  const plan = await draft.planWith(withPlugin(project, pluginKey, !remove), text);
  return { plan: { root, changes: [...changes, ...plan.changes] }, kept };
}

function includeComponent(text: string): string {
  if (text.includes(entry)) return text;
  const others = /^components:\n/m;
  return others.test(text) ? text.replace(others, `$&${entry}`) : text + component;
}

function excludeComponent(text: string): string {
  return text.includes(component) ? text.replace(component, "") : text.replace(entry, "");
}

async function ringFiles(draft: Draft, project: Project): Promise<SealedFile[]> {
  const resources = await ringResources(draft, project);
  if (resources.length === 0) throw new TsopError("TSOP_SHARDING_EMPTY", {});
  const context = {
    projectName: project.projectName,
    ringResources: resources.map(formatResource).join("\n"),
    sharderRules: formatRules(resources.flatMap((resource) => [resource, ...resource.controlled])),
  };
  const files = await draft.render("edit-sharding", [], context);
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

/** A kind of a ring, as a group and a resource. */
interface GroupResource {
  readonly group: string;
  readonly resource: string;
  readonly namespaced: boolean;
}

/** A kind that a controller reconciles, and those that it owns. */
interface RingResource extends GroupResource {
  readonly controlled: readonly GroupResource[];
}

/** Reads the kinds of `for()` and `owns()` in the project's controllers. */
async function ringResources(draft: Draft, project: Project): Promise<RingResource[]> {
  const found = new Map<string, { main: GroupResource; controlled: Map<string, GroupResource> }>();
  const add = (main: GroupResource, owned: readonly GroupResource[]): void => {
    const row = found.get(keyOf(main)) ?? { main, controlled: new Map() };
    for (const each of owned) row.controlled.set(keyOf(each), each);
    found.set(keyOf(main), row);
  };
  for (const resource of project.resources ?? []) {
    if (resource.controller) add(ownResource(project, resource.kind)!, []);
  }
  for (const file of await ownFiles(draft)) {
    const text = isTypeScript(file) && !isTestFile(file) ? await draft.read(file) : undefined;
    if (!text?.includes("controllerManagedBy(")) continue;
    const resolve = (kind: string): GroupResource | undefined =>
      importedResource(text, kind) ?? ownResource(project, kind);
    for (const chain of text.split("controllerManagedBy(").slice(1)) {
      const main = resolve(/\.for\(\s*(\w+)/.exec(chain)?.[1] ?? "");
      const owned = [...chain.matchAll(/\.owns\(\s*(\w+)/g)].flatMap(([, kind = ""]) => resolve(kind) ?? []);
      if (main) add(main, owned);
    }
  }
  return shareable(
    [...found.values()].map(({ main, controlled }) => ({ ...main, controlled: [...controlled.values()] })),
  );
}

/**
 * Leaves out what the sharder can't assign to the shard that needs it: objects with a controller of their own that
 * another object owns as well, what they own, and children of another scope than their owner.
 */
function shareable(rows: readonly RingResource[]): RingResource[] {
  const owned = new Set(rows.flatMap((row) => row.controlled.map(keyOf).filter((key) => key !== keyOf(row))));
  const whole = rows.filter((row) => owned.has(keyOf(row)));
  const left = new Set(whole.flatMap((row) => [row, ...row.controlled]).map(keyOf));
  for (const row of rows) for (const child of row.controlled) if (child.namespaced !== row.namespaced) left.add(keyOf(child)); // prettier-ignore
  return rows
    .filter((row) => !left.has(keyOf(row)))
    .map((row) => ({ ...row, controlled: row.controlled.filter((child) => !left.has(keyOf(child))) }));
}

function keyOf({ group, resource }: Pick<GroupResource, "group" | "resource">): string {
  return `${resource}.${group}`;
}

/** Finds a Kind that the file imports from `tsop/k8s`. */
function importedResource(text: string, kind: string): GroupResource | undefined {
  for (const [, names = "", folder, version] of text.matchAll(/import \{([^}]*)\} from "tsop\/k8s\/(\w+)\/(\w+)"/g)) {
    if (!names.split(",").some((name) => name.trim() === kind)) continue;
    const found = loadBuiltins().resources.find(
      (row) => row.kind === kind && row.version === version && (row.group.split(".")[0] || "core") === folder,
    );
    if (found) return { group: found.group, resource: found.plural, namespaced: found.namespaced };
  }
  return undefined;
}

/** Finds a Kind of PROJECT. */
function ownResource({ resources = [] }: Project, kind: string): GroupResource | undefined {
  const found = resources.find((resource) => resource.kind === kind);
  if (!found) return undefined;
  const group = found.core && found.group === "core" ? "" : qualifiedGroup(found);
  const namespaced = found.api === undefined || found.api.namespaced === true;
  return { group, resource: found.plural ?? pluralize(kind.toLowerCase()), namespaced };
}
