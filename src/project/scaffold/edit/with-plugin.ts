import type { Project } from "../../project.ts";

/** Returns the project with or without the record of a plugin. */
export function withPlugin(project: Project, key: string, isOn: boolean): Project {
  const { [key]: before = {}, ...others } = project.plugins ?? {};
  const plugins = isOn ? { ...others, [key]: before } : others;
  const { plugins: _all, ...rest } = project;
  return Object.keys(plugins).length > 0 ? { ...rest, plugins } : rest;
}
