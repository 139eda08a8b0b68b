import { pluralize } from "../../../apimachinery/names.ts";
import { qualifiedGroup, type Project, type Resource } from "../../project.ts";
import { appliesFields } from "./controllers.ts";
import { relativeImport } from "../draft/relative-import.ts";

/** The names used in the files of a kind, computed once. */
export interface ApiContext {
  readonly [name: string]: string | boolean;
  readonly projectName: string;
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly lowerKind: string;
  readonly variable: string;
  readonly plural: string;
  readonly apiGroup: string;
  readonly apiVersion: string;
  readonly namespaced: boolean;
  /** True if another project defines the kind. */
  readonly external: boolean;
  /** `v1alpha1`, or `cache/v1alpha1` in a multi-group project. */
  readonly apiFolder: string;
  /** The module that a controller imports the Kind from. */
  readonly kindImport: string;
  readonly controllerFolder: string;
  /** File name without `_controller.ts`. */
  readonly controllerFile: string;
  readonly controllerName: string;
  readonly reconciler: string;
  /** True if the controller uses server-side apply. */
  readonly ssa: boolean;
  readonly rbacGroup: string;
  readonly rbacNamespace: string;
  readonly roleKind: string;
  readonly roleName: string;
  readonly roleFile: string;
  /** File name without `.yaml`. */
  readonly sample: string;
  /** The name of the sample: with the version if the kind had another one before, as they would be one object. */
  readonly sampleName: string;
  readonly resourceMarker: string;
  readonly header: string;
}

export interface ApiContextOptions {
  /** Determines the names of the controller's file and class. */
  readonly controllerName?: string | undefined;
  readonly header?: string;
}

/** Computes the names of a kind in a project. */
export function apiContext(
  project: Project,
  resource: Resource,
  { controllerName, header = "" }: ApiContextOptions = {},
): ApiContext {
  const { group = "", kind, version } = resource;
  const lowerKind = kind.toLowerCase();
  const isMulti = project.multigroup === true && group !== "";
  const apiGroup = resource.core && group === "core" ? "" : qualifiedGroup(resource);
  const namespaced = resource.api?.namespaced ?? false;
  const controllerFolder = isMulti ? `controllers/${group}` : "controllers";
  const prefixed = (separator: string): string => (isMulti ? `${group}${separator}${lowerKind}` : lowerKind);
  return {
    projectName: project.projectName,
    group,
    version,
    kind,
    lowerKind,
    variable: variableName(kind),
    plural: resource.plural ?? pluralize(lowerKind),
    apiGroup,
    apiVersion: apiGroup ? `${apiGroup}/${version}` : version,
    namespaced,
    external: resource.external ?? false,
    apiFolder: `${isMulti ? `${group}/` : ""}${version}`,
    kindImport: kindImport(project, resource, controllerFolder),
    controllerFolder,
    controllerFile: (controllerName ?? lowerKind).replaceAll("-", "_"),
    controllerName: controllerName ?? prefixed("-"),
    reconciler: `${controllerName ? upperCamel(controllerName) : kind}Reconciler`,
    ssa: appliesFields(resource, controllerName),
    rbacGroup: apiGroup || "core",
    rbacNamespace: project.namespaced ? `,namespace=${project.projectName}-system` : "",
    roleKind: project.namespaced ? "Role" : "ClusterRole",
    roleName: prefixed("-"),
    roleFile: prefixed("_"),
    sample: [group, version, lowerKind].filter(Boolean).join("_"),
    sampleName: `${lowerKind}${isFirstVersion(project, resource) ? "" : `-${version}`}-sample`,
    resourceMarker: resourceMarker(resource, namespaced),
    header,
  };
}

function isFirstVersion({ resources = [] }: Project, { group, domain, kind, version }: Resource): boolean {
  const first = resources.find((each) => each.kind === kind && each.group === group && each.domain === domain);
  return first === undefined || first.version === version;
}

/**
 * Returns the module that a file in `folder` imports a Kind from: generated code, `tsop/k8s`, or the path that the user
 * gave.
 */
export function kindImport(project: Project, resource: Resource, folder: string): string {
  const { group = "", path = "", version } = resource;
  if (resource.core) return `tsop/k8s/${group.split(".")[0]}/${version}`;
  if (resource.external) return path.startsWith("./") ? relativeImport(folder, path.slice(2)) : path;
  const apiFolder = project.multigroup && group ? `${group}/${version}` : version;
  return relativeImport(folder, `api/${apiFolder}/zz_generated.kinds.ts`);
}

function resourceMarker(resource: Resource, namespaced: boolean): string {
  const path = resource.plural ? [`path=${resource.plural}`] : [];
  return [...(namespaced ? [] : ["scope=Cluster"]), ...path].join(",");
}

/** `Memcached` → `memcached`, `HTTPRoute` → `httpRoute`. */
function variableName(kind: string): string {
  const name = kind.replace(/^[A-Z]+(?=[A-Z][a-z])|^[A-Z]+(?![a-z])|^[A-Z]/, (start) => start.toLowerCase());
  return takenNames.has(name) ? `${name}Object` : name;
}

/** Reserved words of JavaScript, and names that the templates use. */
const takenNames = new Set(
  (
    "async await break case catch class const continue ctx debugger default delete do else enum env export extends " +
    "false finally for function home if implements import in instanceof interface key let new null package private " +
    "protected public req result return sample static super switch this throw true try typeof var void while with yield"
  ).split(" "),
);

/** `captain-backup` → `CaptainBackup`. */
export function upperCamel(name: string): string {
  return name.replace(/(^|-)([a-z0-9])/g, (_whole, _dash, letter: string) => letter.toUpperCase());
}
