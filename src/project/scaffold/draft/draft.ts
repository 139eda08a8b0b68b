import { join } from "node:path";
import { keepLineEnds } from "../../../files/line-ends.ts";
import { TsopError } from "../../../errors/tsop-error.ts";
import type { Disk } from "../../../files/disk.ts";
import { boilerplateFile, fileHeader } from "../../../files/file-header.ts";
import type { FileChange, Plan } from "../../../files/plan.ts";
import { parseJsonObject } from "../../../apimachinery/parse-json-object.ts";
import type { Project } from "../../project.ts";
import { formatProject } from "../../parse-project.ts";
import { renderTemplates, type RenderedFile, type TemplateContext } from "../templates/render-templates.ts";

type IfExists = "fail" | "keep" | "overwrite";

/** A plan under construction. Reads see earlier changes, so that several edits of one file add up. */
export class Draft {
  readonly root: string;
  readonly disk: Pick<Disk, "list" | "read">;
  private readonly changes = new Map<string, FileChange>();

  constructor(root: string, disk: Pick<Disk, "list" | "read">) {
    this.root = root;
    this.disk = disk;
  }

  /** Returns the planned text; `undefined` if the file will not exist. */
  async read(path: string): Promise<string | undefined> {
    const change = this.changes.get(path);
    if (change) return change.type === "remove" ? undefined : change.text;
    return this.disk.read(join(this.root, path));
  }

  /** Returns the licence comment above the code of a new file. */
  async header(): Promise<string> {
    return fileHeader(await this.read(boilerplateFile));
  }

  /** Renders parts of a tree of `templates/`. */
  render(tree: string, parts: readonly string[], context: TemplateContext): Promise<RenderedFile[]> {
    return renderTemplates(this.disk, tree, parts, context);
  }

  create(path: string, text: string, ifExists: IfExists = "fail"): void {
    this.changes.set(path, { type: "create", path, text, ifExists });
  }

  createAll(files: readonly RenderedFile[], ifExists?: IfExists): void {
    for (const { path, text } of files) this.create(path, text, ifExists);
  }

  /** Creates the files that the project does not have. */
  async createMissing(files: readonly RenderedFile[]): Promise<void> {
    for (const { path, text } of files) if ((await this.read(path)) === undefined) this.create(path, text);
  }

  /** Changes a file, which must exist and keeps its line ends. */
  async change(path: string, edit: (text: string) => string): Promise<void> {
    const drafted = this.changes.get(path);
    if (drafted?.type === "create") {
      this.changes.set(path, { ...drafted, text: keepLineEnds(drafted.text, edit) });
      return;
    }
    const before = drafted?.type === "update" ? drafted.before : await this.disk.read(join(this.root, path));
    if (before === undefined) throw new TsopError("TSOP_FILE_MISSING", { path });
    const text = keepLineEnds(drafted?.type === "update" ? drafted.text : before, edit);
    if (text !== before) this.changes.set(path, { type: "update", path, text, before });
    else if (drafted?.type === "update") this.changes.delete(path);
  }

  /** Removes a file if it exists. */
  async remove(path: string): Promise<void> {
    const before = await this.disk.read(join(this.root, path));
    if (before !== undefined) this.changes.set(path, { type: "remove", path, before });
  }

  plan(): Plan {
    return { root: this.root, changes: [...this.changes.values()] };
  }

  /** Returns the plan with the project in PROJECT, whose text until now is given. */
  async planWith(project: Project, text: string): Promise<Plan> {
    await this.change("PROJECT", () => formatProject(project, text));
    return this.plan();
  }
}

/** Adds a dependency (`name`, `name@range`, `@scope/name@range`), if there is one, to package.json. */
export async function addDependency(draft: Draft, module: string | undefined): Promise<void> {
  if (!module) return;
  const at = module.indexOf("@", 1);
  const [name, range] = at < 0 ? [module, "*"] : [module.slice(0, at), module.slice(at + 1)];
  await draft.change("package.json", (text) => {
    const value = parseJsonObject(text, "package.json") as { dependencies?: Record<string, string> };
    const dependencies = { ...value.dependencies, [name]: range };
    const sorted = Object.fromEntries(Object.entries(dependencies).toSorted(([a], [b]) => (a < b ? -1 : 1)));
    return `${JSON.stringify({ ...value, dependencies: sorted }, null, 2)}\n`;
  });
}

/** Lists the project's own files, without installed and built ones. */
export async function ownFiles({ disk, root }: Pick<Draft, "disk" | "root">): Promise<string[]> {
  const skipped = new Set(["node_modules", "bin", "dist", "vendor", ".git", ".tsop"]);
  return disk.list(root, { skip: (name) => skipped.has(name) });
}

/** Returns the project with a switch on or off. */
export function withSwitch(project: Project, name: "multigroup" | "namespaced", isOn: boolean): Project {
  const { [name]: _before, ...rest } = project;
  return isOn ? { ...rest, [name]: true } : rest;
}

/** Returns the project in the other layout: that of one group if it has the one of several, or the other way around. */
export function inOtherLayout(project: Project): Project {
  return withSwitch(project, "multigroup", !project.multigroup);
}

/** A text in rendered files, and its counterpart in a project of the other layout. */
type FormerName = readonly [now: string, before: string];

/**
 * Removes files that a command wrote. Files that were edited since hold somebody's work: they are reported, and nothing
 * is removed unless forced. An older `tsop edit --multigroup` moved files and left the former names in them.
 */
export async function removeRendered(
  draft: Draft,
  files: readonly RenderedFile[],
  { force, formerNames = [] }: { readonly force: boolean; readonly formerNames?: readonly FormerName[] },
): Promise<void> {
  const rename = (text: string): string =>
    formerNames.reduce((renamed, [now, before]) => renamed.replaceAll(now, before), text);
  const found = await Promise.all(files.map(async (file) => ({ ...file, now: await draft.read(file.path) })));
  const edited = found.filter(
    ({ now, text }) => now !== undefined && ![text, rename(text)].map(essence).includes(essence(now)),
  );
  if (edited.length > 0 && !force) {
    throw new TsopError("TSOP_EDITED_FILES", { files: edited.map(({ path }) => `  ${path}`).join("\n") });
  }
  for (const { path } of files) await draft.remove(path);
}

/** Lines that tsop itself inserts later, another licence, and other line ends do not count as edits. */
function essence(text: string): string {
  const lines = text.replaceAll("\r\n", "\n");
  return lines.replace(/^\/\*[^]*?\*\/\n\n/, "").replace(/^.*\+kubebuilder:storageversion.*\n/gm, "");
}
