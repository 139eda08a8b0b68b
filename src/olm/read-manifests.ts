import type { UnstructuredObject } from "../apimachinery/meta.ts";
import { parseYamlDocuments, YamlError } from "../apimachinery/yaml/parse.ts";
import { TsopError } from "../errors/tsop-error.ts";

/**
 * The Kubernetes objects of a YAML text; documents without a kind are left out. A text that can't be read is an error
 * with its place: a document that is skipped in silence would be missing from the bundle.
 */
export function readManifests(text: string, file: string): UnstructuredObject[] {
  return parseDocuments(text, file)
    .filter(isObject)
    .map((object) => ({ ...object, metadata: object.metadata ?? {} }));
}

/** All documents of a YAML text, as they are. */
export function parseDocuments(text: string, file: string): unknown[] {
  try {
    return parseYamlDocuments(text);
  } catch (cause) {
    if (!(cause instanceof YamlError)) throw cause;
    const { reason, line, column } = cause;
    throw new TsopError("TSOP_BUNDLE_YAML", { file, line, column, reason }, { cause });
  }
}

/** Whether a document is a Kubernetes object. */
export function isObject(value: unknown): value is UnstructuredObject {
  if (typeof value !== "object" || value === null) return false;
  const { apiVersion, kind, metadata } = value as Partial<UnstructuredObject>;
  return typeof apiVersion === "string" && typeof kind === "string" && typeof (metadata ?? {}) === "object";
}
