import { pluralize } from "../apimachinery/names.ts";
import { qualifiedGroup, type Project, type Resource } from "../project/project.ts";

/** Every name that the files of a kind are made of, computed once. */
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
  /** `api/v1alpha1`, or `api/cache/v1alpha1` with many groups. */
  readonly apiFolder: string;
  readonly kindImport: string;
  readonly controllerFolder: string;
  /** File name without `_controller.ts`. */
  readonly controllerFile: string;
  readonly controllerName: string;
  readonly reconciler: string;
  readonly rbacGroup: string;
  readonly rbacNamespace: string;
  readonly roleKind: string;
  readonly roleName: string;
  readonly roleFile: string;
  /** File name without `.yaml`. */
  readonly sample: string;
  readonly resourceMarker: string;
  readonly header: string;
}

export interface ApiNames {
  readonly resource: Resource;
  readonly header: string;
  readonly controllerName?: string | undefined;
}

/** Computes the names of a kind in a project. */
export function apiContext(project: Project, { resource, header, controllerName }: ApiNames): ApiContext {
  const { group = "", kind, version } = resource;
  const lowerKind = kind.toLowerCase();
  const plural = resource.plural ?? pluralize(lowerKind);
  const isMulti = project.multigroup === true && group !== "";
  const apiGroup = qualifiedGroup(resource);
  const namespaced = resource.api?.namespaced ?? false;
  const apiFolder = `${isMulti ? `${group}/` : ""}${version}`;
  const controllerFile = (controllerName ?? lowerKind).replaceAll("-", "_");
  const markerParts = [
    ...(namespaced ? [] : ["scope=Cluster"]),
    ...(resource.plural ? [`path=${resource.plural}`] : []),
  ];
  return {
    projectName: project.projectName,
    group,
    version,
    kind,
    lowerKind,
    variable: variableName(kind),
    plural,
    apiGroup,
    apiVersion: `${apiGroup}/${version}`,
    namespaced,
    apiFolder,
    kindImport: `${isMulti ? "../../" : "../"}api/${apiFolder}/zz_generated.kinds.ts`,
    controllerFolder: isMulti ? `controllers/${group}` : "controllers",
    controllerFile,
    controllerName: controllerName ?? (isMulti ? `${group}-${lowerKind}` : lowerKind),
    reconciler: `${controllerName ? upperCamel(controllerName) : kind}Reconciler`,
    rbacGroup: apiGroup,
    rbacNamespace: project.namespaced ? `,namespace=${project.projectName}-system` : "",
    roleKind: project.namespaced ? "Role" : "ClusterRole",
    roleName: isMulti ? `${group}-${lowerKind}` : lowerKind,
    roleFile: isMulti ? `${group}_${lowerKind}` : lowerKind,
    sample: [group, version, lowerKind].filter(Boolean).join("_"),
    resourceMarker: markerParts.join(","),
    header,
  };
}

/** `Memcached` → `memcached`, `HTTPRoute` → `httpRoute`. */
function variableName(kind: string): string {
  const name = kind.replace(/^[A-Z]+(?=[A-Z][a-z])|^[A-Z]+(?![a-z])|^[A-Z]/, (start) => start.toLowerCase());
  return reservedWords.has(name) ? `${name}Object` : name;
}

const reservedWords = new Set(
  (
    "async await break case catch class const continue ctx debugger default delete do else enum env export extends false " +
    "finally for function if implements import in instanceof interface key let new null package private protected public req " +
    "result return static super switch this throw true try typeof var void while with yield"
  ).split(" "),
);

function upperCamel(name: string): string {
  return name.replace(/(^|[-.])([a-z0-9])/g, (_whole, _dash, letter: string) => letter.toUpperCase());
}
