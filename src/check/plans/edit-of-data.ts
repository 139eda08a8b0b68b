import type { UnstructuredObject } from "../../apimachinery/meta.ts";

/** Another value of a field. */
export interface Edit {
  readonly path: readonly string[];
  readonly value: unknown;
}

/** Returns a change of the data of a ConfigMap or a Secret, if the object has some. */
export function editOfData(object: UnstructuredObject): Edit | undefined {
  for (const field of ["data", "stringData"]) {
    const [key, value] = Object.entries((object[field] ?? {}) as Record<string, unknown>)[0] ?? [];
    if (key === undefined || typeof value !== "string") continue;
    const isEncoded = object.kind === "Secret" && field === "data";
    return { path: [field, key], value: isEncoded ? "ZHJpZnQ=" : `${value}# drift` };
  }
  return undefined;
}
