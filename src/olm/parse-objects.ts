import type { UnstructuredObject } from "../apimachinery/meta.ts";
import { parseDocuments } from "../client/manifests/parse-documents.ts";

/** Parses the Kubernetes objects of a YAML text, and ignores documents without a kind. */
export function parseObjects(text: string, file: string): UnstructuredObject[] {
  return parseDocuments(text, file)
    .filter(isKubeObject)
    .map((object) => ({ ...object, metadata: object.metadata ?? {} }));
}

/** Reports whether a document is a Kubernetes object. */
export function isKubeObject(value: unknown): value is UnstructuredObject {
  if (typeof value !== "object" || value === null) return false;
  const { apiVersion, kind, metadata } = value as Partial<UnstructuredObject>;
  return typeof apiVersion === "string" && typeof kind === "string" && typeof (metadata ?? {}) === "object";
}
