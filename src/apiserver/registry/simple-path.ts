import type { UnstructuredObject } from "../../apimachinery/meta.ts";

/** Returns the value at a plain path such as `.spec.replicas` or `spec.replicas`. */
export function valueAt(object: UnstructuredObject, path: string): unknown {
  return namesOf(path).reduce<unknown>(
    (value, name) => (value as Record<string, unknown> | null | undefined)?.[name],
    object,
  );
}

/** Sets the value at a plain path, creating missing parents. */
export function setAt(object: UnstructuredObject, path: string, value: unknown): void {
  const names = namesOf(path);
  const last = names.pop() ?? "";
  let parent: Record<string, unknown> = object;
  for (const name of names) parent = (parent[name] ??= {}) as Record<string, unknown>;
  parent[last] = value;
}

function namesOf(path: string): string[] {
  return path.split(".").filter((name) => name !== "");
}
