import { parseApiVersion } from "../../apimachinery/kind.ts";
import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import { emitYaml } from "../../apimachinery/yaml/emit.ts";
import { isSupported } from "../bundle/bundle.ts";
import { isV1, type AssembledCsv } from "./assemble-csv.ts";
import { customResources, type Collection } from "./collect.ts";
import { typedForm } from "./typed-form.ts";

/** An object of a bundle with the name of its file. */
interface BundleFile {
  readonly name: string;
  readonly object: UnstructuredObject;
  readonly text: string;
}

export interface BundleFiles {
  readonly files: BundleFile[];
  /** Objects that OLM does not install from a bundle. */
  readonly dropped: UnstructuredObject[];
}

/** Returns the objects of a bundle except for its CSV. */
export function bundleFiles(collection: Collection, { rbacObjects }: AssembledCsv): BundleFiles {
  const { crds, services, others } = collection;
  const objects = [
    ...crds.filter(isV1),
    ...crds.filter((crd) => !isV1(crd)),
    ...services,
    ...others.filter(isSupported),
    ...rbacObjects,
  ];
  const names = new Set<string>();
  let clashes = 0;
  const files = objects.map((object) => {
    const plain = manifestName(object);
    const name = names.has(plain) ? `dup${clashes++}_${plain}` : plain;
    names.add(plain);
    const typed = typedForm(object);
    return { name, object: typed, text: emitYaml(typed) };
  });
  const examples = customResources(collection);
  return { files, dropped: others.filter((object) => !isSupported(object) && !examples.includes(object)) };
}

/** Returns the name of an object's file in a bundle. */
export function manifestName(object: UnstructuredObject): string {
  const { apiVersion = "", kind = "", metadata } = object;
  const { group, version } = parseApiVersion(apiVersion);
  const { group: crdGroup, names } = (object["spec"] ?? {}) as { group?: string; names?: { plural?: string } };
  if (kind === "CustomResourceDefinition" && crdGroup && names?.plural) return `${crdGroup}_${names.plural}.yaml`;
  return `${[metadata.name, group, version, kind.toLowerCase()].filter(Boolean).join("_")}.yaml`;
}
