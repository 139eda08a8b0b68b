import { mostLevels } from "../levels.ts";
import { loadAll, YAMLException, type LoadOptions, type EventType, type State } from "js-yaml";
import type { Place } from "./place.ts";
import { yaml11 } from "./yaml-1-1.ts";

/**
 * An error in a text that is not YAML, or that JSON cannot represent. `line` and `column` count from 1.
 *
 * @example
 * const isWrong = (error: unknown) => error instanceof YamlError && error.line > 0;
 */
export class YamlError extends Error {
  override readonly name: string = "YamlError";
  readonly reason: string;
  readonly line: number;
  readonly column: number;

  constructor(reason: string, place: Place, options?: ErrorOptions) {
    super(`yaml: line ${place.line}: ${reason}`, options);
    this.reason = reason;
    this.line = place.line;
    this.column = place.column;
  }
}

/** The limit for values, which aliases can multiply. */
const mostValues = 1_000_000;

// The types of js-yaml lack maxDepth.
const options: LoadOptions & { maxDepth: number } = { schema: yaml11, maxDepth: mostLevels };

/**
 * Parses the documents of a YAML text to plain JSON without shared parts, as Kubernetes does: `yes` is true, `0644` an
 * octal number, a date a text. A repeated key is an error; empty documents are null. Throws a YamlError.
 *
 * @example
 * const objects = parseYamlDocuments("kind: ConfigMap\n---\nkind: Secret\n") as UnstructuredObject[];
 */
export function parseYamlDocuments(text: string): unknown[] {
  try {
    return unshareAll(load(text), () => undefined);
  } catch (error) {
    if (!(error instanceof YamlError) || error.cause) throw error;
    // Only a refused text is parsed for the places of its values.
    const places = new Map<unknown, () => Place>();
    const listener = listenForValues(text, (value, start) => {
      if (typeof value === "object" && !places.has(value)) places.set(value, start);
    });
    return unshareAll(load(text, listener), (value) => places.get(value)?.());
  }
}

/** Returns the place of the first key or scalar with a value, in a text that parses. */
export function findYamlScalar(text: string, wanted: unknown): Place {
  let found: (() => Place) | undefined;
  const listener = listenForValues(text, (value, start) => {
    if (value === wanted) found ??= start;
  });
  load(text, listener);
  return found?.() ?? { line: 1, column: 1 };
}

function load(text: string, listener?: LoadOptions["listener"]): unknown[] {
  try {
    return loadAll(text, undefined, { ...options, ...(listener && { listener }) });
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    const { reason, mark } = error;
    throw new YamlError(reason, { line: mark.line + 1, column: mark.column + 1 }, { cause: error });
  }
}

type PlaceOf = (value: unknown) => Place | undefined;

function unshareAll(documents: readonly unknown[], placeOf: PlaceOf): unknown[] {
  let values = 0;
  const unshare = (value: unknown, depth: number, above: Place): unknown => {
    const refuse = (reason: string): never => {
      throw new YamlError(reason, placeOf(value) ?? above);
    };
    if (++values > mostValues) refuse("document contains excessive aliasing");
    if (typeof value === "number" && !Number.isFinite(value)) refuse(`unsupported value: ${value}`);
    if (typeof value !== "object" || value === null) return value;
    // The parser has refused texts that are deeper without aliases.
    if (depth > mostLevels) refuse("an anchor contains itself");
    const place = placeOf(value) ?? above;
    if (Array.isArray(value)) return value.map((item) => unshare(item, depth + 1, place));
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, unshare(item, depth + 1, place)]));
  };
  return documents.map((document) => unshare(document ?? null, 0, { line: 1, column: 1 }));
}

/** Returns a listener for js-yaml, which calls it with each value and its start. */
function listenForValues(
  text: string,
  note: (value: unknown, start: () => Place) => void,
): NonNullable<LoadOptions["listener"]> {
  const starts: number[] = [];
  return (event: EventType, state: State) => {
    if (event === "open") {
      starts.push(state.position);
      return;
    }
    const start = starts.pop() ?? 0;
    note(state.result, () => placeAt(text, start));
  };
}

/** The parser enters a value before the space and the comments in front of it. */
function placeAt(text: string, offset: number): Place {
  const gap = /^(?:\s|#.*)*/.exec(text.slice(offset))![0].length;
  const before = text.slice(0, Math.min(offset + gap, text.trimEnd().length)).split("\n");
  return { line: before.length, column: before.at(-1)!.length + 1 };
}
