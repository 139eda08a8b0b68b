import { TsopError } from "../../../errors/tsop-error.ts";
import type { Disk } from "../../../files/disk.ts";
import type { Plan } from "../../../files/plan.ts";
import { boilerplateFile, fileHeader } from "../../../files/file-header.ts";
import type { LoadedProject } from "../../load-project.ts";
import { formatProject } from "../../parse-project.ts";
import { findResource, versionsOf, withoutResource, withResource, type Project, type Resource } from "../../project.ts";
import { apiContext, kindImport, type ApiContext } from "./api-context.ts";
import { controllerEntry, imageFragments, removeFragments, resourceFragments } from "./api-fragments.ts";
import { knownKinds, placeOf } from "./resolve-resource.ts";
import { controllersOf, withController } from "./controllers.ts";
import { deployImageContext, deployImageOf, withoutDeployImage } from "./deploy-image.ts";
import { Draft, inOtherLayout, removeRendered } from "../draft/draft.ts";
import { renderTemplates, type RenderedFile } from "../templates/render-templates.ts";
import { mainFile, removeSetUp } from "../draft/set-up-entries.ts";

export interface DeleteOptions {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** Also removes files that were edited. */
  readonly force: boolean;
}

/**
 * Plans the removal of the files and lines of `create api` for one version of a kind, including its controllers, but for
 * those that work with another version.
 */
export async function planDeleteApi(loaded: LoadedProject, options: DeleteOptions, disk: Disk): Promise<Plan> {
  const { project, root, text } = loaded;
  const resource = requireResource(project, options);
  refuseWebhooks(project, resource);
  const draft = new Draft(root, disk);
  const header = fileHeader(await draft.read(boilerplateFile));
  const deleting = { draft, disk, project, resource, header };

  let left = withoutResource(project, resource);
  const controllers: ApiContext[] = [];
  for (const name of controllersOf(resource)) {
    const context = controllerContext(deleting, name);
    const heir = await heirOf(deleting, left, context);
    if (heir) left = withResource(left, withController(heir, isUnnamed(resource, name) ? undefined : name, true));
    else controllers.push(context);
  }
  const files = [
    ...(resource.api ? await resourceFiles(deleting, left) : []),
    ...(await Promise.all(controllers.map((context) => controllerFiles(deleting, context)))).flat(),
  ];
  const named = (of: Project): string => `.named("${apiContext(of, resource).controllerName}")`;
  const formerNames = [[named(project), named(inOtherLayout(project))]] as const;
  await removeRendered(draft, files, { force: options.force, formerNames });
  for (const context of controllers) await removeSetUp(draft, mainFile, controllerEntry(context).module);
  if (resource.api) await unlinkResource(deleting, left);
  await draft.change("PROJECT", () => formatProject(withoutDeployImage(left, resource), text));
  return draft.plan();
}

/** Returns the resource to delete, or fails with the existing ones. */
export function requireResource(project: Project, { group, version, kind }: DeleteOptions): Resource {
  const resource = findResource(project, { group, version, kind });
  if (resource) return resource;
  const place = placeOf({ group, version });
  throw new TsopError("TSOP_NOT_IN_PROJECT", { kind, place, known: knownKinds(project) });
}

interface Deleting {
  readonly draft: Draft;
  readonly disk: Disk;
  readonly project: Project;
  readonly resource: Resource;
  readonly header: string;
}

function refuseWebhooks(project: Project, resource: Resource): void {
  const { group = "", kind, version } = resource;
  const hub = versionsOf(project, resource).find((other) => other.webhooks?.spoke?.includes(version));
  const holder = hub ?? (resource.webhooks ? resource : undefined);
  if (holder) throw new TsopError("TSOP_HAS_WEBHOOKS", { kind, version, group, holder: holder.version });
}

async function resourceFiles({ disk, project, resource, header }: Deleting, left: Project): Promise<RenderedFile[]> {
  const image = deployImageOf(project, resource);
  const context = { ...apiContext(project, resource, { header }), ...(image ? deployImageContext(image) : {}) };
  const isLastVersion = versionsOf(left, resource).every(({ api }) => !api);
  const isLastInFolder = !ownKinds(left).some((other) => apiContext(left, other).apiFolder === context.apiFolder);
  const parts = [
    image ? "deploy-image-types" : "types",
    ...(isLastVersion ? ["roles"] : []),
    ...(isLastInFolder ? ["new-version"] : []),
  ];
  return renderTemplates(disk, "create-api", parts, context);
}

/** Removes generated files, lines in kustomizations, and files that no other kind needs. */
async function unlinkResource({ draft, disk, project, resource }: Deleting, left: Project): Promise<void> {
  const context = apiContext(project, resource);
  const isLastVersion = versionsOf(left, resource).every(({ api }) => !api);
  const isLastInFolder = !ownKinds(left).some((other) => apiContext(left, other).apiFolder === context.apiFolder);
  const isLast = ownKinds(left).length === 0;
  if (isLastInFolder) await draft.remove(`api/${context.apiFolder}/zz_generated.kinds.ts`);
  const sharesCrd = ownKinds(left).some((other) => {
    const { apiGroup, plural } = apiContext(left, other);
    return apiGroup === context.apiGroup && plural === context.plural;
  });
  if (!sharesCrd) await draft.remove(`config/crd/bases/${context.apiGroup}_${context.plural}.yaml`);
  const [crd, sample, roles, ...folders] = resourceFragments(context);
  await removeFragments(draft, [
    sample!,
    ...(sharesCrd ? [] : [crd!]),
    ...(isLastVersion ? [roles!] : []),
    ...(isLast ? folders : []),
  ]);
  if (isLast) {
    const files = await renderTemplates(disk, "create-api", ["first-kind"], context);
    await removeRendered(draft, files, { force: true });
  }
}

function ownKinds(project: Project): Resource[] {
  return (project.resources ?? []).filter(({ api }) => api);
}

function controllerContext({ project, resource, header }: Deleting, name: string): ApiContext {
  const image = deployImageOf(project, resource);
  const controllerName = isUnnamed(resource, name) ? undefined : name;
  const context = apiContext(project, resource, { header, controllerName });
  return { ...context, ...(image ? deployImageContext(image) : {}) };
}

function isUnnamed({ kind }: Resource, name: string): boolean {
  return name === kind.toLowerCase();
}

/** Returns a version that is left and that a controller works with: the controller was ported to it, and stays. */
async function heirOf(
  { draft, project, resource }: Deleting,
  left: Project,
  { controllerFolder, controllerFile }: ApiContext,
): Promise<Resource | undefined> {
  if (deployImageOf(project, resource)) return undefined;
  const text = (await draft.read(`${controllerFolder}/${controllerFile}_controller.ts`)) ?? "";
  const imports = [...text.matchAll(/^import (?:type )?\{([^}]*)\} from "([^"]*)";$/gm)];
  return versionsOf(left, resource).find((other) => {
    const path = kindImport(left, other, controllerFolder);
    return imports.some(([, names = "", from]) => from === path && names.split(/\W+/).includes(resource.kind));
  });
}

async function controllerFiles(
  { draft, disk, project, resource }: Deleting,
  context: ApiContext,
): Promise<RenderedFile[]> {
  const image = deployImageOf(project, resource);
  if (image) {
    await removeFragments(draft, imageFragments(context, image));
    return renderTemplates(disk, "create-api", ["deploy-image-controller"], context);
  }
  const test = resource.core || resource.external ? "foreign-controller-test" : "controller-test";
  return renderTemplates(disk, "create-api", ["controller", test], context);
}
