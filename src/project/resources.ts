import { qualifiedGroup, type Project, type Resource } from "./project.ts";

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
