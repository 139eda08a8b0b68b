import type { UnstructuredObject } from "../apimachinery/meta.ts";
import { approvalAnnotation } from "../apimachinery/crd/approval-errors.ts";
import { defineResources } from "./define-resources.ts";
import { customResourceDefinition } from "./generate-crds.ts";
import type { KindVersion, ResourceDefinition } from "./model.ts";
import { Report } from "./report.ts";

/** Returns the CRDs of kinds that other projects define, as their types in these folders describe them. */
export function foreignCrds(kinds: readonly KindVersion[], folders: readonly string[]): UnstructuredObject[] {
  const foreign = kinds.filter(({ external, folder }) => external && folders.includes(folder));
  // Sources of different ages may disagree, which is not for this project to fix.
  return defineResources(foreign, new Report()).map(foreignCrd);
}

function foreignCrd(resource: ResourceDefinition): UnstructuredObject {
  const { versions } = resource;
  // The types of the stored version may be deleted.
  const stored = versions.findLast(({ storage }) => storage) ?? versions.at(-1);
  const stores = { ...resource, versions: versions.map((each) => ({ ...each, storage: each === stored })) };
  const crd = customResourceDefinition(stores, "") as UnstructuredObject;
  // A server refuses groups of the Kubernetes project, such as gateway.networking.k8s.io, without it.
  const annotations = { [approvalAnnotation]: "unapproved, made from types" };
  return { ...crd, metadata: { ...crd.metadata, annotations } };
}
