import { TsopError } from "../../../errors/tsop-error.ts";
import type { Disk } from "../../../files/disk.ts";
import type { Plan } from "../../../files/plan.ts";
import type { LoadedProject } from "../../load-project.ts";
import { qualifiedGroup, findResource, versionsOf, withResource, type Resource, type Project } from "../../project.ts";
import { apiContext, type ApiContext } from "./api-context.ts";
import { checkApiOptions, type ApiOptions } from "./api-options.ts";
import { controllerEntry, imageFragments, insertFragments, resourceFragments } from "./api-fragments.ts";
import { appliesFields, controllersOf, withController } from "./controllers.ts";
import { deployImageContext, withDeployImage } from "./deploy-image.ts";
import { Draft, addDependency } from "../draft/draft.ts";
import { ownResource, resolveResource } from "./resolve-resource.ts";
import { addSetUp, mainFile, removeSetUp } from "../draft/set-up-entries.ts";
import { markStorageVersion } from "./storage-version.ts";

/** Plans a new kind, its controller, or both. */
export async function planApi(loaded: LoadedProject, options: ApiOptions, disk: Disk): Promise<Plan> {
  const { project, root, text } = loaded;
  checkApiOptions(project, options);
  const known = findResource(project, options);
  if (options.resource && known?.api && !options.force) throw apiExists(known);
  const described = options.resource
    ? { ...known, ...ownResource(project, { ...options, ssa: options.ssa ?? known?.api?.ssa }) }
    : resolveResource(project, options);
  const resource = options.controller ? withController(described, options.controllerName, options.force) : described;
  if (options.ssa && !appliesFields(resource, options.controllerName))
    throw new TsopError("TSOP_SSA_CONTROLLER", { kind: options.kind, first: controllersOf(resource)[0]! });

  const draft = new Draft(root, disk);
  const context = {
    ...apiContext(project, resource, { controllerName: options.controllerName, header: await draft.header() }),
    ...(options.deployImage ? deployImageContext(options.deployImage) : {}),
  };
  if (options.resource) {
    const earlier = versionsOf(project, options).findLast(({ api }) => api);
    await draftResource(draft, context, { options, markers: await markersToCarry(draft, project, earlier) });
    await markStorageVersion(draft, project, versionsOf(project, options));
  }
  if (options.controller) await draftController(draft, context, { resource, options });
  await addDependency(draft, options.externalApiModule);
  return draft.planWith(withDeployImage(withResource(project, resource), resource, options.deployImage), text);
}

async function draftResource(
  draft: Draft,
  context: ApiContext,
  { options, markers }: { readonly options: ApiOptions; readonly markers: readonly string[] },
): Promise<void> {
  const types = options.deployImage ? "deploy-image-types" : "types";
  draft.createAll(await draft.render("create-api", [types, "roles"], context));
  const shared = await draft.render("create-api", ["new-version", "first-kind"], context);
  await draft.createMissing(shared.map(({ path, text }) => ({ path, text: withMarkers(text, markers) })));
  await insertFragments(draft, resourceFragments(context));
}

async function draftController(
  draft: Draft,
  context: ApiContext,
  { resource, options }: { readonly resource: Resource; readonly options: ApiOptions },
): Promise<void> {
  const parts = controllerParts(resource, options.deployImage !== undefined);
  draft.createAll(await draft.render("create-api", parts, context));
  const entry = controllerEntry(context, options.deployImage);
  // Another kind of controller has other arguments.
  if (options.force) await removeSetUp(draft, mainFile, entry.module);
  await addSetUp(draft, mainFile, entry);
  if (options.deployImage) await insertFragments(draft, imageFragments(context, options.deployImage));
}

/** Returns the parts of `create-api` that have the code and the test of a controller. */
export function controllerParts(resource: Resource, deploysImage: boolean): string[] {
  if (deploysImage) return ["deploy-image-controller"];
  return ["controller", resource.core || resource.external ? "foreign-controller-test" : "controller-test"];
}

/** Returns the refusal to create a kind that the project has. */
export function apiExists(known: Resource): TsopError {
  return new TsopError("TSOP_API_EXISTS", { kind: known.kind, group: qualifiedGroup(known), version: known.version });
}

/** Markers of a version's folder that the other versions of a kind need as well. */
const carried = /^[ \t]*(?:\/\/|\*)?[ \t]*(\+tsop:(?:maxDescLen=\d+|embeddedObjectMeta(?:=(?:true|false))?))[ \t]*$/gm;

/** Returns the markers in the folder of an earlier version that its next version keeps. */
async function markersToCarry(draft: Draft, project: Project, earlier: Resource | undefined): Promise<string[]> {
  if (!earlier) return [];
  const folder = `api/${apiContext(project, earlier).apiFolder}`;
  const names = (await draft.disk.list(`${draft.root}/${folder}`)).filter((name) => name.endsWith(".ts"));
  const texts = await Promise.all(names.map((name) => draft.read(`${folder}/${name}`)));
  return [...new Set(texts.flatMap((text = "") => [...text.matchAll(carried)].map(([, marker]) => marker!)))];
}

/** Adds markers of a folder below the one of its group. */
function withMarkers(text: string, markers: readonly string[]): string {
  const lines = markers.map((marker) => `\n// ${marker}`).join("");
  return text.replace(/^\/\/ \+groupName=.*$/m, (line) => line + lines);
}
