import { load, YAMLException, type EventType, type LoadOptions } from "js-yaml";
import { isApiError } from "../../apimachinery/status.ts";
import { yaml11 } from "../../apimachinery/yaml/yaml-1-1.ts";
import { mostLevels } from "../../apimachinery/levels.ts";
import { parseJson } from "./json.ts";
import { mostBodyValues, tooManyValues } from "./json.ts";

/** Text that is not YAML, or has a value that JSON cannot represent. */
export class YamlSyntaxError extends Error {
  override readonly name: string = "YamlSyntaxError";
}

export interface YamlDocument {
  readonly value: unknown;
  /** True if the text is also JSON. */
  readonly isJson: boolean;
  /** A finding about the first key that a mapping has twice; not known for JSON. */
  readonly duplicates: readonly string[];
}

/**
 * Parses the first document like an API server: with the booleans (`yes`, `off`, `y`) and octals (`0644`) of YAML 1.1,
 * dates as text, the last of duplicate keys, and aliases expanded. Throws `YamlSyntaxError`.
 */
export function parseYaml(text: string): YamlDocument {
  const json = parseAsJson(text);
  if (json !== undefined) return { value: json, isJson: true, duplicates: [] };
  if (controls.test(text)) throw new YamlSyntaxError("yaml: control characters are not allowed");
  try {
    const { value, duplicates } = readDocument(firstDocument(text));
    return { value: unshare(value ?? null, { nodes: 0 }, 0), isJson: false, duplicates };
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    throw new YamlSyntaxError(`yaml: line ${error.mark.line + 1}: ${error.reason}`, { cause: error });
  }
}

/** Reads a document once, unless it has a key twice. */
function readDocument(text: string): Pick<YamlDocument, "value" | "duplicates"> {
  try {
    return { value: load(text, limited()), duplicates: [] };
  } catch (error) {
    if (!isDuplicate(error)) throw error;
    const { line, position } = error.mark;
    const [, key = ""] = /^["']?([^"':\s]*)/.exec(text.slice(position))!;
    const finding = `line ${line + 1}: key ${JSON.stringify(key)} already set in map`;
    return { value: load(text, { ...limited(), json: true }), duplicates: [finding] };
  }
}

// oxlint-disable-next-line no-control-regex -- YAML forbids these characters
const controls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;

/** Parses text that is JSON: most bodies that are declared as YAML are, kubectl's included, and this parser is fast. */
function parseAsJson(text: string): unknown {
  if (!/^\s*\{/.test(text)) return undefined;
  try {
    return parseJson(text);
  } catch (error) {
    if (isApiError(error)) throw error;
    // Not JSON, or nested too deeply: the YAML parser reports the error.
    return undefined;
  }
}

function isDuplicate(error: unknown): error is YAMLException {
  return error instanceof YAMLException && error.reason === "duplicated mapping key";
}

function firstDocument(text: string): string {
  const start = /^---(?=\s|$)/.exec(text)?.[0].length ?? 0;
  const end = text.slice(start).search(/^(?:---|\.\.\.)(?=\s|$)/m);
  return end < 0 ? text : text.slice(0, start + end);
}

function unshare(value: unknown, count: { nodes: number }, depth: number): unknown {
  if (++count.nodes > mostBodyValues) throw new YamlSyntaxError("yaml: document contains excessive aliasing");
  if (typeof value === "number" && !Number.isFinite(value)) {
    throw new YamlSyntaxError(`json: unsupported value: ${value}`);
  }
  if (typeof value !== "object" || value === null) return value;
  if (depth >= mostLevels) throw new YamlSyntaxError(`yaml: exceeded max depth of ${mostLevels}`);
  if (Array.isArray(value)) return value.map((item) => unshare(item, count, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, unshare(item, count, depth + 1)]));
}

// The types of js-yaml do not declare maxDepth.
const reading: LoadOptions & { maxDepth: number } = { schema: yaml11, maxDepth: mostLevels };

/** Returns options that end a reading at too many nodes. */
function limited(): LoadOptions {
  let nodes = 0;
  const listener = (event: EventType): void => {
    if (event === "open" && ++nodes > mostBodyValues) throw tooManyValues(nodes, mostBodyValues);
  };
  return { ...reading, listener };
}
