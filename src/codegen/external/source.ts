import { isObject } from "../../apimachinery/is-object.ts";
import type { Project } from "../../project/project.ts";

/** Where foreign CustomResourceDefinitions come from, as PROJECT records it. */
export interface Source {
  /** A file or a folder, relative to the project. */
  readonly file?: string;
  readonly url?: string;
  /** The name of a definition in the cluster, or an API group. */
  readonly cluster?: string;
  /** The folder of the types, relative to the project; by default, api/external/<group>. */
  readonly output?: string;
}

const pluginKey = "types.tsop.dev/v1";

/** Returns the sources that PROJECT records. Other tools keep the entry of a plugin that they do not know. */
export function recordedSources(project: Project): Source[] {
  const plugin = project.plugins?.[pluginKey] as { sources?: unknown } | null | undefined;
  const sources: readonly unknown[] = Array.isArray(plugin?.sources) ? plugin.sources : [];
  return sources.filter(isSource);
}

/** Returns the project with a source, once. */
export function withSource(project: Project, source: Source): Project {
  const others = recordedSources(project).filter((other) => nameOf(other) !== nameOf(source));
  return { ...project, plugins: { ...project.plugins, [pluginKey]: { sources: [...others, source] } } };
}

/** Returns the name of a source for messages. */
export function nameOf({ file, url, cluster }: Source): string {
  return file ?? url ?? `cluster ${cluster}`;
}

function isSource(value: unknown): value is Source {
  if (!isObject(value) || !Object.values(value).every((one) => typeof one === "string")) return false;
  return "file" in value || "url" in value || "cluster" in value;
}
