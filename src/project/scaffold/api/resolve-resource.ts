import { pluralize } from "../../../apimachinery/names.ts";
import { TsopError } from "../../../errors/tsop-error.ts";
import { findResource, type Project, type Resource } from "../../project.ts";
import type { ApiFlags } from "./api-flags.ts";
import { builtinDomain, builtinKinds, type NamedKind } from "./builtin-kinds.ts";
import { checkGroupDomain, type ResourceOptions } from "./resource-options.ts";
import { editDistance, nearestWord } from "../../../apimachinery/edit-distance.ts";

/** Returns a new kind of the project as PROJECT records it. */
export function ownResource(
  project: Project,
  options: ResourceOptions & Pick<ApiFlags, "namespaced" | "ssa">,
): Resource {
  const { group, version, kind, namespaced, ssa } = options;
  return {
    api: { crdVersion: "v1", ...(namespaced ? { namespaced: true } : {}), ...(ssa ? { ssa: true } : {}) },
    ...(project.domain ? { domain: project.domain } : {}),
    ...(group ? { group } : {}),
    kind,
    path: resourcePath(project, group, version),
    ...irregularPlural(options),
    version,
  };
}

/** Returns the path that PROJECT records for a kind. */
export function resourcePath(project: Project, group: string, version: string): string {
  return `${project.repo ?? project.projectName}/api/${project.multigroup && group ? `${group}/` : ""}${version}`;
}

/** Finds the kind to work with: one in PROJECT, a foreign one, or a built-in one. */
export function resolveResource(project: Project, options: ResourceOptions): Resource {
  const { group, version, kind, externalApiPath, externalApiDomain, externalApiModule } = options;
  const named = { ...(group ? { group } : {}), kind, ...irregularPlural(options), version };
  if (externalApiPath !== undefined) {
    const domain = externalApiDomain ?? project.domain ?? "";
    const module = externalApiModule === undefined ? {} : { module: externalApiModule };
    // The kind may have a controller or webhooks already.
    return {
      ...findResource(project, options),
      ...(domain ? { domain } : {}),
      external: true,
      ...named,
      ...module,
      path: externalApiPath,
    };
  }
  if (externalApiDomain !== undefined || externalApiModule !== undefined) {
    throw new TsopError("TSOP_EXTERNAL_PATH", { kind });
  }
  const known = findResource(project, options);
  if (known) return known;
  const domain = builtinDomain(group);
  if (domain === undefined) {
    checkGroupDomain(project, group);
    const create = `create it first: tsop create api --group=${group} --version ${version} --kind ${kind} --resource`;
    const meant = suggestKind(project, options);
    const advice = meant === undefined ? create : `${meant} Otherwise ${create}`;
    throw new TsopError("TSOP_API_UNKNOWN", { kind, place: placeOf(options), known: knownKinds(project), advice });
  }
  checkBuiltinKind(project, options);
  return { core: true, ...(domain ? { domain } : {}), ...named, path: `k8s.io/api/${group}/${version}` };
}

/** Names the kinds of a project, with their groups as flags give them. */
export function knownKinds({ resources = [] }: Project): string {
  return resources.map((each) => `${each.kind} in ${placeOf(each)}`).join(", ") || "none";
}

/** Names a group and a version: `cache/v1`, or `v1 without a group`. */
export function placeOf({ group, version }: { readonly group?: string | undefined; readonly version: string }): string {
  return group ? `${group}/${version}` : `${version} without a group`;
}

/** Refuses a kind that the built-in group does not have: the code could not import it. */
function checkBuiltinKind(project: Project, options: ResourceOptions): void {
  const { group, version, kind } = options;
  const ofGroup = builtinKinds().filter((each) => each.group === group);
  const versions = ofGroup.filter((each) => each.kind === kind).map((each) => each.version);
  // Of groups such as admission, no kind is a resource.
  if (ofGroup.length === 0 || versions.includes(version)) return;
  const named = [...new Set(ofGroup.map((each) => `${each.kind} in ${each.version}`))].join(", ");
  const advice = suggestKind(project, options) ?? `it has: ${named}`;
  throw new TsopError("TSOP_BUILTIN_KIND_UNKNOWN", { kind, place: placeOf(options), advice });
}

function irregularPlural({ kind, plural }: ResourceOptions): { plural?: string } {
  return plural === undefined || plural === pluralize(kind.toLowerCase()) ? {} : { plural };
}

/** Returns the flags of the kind that is meant by misspelled ones, of the project or of Kubernetes. */
function suggestKind({ resources = [] }: Project, given: NamedKind): string | undefined {
  const own = resources.map(({ group = "", version, kind }) => ({ group, version, kind }));
  const near = [...own, ...builtinKinds()].filter(
    ({ group, kind }) => resembles(given.group, group) && resembles(given.kind, kind),
  );
  const [nearest] = near.toSorted((a, b) => distance(given, a) - distance(given, b));
  if (!nearest) return undefined;
  const group = nearest.group ? `--group ${nearest.group} ` : "";
  return `did you mean ${group}--version ${nearest.version} --kind ${nearest.kind}?`;
}

function resembles(word: string, known: string): boolean {
  return word === known || nearestWord(word, [known]) !== undefined;
}

/** A kind with the right names in another version is nearer than one with other names. */
function distance(given: NamedKind, { group, version, kind }: NamedKind): number {
  return 3 * (editDistance(given.group, group) + editDistance(given.kind, kind)) + editDistance(given.version, version);
}
