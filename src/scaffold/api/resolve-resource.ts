import { pluralize } from "../../apimachinery/names.ts";
import { TsopError } from "../../errors/tsop-error.ts";
import type { Project, Resource } from "../../project/project.ts";
import { findResource } from "../../project/resources.ts";
import { checkGroupDomain, type ResourceOptions } from "./resource-options.ts";

/** The built-in groups by their short name, and the domain that completes them. */
const builtinGroups: Readonly<Record<string, string>> = {
  admission: "k8s.io",
  admissionregistration: "k8s.io",
  apiextensions: "k8s.io",
  apps: "",
  authentication: "k8s.io",
  authorization: "k8s.io",
  autoscaling: "",
  batch: "",
  certificates: "k8s.io",
  coordination: "k8s.io",
  core: "",
  discovery: "k8s.io",
  events: "k8s.io",
  flowcontrol: "apiserver.k8s.io",
  networking: "k8s.io",
  node: "k8s.io",
  policy: "",
  "rbac.authorization": "k8s.io",
  resource: "k8s.io",
  scheduling: "k8s.io",
  storage: "k8s.io",
};

/** Reports whether Kubernetes has a group of this short name. */
export function isBuiltinGroup(group: string): boolean {
  return Object.hasOwn(builtinGroups, group);
}

/** Returns a new kind of the project as PROJECT records it. */
export function ownResource(project: Project, options: ResourceOptions, namespaced: boolean): Resource {
  const { group, version, kind } = options;
  return {
    api: { crdVersion: "v1", ...(namespaced ? { namespaced: true } : {}) },
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
  const domain = Object.hasOwn(builtinGroups, group) ? builtinGroups[group] : undefined;
  if (domain === undefined) {
    checkGroupDomain(project, group);
    const facts = { kind, group, version, place: placeOf(options), known: knownKinds(project) };
    throw new TsopError("TSOP_API_UNKNOWN", facts);
  }
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

function irregularPlural({ kind, plural }: ResourceOptions): { plural?: string } {
  return plural === undefined || plural === pluralize(kind.toLowerCase()) ? {} : { plural };
}
