import type { UnstructuredObject } from "../../apimachinery/meta.ts";

/** Another value of a field. */
export interface Edit {
  readonly path: readonly string[];
  readonly value: unknown;
}

/**
 * Returns a change of the data of a ConfigMap or a Secret, if the object has some and is not immutable: of a key, or of the
 * first one.
 */
export function editOfData(object: UnstructuredObject, chosen?: string): Edit | undefined {
  if (object["immutable"] === true) return undefined;
  for (const field of ["data", "stringData"]) {
    const data = (object[field] ?? {}) as Record<string, unknown>;
    const key = chosen ?? Object.keys(data)[0];
    const value = key === undefined ? undefined : data[key];
    if (key === undefined || typeof value !== "string") continue;
    const isEncoded = object.kind === "Secret" && field === "data";
    return { path: [field, key], value: isEncoded ? "ZHJpZnQ=" : `${value}# drift` };
  }
  return undefined;
}
