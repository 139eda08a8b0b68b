import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { UnstructuredObject } from "../../src/apimachinery/meta.ts";
import type { CustomResourceDefinition } from "../../src/apimachinery/crd/crd-types.ts";

/** A definition, with the custom resources of its served versions. */
export interface Subject {
  readonly crd: CustomResourceDefinition;
  readonly resources: readonly Resource[];
}

export interface Resource {
  /** The version of the object, and of the paths of its requests. */
  readonly version: string;
  readonly object: UnstructuredObject;
}

/** Reads each definition of apiextensions.k8s.io/v1 once, in the order of names; of several, a project's own. */
export function readCorpus(folder: string): Subject[] {
  const crds = new Map<string, CustomResourceDefinition>();
  const objects = new Map<string, UnstructuredObject[]>();
  // Collections of many projects come last.
  const files = readdirSync(folder).filter((name) => name.endsWith(".jsonl"));
  const own = (name: string): number => Number(name.includes("community-operators"));
  for (const name of files.toSorted((a, b) => own(a) - own(b) || (a < b ? -1 : 1))) {
    for (const line of readFileSync(join(folder, name), "utf8").split("\n").filter(Boolean)) {
      const object = JSON.parse(line) as UnstructuredObject;
      if (object.kind === "CustomResourceDefinition") addCrd(crds, object);
      else addObject(objects, object);
    }
  }
  const sorted = [...crds.values()].sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
  return sorted.map((crd) => ({ crd, resources: resourcesOf(crd, objects) }));
}

function addCrd(crds: Map<string, CustomResourceDefinition>, object: UnstructuredObject): void {
  if (object.apiVersion !== "apiextensions.k8s.io/v1") return;
  const { name } = object.metadata ?? {};
  const crd = object as unknown as CustomResourceDefinition;
  const isWhole = typeof name === "string" && Array.isArray(crd.spec?.versions) && crd.spec.names;
  // Patches of kustomize look like definitions.
  if (isWhole && crd.spec.versions.some(({ schema }) => schema) && !crds.has(name)) crds.set(name, crd);
}

function addObject(objects: Map<string, UnstructuredObject[]>, object: UnstructuredObject): void {
  const key = `${object.apiVersion} ${object.kind}`;
  const known = objects.get(key);
  if (known) known.push(object);
  else objects.set(key, [object]);
}

function resourcesOf({ spec }: CustomResourceDefinition, objects: Map<string, UnstructuredObject[]>): Resource[] {
  const seen = new Set<string>();
  return spec.versions
    .filter(({ served }) => served)
    .flatMap(({ name }) => {
      const found = objects.get(`${spec.group}/${name} ${spec.names.kind}`) ?? [];
      return found.map((object) => ({ version: name, object: placed(object, spec.scope) }));
    })
    .filter(({ object }) => {
      const text = JSON.stringify(object);
      return !seen.has(text) && seen.add(text);
    });
}

/** All objects with a namespace are put into one. */
function placed(object: UnstructuredObject, scope: string): UnstructuredObject {
  if (scope !== "Namespaced") return object;
  const { namespace: _, ...metadata } = object.metadata ?? {};
  return { ...object, metadata };
}
