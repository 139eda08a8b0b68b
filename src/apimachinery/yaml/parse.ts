import { loadAll, YAMLException, type LoadOptions } from "js-yaml";
import { yaml11 } from "./yaml-1-1.ts";

/** A text that is no YAML, or that JSON could not hold. `line` and `column` count from 1. */
export class YamlError extends Error {
  override readonly name: string = "YamlError";
  readonly reason: string;
  readonly line: number;
  readonly column: number;

  constructor(reason: string, place: { line: number; column: number }, options?: ErrorOptions) {
    super(`yaml: line ${place.line}: ${reason}`, options);
    this.reason = reason;
    this.line = place.line;
    this.column = place.column;
  }
}

/** Aliases may repeat parts of a text, but not until it bursts. */
const mostValues = 1_000_000;
const deepest = 1000;

// The types of js-yaml do not know maxDepth yet.
const options: LoadOptions & { maxDepth: number } = { schema: yaml11, maxDepth: deepest };

/**
 * The documents of a YAML text as plain JSON that shares nothing, read as Kubernetes reads it. A key that is there twice
 * is an error; empty documents are null. Throws a YamlError.
 */
export function parseYamlDocuments(text: string): unknown[] {
  const count = { values: 0 };
  return load(text).map((document) => unshare(document ?? null, count));
}

function load(text: string): unknown[] {
  try {
    return loadAll(text, undefined, options);
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    const { reason, mark } = error;
    throw new YamlError(reason, { line: mark.line + 1, column: mark.column + 1 }, { cause: error });
  }
}

function unshare(value: unknown, count: { values: number }): unknown {
  const start = { line: 1, column: 1 };
  if (++count.values > mostValues) throw new YamlError("document contains excessive aliasing", start);
  if (typeof value === "number" && !Number.isFinite(value)) throw new YamlError(`unsupported value: ${value}`, start);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => unshare(item, count));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, unshare(item, count)]));
}
