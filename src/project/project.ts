import { posix } from "node:path";

/** The PROJECT file, schema version 3. Unknown fields are kept, in the value and in the file, but not misspelled ones. */
export interface Project {
  readonly version: "3";
  readonly cliVersion?: string;
  readonly domain?: string;
  readonly layout: readonly string[];
  readonly projectName: string;
  readonly repo?: string;
  readonly multigroup?: boolean;
  readonly namespaced?: boolean;
  readonly resources?: readonly Resource[];
  readonly plugins?: Readonly<Record<string, unknown>>;
}

/** A kind in one version. Group, domain, version and kind identify it. */
export interface Resource {
  readonly api?: { readonly crdVersion?: string; readonly namespaced?: boolean; readonly ssa?: boolean };
  readonly controller?: boolean;
  readonly controllers?: readonly { readonly name: string }[];
  readonly core?: boolean;
  readonly external?: boolean;
  readonly domain?: string;
  readonly group?: string;
  readonly kind: string;
  readonly module?: string;
  readonly path?: string;
  readonly plural?: string;
  readonly version: string;
  readonly webhooks?: Webhooks;
}

export interface Webhooks {
  readonly conversion?: boolean;
  readonly defaulting?: boolean;
  readonly defaultingPath?: string;
  readonly spoke?: readonly string[];
  readonly validation?: boolean;
  readonly validationPath?: string;
  readonly webhookVersion?: string;
}

/** The `layout` of a project that tsop created. */
export const layoutKey = "typescript.tsop.dev/v1";

/** Returns `cache.example.com`, or the half of it that is not empty. */
export function qualifiedGroup(resource: Pick<Resource, "group" | "domain">): string {
  return [resource.group, resource.domain].filter(Boolean).join(".");
}

interface Names {
  readonly group?: string;
  readonly version: string;
  readonly kind: string;
}

/** Finds the resource of a group (without its domain), version and kind. */
export function findResource(project: Project, { group = "", version, kind }: Names): Resource | undefined {
  return project.resources?.find(
    (other) => other.kind === kind && other.version === version && (other.group ?? "") === group,
  );
}

/** Returns all versions of a kind. */
export function versionsOf(project: Project, { group = "", kind }: Omit<Names, "version">): Resource[] {
  return (project.resources ?? []).filter((other) => other.kind === kind && (other.group ?? "") === group);
}

/** Returns the project with a resource added, or replaced if one with the same names exists. */
export function withResource(project: Project, resource: Resource): Project {
  const resources = project.resources ?? [];
  const isKnown = resources.some((other) => isSame(other, resource));
  return {
    ...project,
    resources: isKnown
      ? resources.map((other) => (isSame(other, resource) ? resource : other))
      : [...resources, resource],
  };
}

/** Returns the project without a resource. */
export function withoutResource(project: Project, resource: Resource): Project {
  const { resources = [], ...rest } = project;
  const left = resources.filter((other) => !isSame(other, resource));
  return left.length > 0 ? { ...rest, resources: left } : rest;
}

function isSame(a: Resource, b: Resource): boolean {
  return a.kind === b.kind && a.version === b.version && qualifiedGroup(a) === qualifiedGroup(b);
}

/** Returns the folders, relative to the project, that have the types of other projects' kinds. */
export function foreignFolders({ resources = [] }: Project): string[] {
  const paths = resources.flatMap(({ external, path = "" }) => (external && path.startsWith("./") ? [path] : []));
  return [...new Set(paths.map((path) => posix.normalize(posix.dirname(path))))];
}

/** Returns the project with or without the record of a plugin. */
export function withPlugin(project: Project, key: string, isOn: boolean, record?: object): Project {
  const { [key]: before = {}, ...others } = project.plugins ?? {};
  const plugins = isOn ? { ...others, [key]: record ?? before } : others;
  const { plugins: _all, ...rest } = project;
  return Object.keys(plugins).length > 0 ? { ...rest, plugins } : rest;
}
