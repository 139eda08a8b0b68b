import { FAILSAFE_SCHEMA, load, Type, YAMLException, type LoadOptions } from "js-yaml";
import { maxJsonDepth } from "./json-scanner.ts";
import { parseJson } from "./parse-json.ts";

/** Text that is not YAML, or that JSON could not hold. */
export class YamlSyntaxError extends Error {
  override readonly name: string = "YamlSyntaxError";
}

/** Aliases may repeat parts of a document, but not until it bursts. */
const maxNodes = 1_000_000;

/**
 * Reads the first document as an API server does: with the booleans (`yes`, `off`, `y`) and octals (`0644`) of YAML 1.1,
 * dates as text, the last of duplicate keys, aliases expanded. Throws `YamlSyntaxError`.
 */
export function parseYaml(text: string): unknown {
  const json = parseAsJson(text);
  if (json !== undefined) return json;
  const value = guarded(() => load(firstDocument(text), { ...reading, json: true }));
  return unshare(value ?? null, { nodes: 0 }, 0);
}

/** Most bodies that are called YAML are JSON, kubectl's among them; both readings agree, and this one is fast. */
function parseAsJson(text: string): unknown {
  if (!/^\s*\{/.test(text)) return undefined;
  try {
    return parseJson(text);
  } catch {
    // Not JSON, or too deep: the YAML reader says what is wrong.
    return undefined;
  }
}

/** The first key that a mapping has twice, as a finding of a strict decoder; text that is no YAML has none. */
export function findYamlDuplicate(text: string): string | undefined {
  try {
    load(firstDocument(text), reading);
    return undefined;
  } catch (error) {
    if (!(error instanceof YAMLException) || error.reason !== "duplicated mapping key") return undefined;
    const { line, position } = error.mark;
    const key = /^["']?([^"':\s]+)/.exec(text.slice(position))?.[1] ?? "";
    return `line ${line + 1}: key ${JSON.stringify(key)} already set in map`;
  }
}

function firstDocument(text: string): string {
  const start = /^---(?=\s|$)/.exec(text)?.[0].length ?? 0;
  const end = text.slice(start).search(/^(?:---|\.\.\.)(?=\s|$)/m);
  return end < 0 ? text : text.slice(0, start + end);
}

function guarded(read: () => unknown): unknown {
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

const truths = new Set(spellings("y yes on true"));
const untruths = new Set(spellings("n no off false"));

function spellings(words: string): string[] {
  return words.split(" ").flatMap((word) => [word, word.charAt(0).toUpperCase() + word.slice(1), word.toUpperCase()]);
}

const schema = FAILSAFE_SCHEMA.extend({
  implicit: [
    scalar(
      "null",
      (text) => ["", "~", "null", "Null", "NULL"].includes(text),
      () => null,
    ),
    scalar(
      "bool",
      (text) => truths.has(text) || untruths.has(text),
      (text) => truths.has(text),
    ),
    scalar("int", (text) => integer.test(text), parseInteger),
    scalar("float", (text) => float.test(text), parseFloat11),
    new Type("tag:yaml.org,2002:merge", { kind: "scalar", resolve: (text) => text === "<<" }),
  ],
  explicit: [
    new Type("tag:yaml.org,2002:binary", {
      kind: "scalar",
      construct: (text: string) => Buffer.from(text, "base64").toString("latin1"),
    }),
    new Type("tag:yaml.org,2002:timestamp", { kind: "scalar", construct: (text: string) => text }),
  ],
});

// The types of js-yaml do not know maxDepth yet.
const reading: LoadOptions & { maxDepth: number } = { schema, maxDepth: maxJsonDepth };

const integer = /^[-+]?(?:0b[01_]+|0o?[0-7_]+|0x[0-9a-fA-F_]+|0|[1-9][0-9_]*)$/;
const float =
  /^[-+]?(?:\.inf|\.Inf|\.INF|(?:[0-9][0-9_]*)(?:\.[0-9_]*)?(?:[eE][-+]?[0-9]+)?|\.[0-9][0-9_]*(?:[eE][-+]?[0-9]+)?)$|^\.(?:nan|NaN|NAN)$/;

function scalar(name: string, resolve: (text: string) => boolean, construct: (text: string) => unknown): Type {
  return new Type(`tag:yaml.org,2002:${name}`, {
    kind: "scalar",
    resolve: (text: string | null) => resolve(text ?? ""),
    construct: (text: string | null) => construct(text ?? ""),
  });
}

function parseInteger(text: string): number {
  const digits = text.replaceAll("_", "");
  const negative = digits.startsWith("-");
  const bare = digits.replace(/^[-+]/, "");
  const value = /^0[0-7]+$/.test(bare) ? Number.parseInt(bare, 8) : Number(bare);
  return negative ? -value : value;
}

function parseFloat11(text: string): number {
  const plain = text.replaceAll("_", "").toLowerCase();
  if (plain.endsWith(".inf")) return plain.startsWith("-") ? -Infinity : Infinity;
  return plain === ".nan" ? Number.NaN : Number(plain);
}
