import { setField } from "./set-field.ts";

/** The type with every field writable, recursively: what a copy of a `DeepReadonly` is. */
export type DeepWritable<T> = T extends readonly (infer Item)[]
  ? DeepWritable<Item>[]
  : T extends object
    ? { -readonly [Key in keyof T]: DeepWritable<T[Key]> }
    : T;

/**
 * Returns a deep copy of plain JSON, which can be changed even if the original is read-only. Ten times as fast as
 * `structuredClone`, which supports far more than JSON.
 *
 * @example
 * const changed = cloneJson(deployment);
 * changed.spec!.replicas = 3;
 * await client.patch(Deployment, objectKey(deployment), mergeFrom(deployment, changed));
 */
export function cloneJson<T>(value: T): T & DeepWritable<T> {
  try {
    return copy(value) as T & DeepWritable<T>;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return copyWithoutStack(value) as T & DeepWritable<T>;
  }
}

function copy(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(copy);
  const source = value as Record<string, unknown>;
  const result: Record<string, unknown> = {};
  for (const key in source) {
    setField(result, key, copy(source[key]));
  }
  return result;
}

/** Copies an object that is nested deeper than the stack: a server takes 10,000 levels in a custom resource. */
function copyWithoutStack(value: unknown): unknown {
  const pending: [from: object, to: object][] = [];
  const begin = (from: unknown): unknown => {
    if (typeof from !== "object" || from === null) return from;
    const to = Array.isArray(from) ? [] : {};
    pending.push([from, to]);
    return to;
  };
  const copied = begin(value);
  for (let next = pending.pop(); next; next = pending.pop()) {
    const [from, to] = next;
    if (Array.isArray(from)) for (const item of from) (to as unknown[]).push(begin(item));
    else for (const key in from) setField(to as Record<string, unknown>, key, begin((from as never)[key]));
  }
  return copied;
}
