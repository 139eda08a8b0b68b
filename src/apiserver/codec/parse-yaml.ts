import { load, YAMLException, type LoadOptions } from "js-yaml";
import { yaml11 } from "../../apimachinery/yaml/yaml-1-1.ts";
import { maxJsonDepth, parseJson } from "./json.ts";

/** Text that is not YAML, or has a value that JSON cannot represent. */
export class YamlSyntaxError extends Error {
  override readonly name: string = "YamlSyntaxError";
}

export interface YamlDocument {
  readonly value: unknown;
  /** True if the text is also JSON. */
  readonly isJson: boolean;
  /** The finding about the first key that a mapping has twice; not known for JSON. */
  readonly duplicate?: string | undefined;
}

/** The most nodes of a document after its aliases are expanded. */
const maxNodes = 1_000_000;

/**
 * Parses the first document like an API server: with the booleans (`yes`, `off`, `y`) and octals (`0644`) of YAML 1.1,
 * dates as text, the last of duplicate keys, and aliases expanded. Throws `YamlSyntaxError`.
 */
export function parseYaml(text: string): YamlDocument {
  const json = parseAsJson(text);
  if (json !== undefined) return { value: json, isJson: true };
  if (controls.test(text)) throw new YamlSyntaxError("yaml: control characters are not allowed");
  const { value, duplicate } = wrapErrors(() => readDocument(firstDocument(text)));
  return { value: unshare(value ?? null, { nodes: 0 }, 0), isJson: false, duplicate };
}

/** Reads a document once, unless it has a key twice. */
function readDocument(text: string): { readonly value: unknown; readonly duplicate?: string } {
  try {
    return { value: load(text, reading) };
  } catch (error) {
    const duplicate = duplicateIn(text, error);
    if (duplicate === undefined) throw error;
    return { value: load(text, { ...reading, json: true }), duplicate };
  }
}

// oxlint-disable-next-line no-control-regex -- YAML forbids these characters
const controls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;

/** Parses text that is JSON: most bodies that are declared as YAML are, kubectl's included, and this parser is fast. */
function parseAsJson(text: string): unknown {
  if (!/^\s*\{/.test(text)) return undefined;
  try {
    return parseJson(text);
  } catch {
    // Not JSON, or nested too deeply: the YAML parser reports the error.
    return undefined;
  }
}

/** Finds the first key that a mapping has twice; text that is not YAML has none. */
export function findYamlDuplicate(text: string): string | undefined {
  const document = firstDocument(text);
  try {
    load(document, reading);
    return undefined;
  } catch (error) {
    return duplicateIn(document, error);
  }
}

/** Words the error if it is about a duplicate key. */
function duplicateIn(text: string, error: unknown): string | undefined {
  if (!(error instanceof YAMLException) || error.reason !== "duplicated mapping key") return undefined;
  const { line, position } = error.mark;
  const key = /^["']?([^"':\s]+)/.exec(text.slice(position))?.[1] ?? "";
  return `line ${line + 1}: key ${JSON.stringify(key)} already set in map`;
}

function firstDocument(text: string): string {
  const start = /^---(?=\s|$)/.exec(text)?.[0].length ?? 0;
  const end = text.slice(start).search(/^(?:---|\.\.\.)(?=\s|$)/m);
  return end < 0 ? text : text.slice(0, start + end);
}

function wrapErrors<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof YAMLException) {
      throw new YamlSyntaxError(`yaml: line ${error.mark.line + 1}: ${error.reason}`, { cause: error });
    }
    throw error;
  }
}

function unshare(value: unknown, count: { nodes: number }, depth: number): unknown {
  if (++count.nodes > maxNodes) throw new YamlSyntaxError("yaml: document contains excessive aliasing");
  if (typeof value === "number" && !Number.isFinite(value)) {
    throw new YamlSyntaxError(`json: unsupported value: ${value}`);
  }
  if (typeof value !== "object" || value === null) return value;
  if (depth >= maxJsonDepth) throw new YamlSyntaxError(`yaml: exceeded max depth of ${maxJsonDepth}`);
  if (Array.isArray(value)) return value.map((item) => unshare(item, count, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, unshare(item, count, depth + 1)]));
}

// The types of js-yaml do not declare maxDepth.
const reading: LoadOptions & { maxDepth: number } = { schema: yaml11, maxDepth: maxJsonDepth };
