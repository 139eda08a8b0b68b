import { dirname, basename, join } from "node:path/posix";
import { TsopError } from "../../../errors/tsop-error.ts";
import type { Project, Resource } from "../../project.ts";
import { apiContext } from "../api/api-context.ts";
import { moveImports } from "../draft/relative-import.ts";
import { ownFiles, withSwitch, type Draft } from "../draft/draft.ts";
import { mainFile } from "../draft/set-up-entries.ts";
import { resourcePath } from "../api/resolve-resource.ts";
import { webhookContext } from "../webhook/webhook-context.ts";

/** The project in its other layout, and the names that clusters, alerts and bindings may know. */
export interface ChangedLayout {
  readonly project: Project;
  /** `ClusterRole memcached-admin-role to cache-memcached-admin-role` */
  readonly renamed: readonly string[];
}

/** Moves the files of every kind to the paths of the other layout and updates imports, roles and PROJECT. */
export async function changeLayout(draft: Draft, project: Project, multigroup: boolean): Promise<ChangedLayout> {
  const switched = withSwitch(project, "multigroup", multigroup);
  const resources = project.resources ?? [];
  if (!multigroup) refuseSeveralGroups(resources);
  const next = {
    ...switched,
    ...(resources.length > 0 ? { resources: resources.map((each) => moveResource(switched, each)) } : {}),
  };

  const files = await ownFiles(draft);
  const moves = new Map(resources.flatMap((resource) => movesOf(resource, { project, next, files })));
  const folders = new Map(resources.flatMap((resource) => folderMoveOf(resource, { project, next })));
  await moveFiles(draft, files, (file) => {
    const folder = folders.get(dirname(file)); // also for files that do not exist yet, such as generated ones
    return moves.get(file) ?? (folder === undefined ? file : join(folder, basename(file)));
  });
  const renamed: string[] = [];
  for (const resource of resources) renamed.push(...(await renameKind(draft, resource, { project, next })));
  return { project: next, renamed };
}

function refuseSeveralGroups(resources: readonly Resource[]): void {
  const groups = [...new Set(resources.filter(({ api }) => api).map(({ group = "" }) => group))];
  if (groups.length > 1) throw new TsopError("TSOP_SEVERAL_GROUPS", { groups: groups.join(", ") });
}

function moveResource(next: Project, resource: Resource): Resource {
  if (!resource.api || resource.path === undefined) return resource;
  return { ...resource, path: resourcePath(next, resource.group ?? "", resource.version) };
}

interface Change {
  readonly project: Project;
  readonly next: Project;
}

/** Moves the folder of a version with all its content. */
function folderMoveOf(resource: Resource, { project, next }: Change): [string, string][] {
  if (!resource.api) return [];
  const folder = (of: Project): string => `api/${apiContext(of, resource).apiFolder}`;
  return [[folder(project), folder(next)]];
}

/** Returns pairs of old and new path. Other files in the folders stay. */
function movesOf(
  resource: Resource,
  { project, next, files }: Change & { readonly files: readonly string[] },
): [string, string][] {
  const [from, to] = [webhookContext(project, resource, ""), webhookContext(next, resource, "")];
  const controllers = new RegExp(`^(${controllerFiles(resource).join("|")})_controller(\\.test)?\\.ts$`);
  return files.flatMap((file): [string, string][] => {
    const [folder, name] = [dirname(file), basename(file)];
    if (folder === from.controllerFolder && controllers.test(name)) return [[file, join(to.controllerFolder, name)]];
    if (folder === from.webhookFolder && name.startsWith(`${from.lowerKind}_`))
      return [[file, join(to.webhookFolder, name)]];
    if (folder === "config/rbac" && name.startsWith(`${from.roleFile}_`) && isRole(name, from.roleFile)) {
      return [[file, join(folder, name.replace(from.roleFile, to.roleFile))]];
    }
    if (file === `config/crd/patches/${from.crdPatch}.yaml`) return [[file, `config/crd/patches/${to.crdPatch}.yaml`]];
    return [];
  });
}

function controllerFiles({ kind, controllers = [] }: Resource): string[] {
  return [kind.toLowerCase(), ...controllers.map(({ name }) => name.replaceAll("-", "_"))];
}

function isRole(name: string, roleFile: string): boolean {
  return ["admin", "editor", "viewer"].some((who) => name === `${roleFile}_${who}_role.yaml`);
}

async function moveFiles(draft: Draft, files: readonly string[], newPath: (file: string) => string): Promise<void> {
  for (const file of files) {
    const isCode = file.endsWith(".ts");
    if (!isCode && newPath(file) === file) continue;
    const before = (await draft.read(file)) ?? "";
    const text = isCode ? moveImports(before, file, newPath) : before;
    if (newPath(file) === file) {
      if (text !== before) await draft.change(file, () => text);
      continue;
    }
    await draft.remove(file);
    draft.create(newPath(file), text);
  }
}

/**
 * Renames controllers, webhooks, roles and patches: in a project with several groups, their names contain the group.
 * Returns the names that are known outside of the project.
 */
async function renameKind(draft: Draft, resource: Resource, { project, next }: Change): Promise<string[]> {
  const [from, to] = [webhookContext(project, resource, ""), webhookContext(next, resource, "")];
  const renamed: string[] = [];
  const replaceIn = async (path: string, before: string, after: string, what?: string): Promise<void> => {
    const text = await draft.read(path);
    if (before === after || text === undefined || !text.includes(before)) return;
    await draft.change(path, () => text.replaceAll(before, after));
    if (what) renamed.push(what);
  };
  const names = (what: string, nameIn: (of: typeof from) => string): string =>
    `${what} ${nameIn(from)} to ${nameIn(to)}`;
  const controller = `${to.controllerFolder}/${to.controllerFile}_controller.ts`;
  await replaceIn(
    controller,
    `.named("${from.controllerName}")`,
    `.named("${to.controllerName}")`,
    names("controller", (of) => of.controllerName),
  );
  const recorder = (name: string): string => `eventRecorder("${name}-controller")`;
  await replaceIn(
    mainFile.path,
    recorder(from.controllerName),
    recorder(to.controllerName),
    names("event source", (of) => `${of.controllerName}-controller`),
  );
  for (const type of ["defaulter", "validator"]) {
    const marker = (name: string): string => `,name=${type === "defaulter" ? "m" : "v"}${name}.kb.io,`;
    await replaceIn(
      `${to.webhookFolder}/${to.lowerKind}_${type}.ts`,
      marker(from.webhookName),
      marker(to.webhookName),
      names("webhook", (of) => `${type === "defaulter" ? "m" : "v"}${of.webhookName}.kb.io`),
    );
  }
  for (const who of ["admin", "editor", "viewer"]) {
    const path = `config/rbac/${to.roleFile}_${who}_role.yaml`;
    await replaceIn(
      path,
      `name: ${from.roleName}-${who}-role`,
      `name: ${to.roleName}-${who}-role`,
      names(to.roleKind, (of) => `${of.roleName}-${who}-role`),
    );
    const line = (file: string): string => `- ${file}_${who}_role.yaml`;
    await replaceIn("config/rbac/kustomization.yaml", line(from.roleFile), line(to.roleFile));
  }
  const patch = (name: string): string => `- path: patches/${name}.yaml`;
  await replaceIn("config/crd/kustomization.yaml", patch(from.crdPatch), patch(to.crdPatch));
  return renamed;
}
