import { TsopError } from "../../../errors/tsop-error.ts";
import type { Disk } from "../../../files/disk.ts";
import type { Plan } from "../../../files/plan.ts";
import type { LoadedProject } from "../../load-project.ts";
import { findResource, versionsOf, withoutResource, withResource, type Project, type Resource } from "../../project.ts";
import { apiContext, kindImport, type ApiContext } from "./api-context.ts";
import { controllerEntry, imageFragments, removeFragments, resourceFragments } from "./api-fragments.ts";
import { knownKinds, placeOf } from "./resolve-resource.ts";
import { controllersOf, withController } from "./controllers.ts";
import { deployImageContext, deployImageOf, withoutDeployImage } from "./deploy-image.ts";
import { Draft, inOtherLayout, removeRendered } from "../draft/draft.ts";
import type { RenderedFile } from "../templates/render-templates.ts";
import { controllerParts } from "./plan-api.ts";
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
  const deleting = { draft, project, resource, header: await draft.header() };

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
  return draft.planWith(withoutDeployImage(left, resource), text);
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

async function resourceFiles({ draft, project, resource, header }: Deleting, left: Project): Promise<RenderedFile[]> {
  const image = deployImageOf(project, resource);
  const context = { ...apiContext(project, resource, { header }), ...(image ? deployImageContext(image) : {}) };
  const last = lastOf(resource, left, context);
  const parts = [
    image ? "deploy-image-types" : "types",
    ...(last.ofVersions ? ["roles"] : []),
    ...(last.inFolder ? ["new-version"] : []),
  ];
  return draft.render("create-api", parts, context);
}

/** Reports of what a resource is the last one: of the versions of its kind, in its folder, in the project. */
function lastOf(resource: Resource, left: Project, { apiFolder }: ApiContext) {
  const others = ownKinds(left);
  return {
    ofVersions: versionsOf(left, resource).every(({ api }) => !api),
    inFolder: !others.some((other) => apiContext(left, other).apiFolder === apiFolder),
    inProject: others.length === 0,
  };
}

/** Removes generated files, lines in kustomizations, and files that no other kind needs. */
async function unlinkResource({ draft, project, resource }: Deleting, left: Project): Promise<void> {
  const context = apiContext(project, resource);
  const last = lastOf(resource, left, context);
  if (last.inFolder) await draft.remove(`api/${context.apiFolder}/zz_generated.kinds.ts`);
  const sharesCrd = ownKinds(left).some((other) => {
    const { apiGroup, plural } = apiContext(left, other);
    return apiGroup === context.apiGroup && plural === context.plural;
  });
  if (!sharesCrd) await draft.remove(`config/crd/bases/${context.apiGroup}_${context.plural}.yaml`);
  const [crd, sample, roles, ...folders] = resourceFragments(context);
  await removeFragments(draft, [
    sample!,
    ...(sharesCrd ? [] : [crd!]),
    ...(last.ofVersions ? [roles!] : []),
    ...(last.inProject ? folders : []),
  ]);
  if (last.inProject)
    await removeRendered(draft, await draft.render("create-api", ["first-kind"], context), { force: true });
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

async function controllerFiles({ draft, project, resource }: Deleting, context: ApiContext): Promise<RenderedFile[]> {
  const image = deployImageOf(project, resource);
  if (image) await removeFragments(draft, imageFragments(context, image));
  return draft.render("create-api", controllerParts(resource, image !== undefined), context);
}
