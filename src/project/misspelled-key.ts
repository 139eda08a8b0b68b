import { nearestWord } from "../apimachinery/edit-distance.ts";

/** A key that PROJECT does not know, and the known key that it resembles. */
export interface MisspelledKey {
  readonly key: string;
  readonly meant: string;
}

/** Finds a misspelled key of PROJECT. Other unknown keys may be those of a newer tool. */
export function misspelledProjectKey(project: object): MisspelledKey | undefined {
  return misspelledKey(project, projectKeys);
}

/** Finds a misspelled key of a resource in PROJECT. */
export function misspelledResourceKey(resource: object): MisspelledKey | undefined {
  return misspelledKey(resource, resourceKeys);
}

// Those of kubebuilder and operator-sdk, too.
const projectKeys = [
  "cliVersion",
  "componentConfig",
  "domain",
  "layout",
  "multigroup",
  "namespaced",
  "plugins",
  "projectName",
  "repo",
  "resources",
  "version",
];
const resourceKeys = [
  "api",
  "controller",
  "controllers",
  "core",
  "domain",
  "external",
  "group",
  "kind",
  "module",
  "path",
  "plural",
  "version",
  "webhooks",
];

function misspelledKey(value: object, known: readonly string[]): MisspelledKey | undefined {
  for (const key of Object.keys(value).filter((name) => !known.includes(name))) {
    const meant = nearestWord(key, known);
    if (meant !== undefined) return { key, meant };
  }
  return undefined;
}
