import { loadAll, YAMLException, type LoadOptions } from "js-yaml";
import { yaml11 } from "./yaml-1-1.ts";

/** An error in a text that is not YAML, or that JSON cannot represent. `line` and `column` count from 1. */
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

/** The limit for values, which aliases can multiply. */
const mostValues = 1_000_000;
const deepest = 1000;

// The types of js-yaml lack maxDepth.
const options: LoadOptions & { maxDepth: number } = { schema: yaml11, maxDepth: deepest };

/**
 * Parses the documents of a YAML text to plain JSON without shared parts, as Kubernetes does. A repeated key is an
 * error; empty documents are null. Throws a YamlError.
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
