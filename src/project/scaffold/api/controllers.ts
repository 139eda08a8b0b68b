import { TsopError } from "../../../errors/tsop-error.ts";
import { versionsOf, type Project, type Resource } from "../../project.ts";

/** Returns the names of a kind's controllers; the unnamed one has the name of the kind. */
export function controllersOf(resource: Resource): string[] {
  if (resource.controllers) return resource.controllers.map(({ name }) => name);
  return resource.controller ? [resource.kind.toLowerCase()] : [];
}

/** Reports whether `create api --ssa` wrote the controller: it writes the first one of a kind, with the types. */
export function appliesFields(resource: Resource, name: string = resource.kind.toLowerCase()): boolean {
  return resource.api?.ssa === true && controllersOf(resource)[0] === name;
}

/** Reports whether some version of a kind has a controller: controllers are not versioned. */
export function hasController(project: Project, names: { group?: string; kind: string }): boolean {
  return versionsOf(project, names).some((resource) => controllersOf(resource).length > 0);
}

/**
 * Returns the resource with another controller. Names must differ in more than punctuation, since they become class
 * names.
 */
export function withController(resource: Resource, name: string | undefined, force = false): Resource {
  const existing = controllersOf(resource);
  const wanted = name ?? resource.kind.toLowerCase();
  const taken = existing.find((other) => identifier(other) === identifier(wanted));
  if (taken !== undefined && (!force || taken !== wanted)) {
    throw new TsopError("TSOP_CONTROLLER_EXISTS", { kind: resource.kind, name: taken });
  }
  if (name === undefined && !resource.controllers) return { ...resource, controller: true };
  const { controller: _unnamed, ...rest } = resource;
  const names = taken === undefined ? [...existing, wanted] : existing;
  return { ...rest, controllers: names.map((each) => ({ name: each })) };
}

function identifier(name: string): string {
  return name.replace(/[^a-z0-9]/g, "");
}
